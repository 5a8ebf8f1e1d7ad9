"""Rivals: opponents that are only for measure. No table seats them."""

from __future__ import annotations

from itertools import islice
from random import Random

from capicua.bots import Choose, Knowledge
from capicua.bots.expert import ends_after
from capicua.bots.solver import solver
from capicua.bots.worlds import worlds
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


def sampling(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
    """The play that is best in most of 100 worlds, each solved to the end; for two seats that never draw."""
    solve = solver(knowledge.variant.block_winner)
    votes = dict.fromkeys(knowledge.legal, 0)
    for world in islice(worlds(knowledge, chance), 100):
        other = world.hands[1 - knowledge.seat]
        values = {
            play: -solve((other, knowledge.hand ^ 1 << play[0]), *ends_after(knowledge, play))
            for play in knowledge.legal
        }
        for play, value in values.items():
            votes[play] += value == max(values.values())
    return max(votes, key=votes.__getitem__)


RIVALS: dict[str, Choose] = {"mobility": mobility, "sampling": sampling}
"""Every rival by its name."""
