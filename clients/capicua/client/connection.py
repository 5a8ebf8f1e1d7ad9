"""How the connection to the server stands, to show it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from enum import Enum


class Connection(Enum):
    """Where the session of a client stands."""

    CONNECTING = "connecting"
    """Not open yet: nothing was watched, or the first connection is under way."""
    CONNECTED = "connected"
    """Open: what happens is heard, what is sent is answered."""
    RECONNECTING = "reconnecting"
    """Lost, and tried again by itself: what is sent now is kept and carried out once."""
    ENDED = "ended"
    """Over for good: closed, taken over by another device, or out of patience."""


class ConnectionState:
    """A Connection, and whoever wants to hear of its changes."""

    def __init__(self) -> None:
        self.now = Connection.CONNECTING
        self._changed = asyncio.Event()

    def become(self, state: Connection) -> None:
        """Change, and tell it. The end is the end."""
        if state is self.now or self.now is Connection.ENDED:
            return
        self.now = state
        self._changed.set()
        self._changed = asyncio.Event()

    async def changes(self) -> AsyncIterator[Connection]:
        """The state now, then each new one until ENDED; a slow reader is told the newest only."""
        told = None
        while told is not Connection.ENDED:
            changed = self._changed
            if told is self.now:
                await changed.wait()
            else:
                yield (told := self.now)
