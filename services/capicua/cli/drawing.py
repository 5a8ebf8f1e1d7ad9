"""A recorded game, or a rules vector, as a picture."""

from __future__ import annotations

from capicua.cli.vectors import Vector, round_steps
from capicua.engine import evolve, parse_record, replay
from capicua.picture import Step, draw

Drawable = tuple[list[Step], list[str]]
"""Every event with the state after it, and the names of the seats."""


def of_record(notation: str) -> Drawable:
    """What a record tells; raises NotationError for text that is none, or one that breaks the rules."""
    record = parse_record(notation)
    steps: list[Step] = []
    for event in replay(record):
        steps.append((event, evolve(steps[-1][1] if steps else None, event)))
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
