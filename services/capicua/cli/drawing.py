"""A recorded game, or a rules vector, as a picture."""

from __future__ import annotations

from itertools import accumulate

from capicua.cli.vectors import Vector, round_steps
from capicua.engine import evolve, parse_record, replay
from capicua.picture import Step, draw

Drawable = tuple[list[Step], list[str]]
"""Every event with the state after it, and the names of the seats."""


def of_record(notation: str) -> Drawable:
    """What a record tells; raises NotationError for text that is none, or one that breaks the rules."""
    record = parse_record(notation)
    events = replay(record)
    # None, the state before the first event, is not a step.
    states = list(accumulate(events, evolve, initial=None))[1:]
    steps = [(event, state) for event, state in zip(events, states, strict=True) if state is not None]
    return steps, [*record.players, *_numbered(record.seats)[len(record.players) :]]


def of_vector(vector: Vector) -> Drawable:
    """The round of a vector; raises BadVector."""
    steps = [(event, state) for event, _, state in round_steps(vector)]
    return steps, _numbered(vector["seats"])


def picture(drawable: Drawable, step: int | None) -> bytes:
    """The SVG after a step, the last one for None; raises ValueError where there is no such step."""
    steps, names = drawable
    if step is not None and step > len(steps):
        raise ValueError(f"there is no step {step}, the last one is {len(steps)}")
    return draw(steps, step or len(steps), names)


def _numbered(seats: int) -> list[str]:
    return [f"seat {seat}" for seat in range(seats)]
