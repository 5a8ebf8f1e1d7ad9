"""Deadlines of this actor's games, for timers in other processes (implements `ports.Timer`)."""

from __future__ import annotations

from collections.abc import Callable

from capicua.internal.v1.game_actor_service_pb2 import ExpireTurnRequest, WatchDeadlinesResponse
from capicua.links.link_server import Incoming
from capicua.runtime.clock import Clock


class Deadlines:
    """Tells every timer when to look at a game, and ends the turn when one of them does and it is due.

    A turn that ends in time moves the deadline later, so nobody is told: the timer looks too early, and is
    told then. Every timer knows every game; the first to look ends the turn, so any of them may die (I-8).
    """

    def __init__(self, clock: Clock, expire: Callable[[ExpireTurnRequest], None]) -> None:
        self._clock = clock
        self._expire = expire
        self._due: dict[str, tuple[int, int]] = {}
        self._told: dict[str, int] = {}
        self._timers: set[Incoming] = set()

    def schedule(self, game_id: str, turn_seq: int, deadline_ms: int) -> None:
        """Remember when a turn expires, in place of what was known of this game."""
        self._due[game_id] = (turn_seq, deadline_ms)
        told_ms = self._told.get(game_id)
        if told_ms is None or deadline_ms < told_ms:
            self._tell(game_id, deadline_ms)

    def cancel(self, game_id: str) -> None:
        """Forget the game."""
        self._due.pop(game_id, None)
        self._told.pop(game_id, None)

    def follow(self, timer: Incoming) -> None:
        """Tell a timer of every game, and from now on."""
        self._timers.add(timer)
        timer.on_cancel = lambda: self._timers.discard(timer)
        for game_id, (_, deadline_ms) in self._due.items():
            timer.reply(self._look(game_id, deadline_ms))

    def look(self, game_id: str) -> None:
        """A timer says that it is time: end the turn, or say when to look again."""
        if game_id not in self._due:
            return
        turn_seq, deadline_ms = self._due[game_id]
        if self._clock() >= deadline_ms:
            # Whatever comes of it, the game schedules anew.
            self._told.pop(game_id, None)
            self._expire(ExpireTurnRequest(game_id=game_id, turn_seq=turn_seq))
        else:
            self._tell(game_id, deadline_ms)

    def _tell(self, game_id: str, deadline_ms: int) -> None:
        self._told[game_id] = deadline_ms
        data = self._look(game_id, deadline_ms)
        for timer in self._timers:
            timer.reply(data)

    def _look(self, game_id: str, deadline_ms: int) -> bytes:
        remaining_ms = max(0, deadline_ms - self._clock())
        return WatchDeadlinesResponse(game_id=game_id, remaining_ms=remaining_ms).SerializeToString()
