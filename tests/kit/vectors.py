"""The rules vectors, and the states a vector goes through."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from capicua.cli.vectors import Vector, round_steps, start
from capicua.engine import Event, GameEnded, GameState, RoundEnded, TileDrawn, TilePlayed, TurnPassed, decide, evolve

DATA = Path(__file__).parents[1] / "engine" / "data"
VECTORS: dict[str, Vector] = {
    path.stem: json.loads(path.read_text()) for path in sorted((DATA / "vectors").glob("*.json"))
}


def load(name: str) -> Any:
    """One of the other data files."""
    return json.loads((DATA / name).read_text())


def state_after(vector: Vector, steps: int) -> GameState:
    """The state after exactly so many steps; the end of the round belongs to the last one."""
    before, deal = start(vector)
    dealt = decide(before, deal, 0)
    assert isinstance(dealt, tuple)
    state = evolve(before, dealt[0])
    done = 0
    for event, _, after in round_steps(vector):
        if isinstance(event, TilePlayed | TileDrawn | TurnPassed):
            if done == steps:
                break
            done += 1
            state = after
        elif isinstance(event, RoundEnded | GameEnded) and done == steps:
            state = after
    return state


def events_of(vector: Vector) -> list[tuple[Event, GameState]]:
    """Each event of the round with the state after it."""
    return [(event, after) for event, _, after in round_steps(vector)]
