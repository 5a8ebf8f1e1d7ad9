"""A game whose people have all gone: it is played to its end at once, for nobody waits for a turn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Set

from capicua.engine import GameState, Phase

DESERTED_SECONDS = 60.0
"""All people must have been gone for so long."""
HURRY_SECONDS = 0.05
"""Length of a turn then; thousands of deserted games must not make others wait."""
MISSES_UNTIL_GONE = 60
"""After so many expired turns in a row who only looks on counts as gone too."""


class Desertion:
    """Ends the turns of gone seats early, as long as every seat of a person is gone."""

    def __init__(self, dropped: Set[int], expire: Callable[[int], None], reachable: Callable[[], bool]) -> None:
        """`dropped` changes by itself; `expire` ends the turn with this seq. Nobody is gone while nobody is
        `reachable`: it may be ourselves who are.
        """
        self._dropped = dropped
        self._expire = expire
        self._reachable = reachable
        self._since: float | None = None
        """Since when all people are gone (loop time)."""
        self._alarm: asyncio.TimerHandle | None = None

    def look(self, state: GameState, people: Set[int]) -> None:
        """Something has changed: the game is at `state` now, and `people` sit on these seats."""
        self.close()
        gone = self._dropped
        if max(state.standing.misses) >= MISSES_UNTIL_GONE:
            gone = gone | {seat for seat, missed in enumerate(state.standing.misses) if missed >= MISSES_UNTIL_GONE}
        if not people <= gone:
            self._since = None
            return
        loop = asyncio.get_running_loop()
        if self._since is None:
            self._since = loop.time()
        remaining = self._since + DESERTED_SECONDS - loop.time()
        if remaining > 0:
            self._alarm = loop.call_later(remaining, self.look, state, people)
        elif state.phase is Phase.PLAYING and state.turn in gone and self._reachable():
            self._alarm = loop.call_later(HURRY_SECONDS, self._expire, state.turn_seq)

    def close(self) -> None:
        """Do nothing until the next look."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
