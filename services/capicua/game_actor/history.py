"""What the log says of a game: its steps, and how to read them back."""

from __future__ import annotations

from typing import NamedTuple

from capicua.engine import Event, GameState, evolve
from capicua.game_actor import log_codec
from capicua.log.v1 import entry_pb2 as log
from capicua.runtime.store import Store


class Step(NamedTuple):
    """One event, the state after it, and when it was decided (Unix milliseconds)."""

    event: Event
    state: GameState
    time_ms: int


class History(NamedTuple):
    """A game read from its log: who plays, every step, and the entries' answers."""

    facts: log.GameStarted
    steps: list[Step]
    entries: list[tuple[int, log.Entry]]

    @property
    def state(self) -> GameState:
        """The state after the last step."""
        return self.steps[-1].state


def replay(state: GameState | None, entry: log.Entry) -> list[Step]:
    """The steps of one stored entry, from the state before it."""
    steps = []
    for stored in entry.events:
        event = log_codec.decode(stored)
        state = evolve(state, event)
        steps.append(Step(event, state, entry.time_ms))
    return steps


async def read_history(store: Store, game_id: str) -> History | None:
    """The whole log of a game, folded (I-5). None if there is no such game.

    Raises UnknownEvent for a log of a newer version, StoreUnavailable if the store does not answer.
    """
    stored = await store.read(game_id)
    if not stored:
        return None
    entries = [(first_seq, log.Entry.FromString(data)) for first_seq, data in stored]
    steps: list[Step] = []
    state: GameState | None = None
    for _, entry in entries:
        steps += replay(state, entry)
        state = steps[-1].state
    return History(entries[0][1].events[0].game_started, steps, entries)
