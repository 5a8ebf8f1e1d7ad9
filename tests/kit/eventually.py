"""Waiting for something that can be seen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from capicua.store.store import StoreUnavailable


async def eventually(true: Callable[[], bool], within: float = 5.0) -> None:
    """Return as soon as `true()` holds; AssertionError after `within` seconds."""
    loop = asyncio.get_running_loop()
    end = loop.time() + within
    while not true():
        assert loop.time() < end, "it did not come true in time"
        await asyncio.sleep(0.001)


async def until(ask: Callable[[], Awaitable[object]], within: float = 5.0) -> None:
    """Ask until the answer is true; StoreUnavailable is not. TimeoutError after `within` seconds."""
    async with asyncio.timeout(within):
        while True:
            with suppress(StoreUnavailable):
                if await ask():
                    return
            await asyncio.sleep(0.005)
