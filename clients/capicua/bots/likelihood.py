"""Likelihood: how well a world explains what the other seats played."""

from __future__ import annotations

import math
from functools import lru_cache
from operator import mul
from typing import NamedTuple

from capicua.bots.knowledge import Knowledge, lines
from capicua.bots.worlds import World
from capicua.engine.tiles import TOTAL, tiles_in

_STYLES = (0.0, 0.1, 0.5, 2.0)
"""Kinds of players, by how much likelier a play is to them for each pip more: from careless to greedy."""
_HEAVIEST = (0.0, 0.25, 0.75, 0.97)
"""How often each kind plays its heaviest tile for that reason; else it plays any."""
_WEIGHT = tuple(tuple(math.exp(style * (pips - 12)) for style in _STYLES) for pips in TOTAL)
"""For each tile, how much each kind of player likes to play it."""


class Chosen(NamedTuple):
    """A play that a seat chose: what fitted, and the tiles it has played from then on."""

    tile: int
    fits: int
    later: int


def chosen(knowledge: Knowledge) -> dict[int, list[Chosen]]:
    """The plays of every other seat so far, but for a lead that had to be."""
    shapes = lines(knowledge.variant, knowledge.placements)
    later = [0] * knowledge.seats
    found: dict[int, list[Chosen]] = {seat: [] for seat in range(knowledge.seats) if seat != knowledge.seat}
    for number in range(len(knowledge.placements) - 1, -1, -1):
        seat, tile, _ = knowledge.placements[number]
        later[seat] |= 1 << tile
        if seat in found and not (number == 0 and knowledge.undealt):
            found[seat].append(Chosen(tile, shapes[number].shape.fitting, later[seat]))
    return found


def likelihood(plays: dict[int, list[Chosen]], world: World) -> tuple[float, dict[int, float]]:
    """How likely the plays were, had the tiles lain so; only the ratio of two worlds means something.

    Each seat may be of any kind, and is the more likely of one the better that explains all of its plays. So the
    second value tells for every seat how likely it is to play its heaviest tile next, 0 to 1.
    """
    product, heaviest = 1.0, {}
    for seat, made in plays.items():
        hand = world.hands[seat]
        by_style = [1.0] * len(_STYLES)
        for tile, fits, later in made:
            options = (hand | later) & fits
            if options & (options - 1):
                for style, share in enumerate(_shares(tile, options)):
                    by_style[style] *= share
        total = sum(by_style)
        product *= total
        heaviest[seat] = sum(map(mul, by_style, _HEAVIEST)) / total
    return product, heaviest


@lru_cache(maxsize=1 << 16)
def _shares(tile: int, options: int) -> tuple[float, ...]:
    """How likely each kind of player plays `tile` out of a mask of tiles."""
    totals = [sum(weights) for weights in zip(*(_WEIGHT[option] for option in tiles_in(options)), strict=True)]
    return tuple([weight / total for weight, total in zip(_WEIGHT[tile], totals, strict=True)])
