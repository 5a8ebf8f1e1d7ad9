"""Likelihood: how well a world explains what the other seats played."""

from __future__ import annotations

import math
from typing import NamedTuple

from capicua.bots.knowledge import Knowledge, lines
from capicua.bots.worlds import World
from capicua.engine.tiles import TOTAL

import os

_EAGERNESS = float(os.environ.get("EAG", ".25"))
"""How much likelier a play becomes by each pip more: most players shed heavy tiles first."""
_WEIGHT = tuple(math.exp(_EAGERNESS * pips) for pips in TOTAL)


class _Choice(NamedTuple):
    """A play that another seat chose: what fitted, and what the seat has played from then on."""

    seat: int
    fits: int
    later: int
    weight: float


def choices(knowledge: Knowledge) -> list[_Choice]:
    """Every play of the other seats so far, but for a lead that had to be."""
    shapes = lines(knowledge.variant, knowledge.placements)
    later = [0] * knowledge.seats
    found = []
    for number in range(len(knowledge.placements) - 1, -1, -1):
        seat, tile, _ = knowledge.placements[number]
        later[seat] |= 1 << tile
        if seat != knowledge.seat and not (number == 0 and knowledge.undealt):
            found.append(_Choice(seat, shapes[number].shape.fitting, later[seat], _WEIGHT[tile]))
    return found


def likelihood(made: list[_Choice], world: World) -> float:
    """How likely the plays were, had the tiles lain so; only the ratio of two worlds means something."""
    product = 1.0
    for seat, fits, later, weight in made:
        options = (world.hands[seat] | later) & fits
        if options & (options - 1):
            total = 0.0
            while options:
                lowest = options & -options
                total += _WEIGHT[lowest.bit_length() - 1]
                options ^= lowest
            product *= weight / total
    return product
