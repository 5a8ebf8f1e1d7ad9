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


def worth_shed(knowledge: Knowledge) -> tuple[float, ...]:
    """What it is worth to be rid of each tile. Who draws wants to go out, and keeps the numbers that let him."""
    pip = _PIP if knowledge.variant.draw.policy == "none" else -_PIP
    return tuple([pip * pips + _DOUBLE * double for pips, double in zip(TOTAL, DOUBLE, strict=True)])


def others(knowledge: Knowledge) -> Others:
    """The other seats in turn order, beginning with the next."""
    seats = range(1, knowledge.seats)
    return tuple((seat, _PARTNER_STUCK if knowledge.pairs and seat == 2 else _OTHER_STUCK) for seat in seats)


def outlook(kept: int, fitting: int, may_hold: list[tuple[float, int, int]]) -> float:
    """What it is worth to keep these tiles, where those of a mask fit the line.

    Takes of every other seat what its being stuck is worth, the mask of the tiles that it may hold, and how many it
    does hold.
    """
    value = _FITS * (kept & fitting).bit_count()
    for worth, tiles, size in may_hold:
        value += worth * _stuck(tiles.bit_count(), (tiles & ~fitting).bit_count(), size)
    return value


@cache
def _stuck(every: int, none: int, size: int) -> float:
    """The chance that none of `size` tiles fits, where `none` out of `every` tile do not."""
    chance = 1.0
    for taken in range(min(size, every)):
        chance *= max(none - taken, 0) / (every - taken)
    return chance
