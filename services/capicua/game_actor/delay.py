"""What spectators may not know yet. Pure: time comes in as a value."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from capicua.engine import TilePlayed
from capicua.game_actor.history import Step


class _Held(NamedTuple):
    step: Step
    plays: int
    """Plays of the game up to and with this step."""


class Delay:
    """Holds steps back until `moves` more plays are made and `ms` milliseconds have gone by.

    What comes before the first play holds nothing worth hiding, and is let go at once.
    """

    def __init__(self, moves: int, ms: int) -> None:
        self._moves = moves
        self._ms = ms
        self._plays = 0
        self._held: deque[_Held] = deque()

    def add(self, steps: list[Step]) -> None:
        """Hold the next steps of the game."""
        for step in steps:
            self._plays += isinstance(step.event, TilePlayed)
            self._held.append(_Held(step, self._plays))

    def due(self, now_ms: int) -> list[Step]:
        """Let go, in order, of what spectators may know at `now_ms`."""
        free = []
        while self._held and self._enough_plays(self._held[0]) and self._due_ms(self._held[0]) <= now_ms:
            free.append(self._held.popleft().step)
        return free

    def next_ms(self) -> int | None:
        """When something is due with no further play; None where only a play lets something go."""
        return self._due_ms(self._held[0]) if self._held and self._enough_plays(self._held[0]) else None

    def flush(self) -> list[Step]:
        """Let go of everything: the game is over."""
        steps = [held.step for held in self._held]
        self._held.clear()
        return steps

    def _enough_plays(self, held: _Held) -> bool:
        return held.plays == 0 or self._plays - held.plays >= self._moves

    def _due_ms(self, held: _Held) -> int:
        return held.step.time_ms + self._ms if held.plays else 0
