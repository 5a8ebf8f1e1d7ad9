"""Outlook: what a play is worth by a few rules of thumb."""

from __future__ import annotations

from functools import cache

from capicua.bots.knowledge import Knowledge
from capicua.engine.tiles import DOUBLE, TOTAL

_PIP = 0.1
"""What a pip shed is worth; the other values are in the same coin."""
_DOUBLE = 2.0
_FITS = 0.5
"""For each tile kept that fits the line."""
_OTHER_STUCK, _PARTNER_STUCK = 8.0, -5.0
"""For the chance that an opponent cannot play, or that the partner cannot."""

Others = tuple[tuple[int, float], ...]
"""The other seats, counted from the one to act, with the worth of each being stuck."""
Other = tuple[int, tuple[float, ...]]
"""Another seat: the mask of the tiles that it may hold; what it is worth if it is stuck, times the chance of that, by
how many of these tiles do not fit."""


def worth_shed(knowledge: Knowledge) -> tuple[float, ...]:
    """What it is worth to be rid of each tile. Who draws wants to go out, and keeps the numbers that let him."""
    pip = _PIP if knowledge.variant.draw.policy == "none" else -_PIP
    return tuple([pip * pips + _DOUBLE * double for pips, double in zip(TOTAL, DOUBLE, strict=True)])


def others(knowledge: Knowledge) -> Others:
    """The other seats in turn order, beginning with the next."""
    seats = range(1, knowledge.seats)
    return tuple((seat, _PARTNER_STUCK if knowledge.pairs and seat == 2 else _OTHER_STUCK) for seat in seats)


def other(worth: float, tiles: int, size: int) -> Other:
    """Another seat, whose being stuck is worth so much, which holds so many of the tiles of a mask."""
    return tiles, _stuck(worth, tiles.bit_count(), size)


def outlook(kept: int, fitting: int, seats: list[Other]) -> float:
    """What it is worth to keep these tiles before these other seats, where the tiles of a mask fit the line."""
    value = _FITS * (kept & fitting).bit_count()
    for tiles, stuck in seats:
        value += stuck[(tiles & ~fitting).bit_count()]
    return value


@cache
def _stuck(worth: float, every: int, size: int) -> tuple[float, ...]:
    """`worth` times the chance that none of `size` tiles out of `every` fits, by how many of these do not."""
    by_none = []
    for none in range(every + 1):
        chance = 1.0
        for taken in range(min(size, every)):
            chance *= max(none - taken, 0) / (every - taken)
        by_none.append(worth * chance)
    return tuple(by_none)
