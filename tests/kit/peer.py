"""The other end of a connection, in the test's hand."""

from __future__ import annotations

import asyncio
from typing import Any

from capicua.api.v1.game_service_pb2 import SessionResponse


class Peer:
    """The other end (implements `transport.Stream`): keeps what it is sent, and reads only while told to."""

    def __init__(self) -> None:
        self.got: list[SessionResponse] = []
        self.writes = 0
        self.reads = asyncio.Event()
        self.reads.set()
        self.last_write: asyncio.Future[None] | None = None

    async def read(self) -> Any:
        """It has nothing to say."""
        await asyncio.get_running_loop().create_future()

    async def write(self, data: bytes) -> None:
        """Take a message, once the peer reads."""
        self.writes += 1
        await self.reads.wait()
        self.got.append(SessionResponse.FromString(data))

    @property
    def seqs(self) -> list[int]:
        """The updates it was sent."""
        return [frame.update.seq for message in self.got for frame in message.frames]
