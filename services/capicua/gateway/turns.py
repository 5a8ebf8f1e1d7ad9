"""Takes turns, so that a crowd that is told something does not hold up everybody else."""

from __future__ import annotations

import asyncio
from collections import deque

LEAST_AT_ONCE = 8
"""So many writes take less than half a millisecond."""
PARTS = 64
PAUSE_SECONDS = 0.001


class Turns:
    """Wakes those who wait to write, a few at a time, with pauses for what else there is to do.

    A crowd of up to PARTS times LEAST_AT_ONCE is told in less than a tenth of a second, a larger one in more at a time.
    """

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()

    def wake(self, sleeper: asyncio.Future[None]) -> None:
        """Set the result of a future when its turn comes; nothing where it is done by then."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._turn)
        self._waiting.append(sleeper)

    def _turn(self) -> None:
        for _ in range(min(len(self._waiting), max(LEAST_AT_ONCE, len(self._waiting) // PARTS))):
            sleeper = self._waiting.popleft()
            if not sleeper.done():
                sleeper.set_result(None)
        if self._waiting:
            asyncio.get_running_loop().call_later(PAUSE_SECONDS, self._turn)
