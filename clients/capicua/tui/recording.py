"""A finished game, moment by moment, as any seat saw it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from capicua.api.v1.game_service_pb2 import SessionResponse
from capicua.api.v1.types_pb2 import Tile
from capicua.api.v1.update_pb2 import Update, View
from capicua.cli.record import facts_of
from capicua.engine import Event, GameState, RoundStarted, SeedGiven, TurnStarted, evolve, parse_record, replay
from capicua.game_actor.api_codec import TILES, update_frame, view
from capicua.game_actor.history import Step

_SILENT = (TurnStarted, SeedGiven)


class Recording:
    """Made of a record in text notation; raises NotationError for text that is none, or breaks the rules.

    A moment is when something had happened and the next turn had begun; they are numbered from 0.
    """

    def __init__(self, notation: str) -> None:
        record = parse_record(notation)
        self.notation = notation
        self.facts = facts_of(record)
        self.steps: list[tuple[Event, GameState]] = []
        for event in replay(record):
            self.steps.append((event, evolve(self.steps[-1][1] if self.steps else None, event)))
        self._happened = [at for at, (event, _) in enumerate(self.steps) if not isinstance(event, _SILENT)]

    def __len__(self) -> int:
        return len(self._happened)

    @property
    def names(self) -> list[str]:
        """Who played, by seat; numbers for those that the record does not name."""
        known = [player.name for player in self.facts.players]
        return [*known, *(str(seat + 1) for seat in range(len(known), self.facts.seats))]

    @property
    def rounds(self) -> Sequence[int]:
        """The moments at which the rounds begin."""
        return [at for at, step in enumerate(self._happened) if isinstance(self.steps[step][0], RoundStarted)]

    def step(self, moment: int) -> int:
        """The index of the last step that belongs to a moment."""
        return (self._happened[moment + 1] if moment + 1 < len(self) else len(self.steps)) - 1

    def view(self, moment: int, seat: int | None) -> View:
        """What a seat knew, or a spectator."""
        return view("", self.facts, self.steps[self.step(moment)][1], seat)

    def update(self, moment: int, seat: int | None) -> Update:
        """What happened, as a seat or a spectator was told it."""
        event, state = self.steps[self._happened[moment]]
        frames = update_frame("", self.facts, Step(event, state, 0), seat)
        return SessionResponse.FromString(frames).frames[0].update

    def hands(self, moment: int) -> Mapping[int, Sequence[Tile]]:
        """What every seat held."""
        state = self.steps[self.step(moment)][1]
        held = range(state.seats) if state.hands else ()
        return {seat: [TILES[tile] for tile in state.tiles_of(seat)] for seat in held}
