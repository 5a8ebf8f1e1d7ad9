"""A timer for game-actors in other processes."""

from __future__ import annotations

import time

from capicua.internal.v1.game_actor_service_pb2 import ExpireTurnRequest, WatchDeadlinesResponse
from capicua.links.directory import Directory
from capicua.links.router import Router
from capicua.timer.service import TimerService


def _monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class RemoteTimer:
    """Knows when to look at each game of each actor, and tells the actor when it is time.

    It keeps nothing of its own: whoever starts later is told everything by the actors. It measures lengths of
    time only, so its machine's clock does not matter.
    """

    def __init__(self, directory: Directory, token: bytes) -> None:
        self._router = Router(directory, "game-actor", token)
        self._timers: dict[str, TimerService] = {}
        self._router.stand("WatchDeadlines", b"", self._heard, self._lost)

    @property
    def deadlines(self) -> int:
        """How many deadlines are watched."""
        return sum(timer.deadlines for timer in self._timers.values())

    def close(self) -> None:
        """Tell nobody any more."""
        for timer in self._timers.values():
            timer.stop()
        self._router.close()

    def _heard(self, address: str, response: bytes) -> None:
        look = WatchDeadlinesResponse.FromString(response)
        timer = self._timers.get(address)
        if timer is None:
            timer = self._timers[address] = TimerService(_monotonic_ms)
            timer.bind(lambda due: self._tell(address, due))
        timer.schedule(look.game_id, 0, _monotonic_ms() + look.remaining_ms)

    def _tell(self, address: str, due: ExpireTurnRequest) -> None:
        self._router.send(address, "ExpireTurn", due.SerializeToString())

    def _lost(self, address: str) -> None:
        if timer := self._timers.pop(address, None):
            timer.stop()
