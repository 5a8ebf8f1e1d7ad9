"""Waiting for something that can be seen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


async def eventually(true: Callable[[], bool], within: float = 5.0) -> None:
    """Return as soon as `true()` holds; AssertionError after `within` seconds."""
    loop = asyncio.get_running_loop()
    end = loop.time() + within
    while not true():
        assert loop.time() < end, "it did not come true in time"
        await asyncio.sleep(0.001)
