"""Many spectators of one game in a process of their own, each with a connection; some of them never read."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from multiprocessing.connection import Connection
from typing import Any

import grpc

from capicua.api.v1.game_service_pb2 import WatchGameRequest
from capicua.runtime.loop import run

_SPAWN = multiprocessing.get_context("spawn")
NICE = 15
_WATCH = "/capicua.api.v1.GameService/WatchGame"
_OPTIONS = (
    ("grpc.use_local_subchannel_pool", 1),
    # Without probing for bandwidth the wire holds 64 KiB of what nobody reads.
    ("grpc.http2.bdp_probe", 0),
)


class Crowd:
    """The spectators who have come; `arrival` seconds it took from the first call to the last answer."""

    def __init__(self, pipe: Connection, arrival: float) -> None:
        self._pipe = pipe
        self.arrival = arrival

    async def messages(self) -> int:
        """How many messages they have got in all."""
        self._pipe.send("messages?")
        got: int = await asyncio.to_thread(self._pipe.recv)
        return got


@asynccontextmanager
async def crowd(address: str, token: str, game_id: str, readers: int, others: int) -> AsyncIterator[Crowd]:
    """So many who read and others who do not, as soon as all who read have seen the game; killed afterwards."""
    ours, theirs = _SPAWN.Pipe()
    process = _SPAWN.Process(target=_spectate, args=(theirs, address, token, game_id, readers, others))
    with ours, theirs:
        process.start()
        try:
            yield Crowd(ours, await asyncio.to_thread(ours.recv))
        finally:
            process.kill()
            process.join()
            process.close()


def _spectate(parent: Connection, address: str, token: str, game_id: str, readers: int, others: int) -> None:
    request = WatchGameRequest(game_id=game_id).SerializeToString()
    metadata = (("authorization", f"Bearer {token}"),)
    messages = 0

    def call() -> Any:
        # Bytes are left as they are, for the spectators of a real server bring processors of their own.
        channel = grpc.aio.insecure_channel(address, options=_OPTIONS)
        watch: Any = channel.unary_stream(_WATCH)
        return watch(request, metadata=metadata)

    async def read(seen: asyncio.Event) -> None:
        nonlocal messages
        async for _ in call():
            messages += 1
            seen.set()

    async def spectate() -> None:
        os.nice(NICE)
        loop = asyncio.get_running_loop()
        began = loop.time()
        seen = [asyncio.Event() for _ in range(readers)]
        reading = [asyncio.ensure_future(read(each)) for each in seen]
        asleep = [call() for _ in range(others)]
        for each in seen:
            await each.wait()
        parent.send(loop.time() - began)

        def asked() -> None:
            parent.recv()
            parent.send(messages)

        loop.add_reader(parent.fileno(), asked)
        await asyncio.gather(*reading)
        assert len(asleep) == others

    run(spectate())
