"""Which players of a game are there: how it is now, and no part of the game's history."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

GRACE_SECONDS = 1.5
"""Who looks away for less is not said to have dropped."""
ARRIVAL_SECONDS = 6.0
"""So long everybody has for coming where a game begins, or goes on after a move to another process."""


Told = Callable[[int, bool], None]
"""Hears of a seat whether its player is there now."""


class Presence:
    """The seats whose players have no session that watches. Each counts as there until a grace has passed."""

    def __init__(self, told: Told) -> None:
        """`told` hears of each change but those by `expect`."""
        self.dropped: set[int] = set()
        self._listeners = [told]
        self._alarms: dict[int, asyncio.TimerHandle] = {}

    def follow(self, told: Told) -> None:
        """Tell `told` as well, after the others."""
        self._listeners.append(told)

    def expect(self, seats: Iterable[int]) -> None:
        """Count new players of `seats` as there, and wait for them."""
        for seat in seats:
            self.dropped.discard(seat)
            self._wait(seat, ARRIVAL_SECONDS)

    def came(self, seat: int) -> None:
        """A session of the seat's player watches."""
        self._quiet(seat)
        if seat in self.dropped:
            self.dropped.discard(seat)
            self._tell(seat, True)

    def went(self, seat: int) -> None:
        """No session of the seat's player watches any more."""
        if seat not in self.dropped:
            self._wait(seat, GRACE_SECONDS)

    def close(self) -> None:
        """Tell nothing more."""
        for seat in tuple(self._alarms):
            self._quiet(seat)

    def _wait(self, seat: int, seconds: float) -> None:
        self._quiet(seat)
        self._alarms[seat] = asyncio.get_running_loop().call_later(seconds, self._drop, seat)

    def _quiet(self, seat: int) -> None:
        if alarm := self._alarms.pop(seat, None):
            alarm.cancel()

    def _drop(self, seat: int) -> None:
        del self._alarms[seat]
        self.dropped.add(seat)
        self._tell(seat, False)

    def _tell(self, seat: int, connected: bool) -> None:
        for told in self._listeners:
            told(seat, connected)
