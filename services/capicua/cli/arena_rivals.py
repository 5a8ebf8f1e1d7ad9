"""Rivals: opponents that are only for measure. No table seats them."""

from __future__ import annotations

from random import Random

from capicua.bots import Choose, Knowledge
from capicua.engine.legal import Play
from capicua.engine.tiles import FITTING, PIPS, TOTAL


def mobility(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
    """The play that leaves most tiles in hand that fit the line, then the one with most pips."""
    ends = dict(knowledge.ends)

    def value(play: Play) -> tuple[int, int]:
        tile, end = play
        after = (ends | {end: TOTAL[tile] - ends[end]}).values() if ends else PIPS[tile]
        fits = 0
        for pips in after:
            fits |= FITTING[pips]
        return (knowledge.hand & ~(1 << tile) & fits).bit_count(), TOTAL[tile]

    return max(knowledge.legal, key=value)


RIVALS: dict[str, Choose] = {"mobility": mobility}
"""Every rival by its name."""
