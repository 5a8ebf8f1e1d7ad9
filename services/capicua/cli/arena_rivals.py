"""Rivals: opponents that are only for measure. No table seats them."""

from __future__ import annotations

import random as chance_of_package
from itertools import islice
from random import Random

from capicua.bots import Choose, Knowledge
from capicua.bots.expert import ends_after
from capicua.bots.knowledge import lines
from capicua.bots.solver import solver
from capicua.bots.worlds import worlds
from capicua.engine.legal import Play
from capicua.engine.scoring import points_of
from capicua.engine.tiles import FITTING, PIPS, TOTAL, tiles_in


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


def best_score(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
    """The play that gives most points at once, then the one with most pips; for lines."""
    line = lines(knowledge.variant, knowledge.placements)[-1]

    def value(play: Play) -> tuple[int, int]:
        count = line.place(knowledge.seat, *play).count()
        return points_of(knowledge.variant.in_play, count), TOTAL[play[0]]

    return max(knowledge.legal, key=value)


def peer(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
    """The strongest player of the package `dominoes` from its tenth move on, with ten samples.

    For two pairs with seven tiles each, which is all that package plays. Before, it plays any tile. Raises
    ImportError if the package is not there.
    """
    import dominoes

    if len(knowledge.legal) == 1:
        return knowledge.legal[0]
    world = next(worlds(knowledge, chance))
    hands = []
    for seat, held in enumerate(world.hands):
        dealt = [*tiles_in(held), *(tile for placed, tile, _ in knowledge.placements if placed == seat)]
        chance.shuffle(dealt)
        hands.append(dominoes.Hand([dominoes.Domino(*PIPS[tile]) for tile in dealt]))
    game = dominoes.Game(dominoes.Board(), hands, [], knowledge.opener, (), knowledge.opener, None)
    for _, tile, end in knowledge.placements:
        game.make_move(dominoes.Domino(*PIPS[tile]), end != "R")
    chance_of_package.seed(chance.random())
    dominoes.players.probabilistic_alphabeta(start_move=10, sample_size=10)(game)
    domino, left = game.valid_moves[0]
    tile = PIPS.index((max(domino), min(domino)))
    return next(play for play in knowledge.legal if play[0] == tile and (play[1] != "R") == left)


RIVALS: dict[str, Choose] = {
    "mobility": mobility,
    "sampling": sampling,
    "best_score": best_score,
    "peer": peer,
}
"""Every rival by its name."""
