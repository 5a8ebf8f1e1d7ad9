"""Likelihood: how well a world explains what the other seats played."""

from __future__ import annotations

import math
from functools import lru_cache
from operator import mul
from typing import NamedTuple

from capicua.bots.knowledge import Knowledge, lines
from capicua.bots.outlook import other, others, outlook
from capicua.bots.worlds import World
from capicua.engine import tile_count
from capicua.engine.line import Shape, shape_after
from capicua.engine.tiles import TOTAL, mask, tiles_in

_STYLES = (0.0, 0.1, 0.5, 2.0)
"""Kinds of players, by how much likelier a play is to them for each pip more: from careless to greedy."""
_HEAVIEST = (0.0, 0.25, 0.75, 0.97)
"""How often each kind plays its heaviest tile for that reason; else it plays any."""
_WEIGHT = tuple(tuple(math.exp(style * (pips - 12)) for style in _STYLES) for pips in TOTAL)
"""For each tile, how much each kind of player likes to play it."""
_THOUGHTFUL = 6.0
"""So many players go by the outlook for one of each other kind."""
_SHARPNESS = 2.0
"""By how much likelier a play is to them for each unit of outlook more, as a power of e."""


class Chosen(NamedTuple):
    """A play that a seat chose."""

    tile: int
    fitting: int
    """Mask of the tiles that fitted the line after it."""
    ways: dict[int, tuple[int, ...]]
    """The same for every tile that could be played then, in each way to lay it."""
    fits: int
    """Mask of these tiles."""
    later: int
    """Mask of the tiles that the seat has played from then on."""
    came: int
    """Mask of the tiles that it had not yet: it has passed or drawn since with none of them in hand."""
    unlaid: int
    """Mask of the tiles that did not lie on the line before."""
    others: tuple[tuple[float, int], ...]
    """For each other seat, what its being stuck is worth, and the number of its tiles then."""


class Manner(NamedTuple):
    """How a seat is likely to play on."""

    thoughtful: float
    """How likely it is to play for the best outlook, 0 to 1."""
    heaviest: float
    """How likely it is to play its heaviest tile if it does not, 0 to 1; else it plays any."""


def chosen(knowledge: Knowledge) -> dict[int, list[Chosen]]:
    """The plays of every other seat so far, but for those that had to be: of some leads, and of a tile just drawn."""
    placements, seats = knowledge.placements, knowledge.seats
    shapes = [line.shape for line in lines(knowledge.variant, placements)]
    every = (1 << tile_count(knowledge.variant.set)) - 1
    found: dict[int, list[Chosen]] = {seat: [] for seat in range(seats) if seat != knowledge.seat}

    def played(seat: int, first: int, end: int) -> int:
        return mask(tile for mover, tile, _ in placements[first:end] if mover == seat)

    for number, (seat, tile, _) in enumerate(placements):
        drew = any(stuck.seat == seat and stuck.after == number and stuck.drawn for stuck in knowledge.stuck)
        if seat == knowledge.seat or drew or (number == 0 and knowledge.must_lead):
            continue
        came, sizes = 0, list(knowledge.sizes)
        for mover, _, _ in placements[number:]:
            sizes[mover] += 1
        for stuck in knowledge.stuck:
            if stuck.after > number:
                sizes[stuck.seat] -= stuck.drawn
                if stuck.seat == seat:
                    came |= stuck.fits & ~played(seat, number, stuck.after)
        opposed = tuple([(worth, sizes[(seat + turns) % seats]) for turns, worth in others(knowledge)])
        before, after = shapes[number], shapes[number + 1]
        unlaid = every & ~mask(laid for _, laid, _ in placements[:number])
        later = played(seat, number, len(placements))
        found[seat].append(Chosen(tile, after.fitting, _ways(before), before.fitting, later, came, unlaid, opposed))
    return found


def likelihood(
    plays: dict[int, list[Chosen]], world: World, shed: tuple[float, ...]
) -> tuple[float, dict[int, Manner]]:
    """How likely the plays were, had the tiles lain so; only the ratio of two worlds means something.

    Each seat may be of any kind, and is the more likely of one the better that explains all of its plays. So the
    second value tells for every seat how it is likely to play on. `shed` is what it is worth to be rid of each tile.
    """
    product, manners = 1.0, {}
    for seat, made in plays.items():
        hand = world.hands[seat]
        by_style, thoughtful = [1.0] * len(_STYLES), _THOUGHTFUL
        for play in made:
            held = (hand | play.later) & ~play.came
            options, ways = held & play.fits, len(play.ways[play.tile])
            if options & (options - 1) or ways > 1:
                for style, share in enumerate(_shares(play.tile, options)):
                    by_style[style] *= share / ways
                thoughtful *= _share_by_outlook(play, held, options, shed)
        explained = sum(by_style)
        product *= explained + thoughtful
        heaviest = sum(map(mul, by_style, _HEAVIEST)) / explained
        manners[seat] = Manner(thoughtful / (explained + thoughtful), heaviest)
    return product, manners


@lru_cache(maxsize=1 << 16)
def _shares(tile: int, options: int) -> tuple[float, ...]:
    """How likely each kind of player plays `tile` out of a mask of tiles."""
    totals = [sum(weights) for weights in zip(*(_WEIGHT[option] for option in tiles_in(options)), strict=True)]
    return tuple([weight / total for weight, total in zip(_WEIGHT[tile], totals, strict=True)])


def _share_by_outlook(play: Chosen, held: int, options: int, shed: tuple[float, ...]) -> float:
    """How likely a player who goes by the outlook makes a play, holding these tiles, of which those may be played.

    It is taken to forget where others passed or drew.
    """
    unseen, ways = play.unlaid & ~held, play.ways
    before = [other(worth, unseen, size) for worth, size in play.others]
    total = this = 0.0
    for tile in tiles_in(options):
        kept, value = held & ~(1 << tile), shed[tile]
        for fitting in ways[tile]:
            weight = math.exp(_SHARPNESS * (value + outlook(kept, fitting, before)))
            total += weight
            if tile == play.tile and fitting == play.fitting:
                this = weight
    return this / total


@lru_cache(maxsize=1 << 12)
def _ways(shape: Shape) -> dict[int, tuple[int, ...]]:
    """For every tile that fits, the masks of the tiles that fit after it, for each way to lay it that differs."""
    found: dict[int, set[int]] = {}
    for end, fitting in shape.places or (("-", shape.fitting),):
        for tile in tiles_in(fitting):
            after = shape_after(shape, tile, end)
            assert after is not None
            found.setdefault(tile, set()).add(after.fitting)
    return {tile: tuple(after) for tile, after in found.items()}
