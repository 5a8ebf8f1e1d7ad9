"""A stream of frames that outlives its connections."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import grpc

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.update_pb2 import Frame
from capicua.client.refused import Refused, Unreachable, typed_errors

FIRST_DELAY = 0.1
LONGEST_DELAY = 5.0
PASSING = (
    reasons.ERROR_REASON_RESYNC,
    reasons.ERROR_REASON_UNAVAILABLE,
    reasons.ERROR_REASON_INTERNAL,
)
"""Reasons that end a connection and may be gone on the next one."""


def delays() -> Iterator[float]:
    """Seconds to wait before each new try: random, so that clients do not come back in one wave."""
    longest = FIRST_DELAY
    while True:
        yield random.uniform(0, longest)
        longest = min(LONGEST_DELAY, longest * 2)


async def follow(
    channel: grpc.aio.Channel,
    open_call: Callable[[], Any],
    take: Callable[[Frame], bool],
    lost: Callable[[], None],
    patience: float | None,
) -> None:
    """Hand every frame of a stream to `take`, opening a new one whenever it ends.

    `open_call` opens the stream so that it goes on where the last one ended, or gives None when there is
    nothing more to follow; `take` gives False to have a new one opened; `lost` is told of each that has ended.
    Raises Refused for a reason that a new connection does not cure, and Unreachable after `patience` seconds
    without a connection.
    """
    waits = delays()
    while True:
        await ready(channel, patience)
        if (call := open_call()) is None:
            return
        try:
            with passing_errors():
                async for response in call:
                    waits = delays()
                    if not all(take(frame) for frame in response.frames):
                        break
        finally:
            call.cancel()
        lost()
        await asyncio.sleep(next(waits))


async def reopened(
    channel: grpc.aio.Channel, open_call: Callable[[], Any], patience: float | None
) -> AsyncIterator[Any]:
    """Every response of a stream that begins anew with each connection, over as many as it takes.

    Raises Refused and Unreachable as `follow` does.
    """
    waits = delays()
    while True:
        await ready(channel, patience)
        with typed_errors():
            call = open_call()
        try:
            with passing_errors():
                async for response in call:
                    waits = delays()
                    yield response
        finally:
            call.cancel()
        await asyncio.sleep(next(waits))


@contextmanager
def passing_errors() -> Iterator[None]:
    """End a stream in silence if a new connection may cure it; raises Refused otherwise."""
    try:
        with typed_errors():
            yield
    except Unreachable:
        return
    except Refused as no:
        if no.reason not in PASSING:
            raise


async def ready(channel: grpc.aio.Channel, patience: float | None) -> None:
    """Wait for a connection; raises Unreachable after `patience` seconds."""
    try:
        with typed_errors():
            async with asyncio.timeout(patience):
                await channel.channel_ready()
    except TimeoutError:
        raise Unreachable(f"no connection for {patience:g} seconds") from None
