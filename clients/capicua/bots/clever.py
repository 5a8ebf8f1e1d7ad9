"""The clever bot: counts tiles, remembers who passed or drew on what, and looks one play ahead."""

from __future__ import annotations

from random import Random

from capicua.bots.knowledge import Knowledge, lines
from capicua.bots.train_plan import best_on_trains
from capicua.engine.legal import Play
from capicua.engine.line import Line
from capicua.engine.scoring import points_of
from capicua.engine.tiles import DOUBLE, FITTING, TOTAL

_PIP = 0.17
"""What a pip shed is worth; the other values are in the same coin."""
_POINT = 0.5
_DOUBLE = 1.5
_FITS = 0.7
"""For each tile kept that fits the line."""
_NUMBER = 1.0
"""For each number of which a tile is kept."""
_DEAD = -1.0
"""For keeping no tile that fits."""
_NEXT, _PARTNER, _OTHER = 5.0, -3.0, 5.0
"""For the chance that a seat cannot play: the next one, the partner, any other."""
_PLAN_STEPS = 40


def choose(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
    """The play with the best outlook by a few rules of thumb; `chance` and `seconds` are not needed."""
    if knowledge.variant.topology == "trains":
        return best_on_trains(knowledge, _PLAN_STEPS)
    line = lines(knowledge.variant, knowledge.placements)[-1]
    may_hold = {seat: _may_hold(knowledge, seat) for seat in range(knowledge.seats) if seat != knowledge.seat}
    return max(knowledge.legal, key=lambda play: _outlook(knowledge, may_hold, line, play))


def _outlook(knowledge: Knowledge, may_hold: dict[int, int], line: Line, play: Play) -> float:
    tile, _ = play
    after = line.place(knowledge.seat, *play).shape
    kept = knowledge.hand & ~(1 << tile)
    fits = (kept & after.fitting).bit_count()
    value = _PIP * TOTAL[tile] + _DOUBLE * DOUBLE[tile] + _FITS * fits + _DEAD * (not fits)
    value += _NUMBER * sum(kept & fitting != 0 for fitting in FITTING[:-1])
    if knowledge.variant.in_play.divisors:
        value += _POINT * points_of(knowledge.variant.in_play, after.count)
    for seat, tiles in may_hold.items():
        partner = knowledge.side(seat) == knowledge.side(knowledge.seat)
        worth = _PARTNER if partner else _NEXT if seat == (knowledge.seat + 1) % knowledge.seats else _OTHER
        value += worth * _stuck(tiles, after.fitting, knowledge.sizes[seat])
    return value


def _may_hold(knowledge: Knowledge, seat: int) -> int:
    """The hidden tiles that a seat may hold, by where it passed or drew; what it drew since may be anything."""
    missing = 0
    for stuck in knowledge.stuck:
        if stuck.seat == seat:
            missing = stuck.fits if stuck.drawn else missing | stuck.fits
    return knowledge.hidden & ~missing


def _stuck(tiles: int, fitting: int, size: int) -> float:
    """The chance that none of `size` tiles out of a mask of tiles fits."""
    every, none = tiles.bit_count(), (tiles & ~fitting).bit_count()
    chance = 1.0
    for taken in range(min(size, every)):
        chance *= max(none - taken, 0) / (every - taken)
    return chance
