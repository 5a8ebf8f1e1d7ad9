"""The plan for the own train: the tiles of the hand that follow each other on it."""

from __future__ import annotations

from capicua.bots.knowledge import Knowledge
from capicua.engine.legal import Play
from capicua.engine.tiles import DOUBLE, FITTING, TOTAL, other_half, tiles_in

_PLANNED = 0.8
"""What a pip that the plan will shed is worth beside one shed now."""
_UNMARKED = 4.0
"""Pips that it is worth to take the marker from the own train."""
_BARE_DOUBLE = 10.0
"""Pips that it costs to play a double without a tile to cover it."""


def best_on_trains(knowledge: Knowledge, steps: int) -> Play:
    """The play after which the hand will be lightest; each plan is sought in so many steps."""
    own = str(knowledge.seat)
    tips = dict(knowledge.ends)

    def outlook(play: Play) -> float:
        tile, train = play
        kept = knowledge.hand & ~(1 << tile)
        outward = other_half(tile, tips[train])
        planned = plan(kept, outward if train == own else tips[own], steps)
        value = TOTAL[tile] + _PLANNED * planned
        if train == own and own in knowledge.markers:
            value += _UNMARKED
        if DOUBLE[tile] and not kept & FITTING[outward]:
            value -= _BARE_DOUBLE
        return value

    return max(knowledge.legal, key=outlook)


def plan(hand: int, tip: int, steps: int) -> int:
    """Most pips that tiles of a hand can shed in a row from `tip` on, as far as so many steps find."""
    left = steps

    def follow(hand: int, tip: int) -> int:
        nonlocal left
        best = 0
        for tile in reversed(tiles_in(hand & FITTING[tip])):
            if left <= 0:
                break
            left -= 1
            best = max(best, TOTAL[tile] + follow(hand ^ 1 << tile, other_half(tile, tip)))
        return best

    return follow(hand, tip)
