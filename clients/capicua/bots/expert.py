"""The expert bot: deals the hidden tiles again and again as they may lie, and plays what wins most often."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from random import Random

from capicua.bots.clever import outlooks
from capicua.bots.knowledge import Knowledge
from capicua.bots.likelihood import chosen, likelihood
from capicua.bots.outlook import worth_shed
from capicua.bots.playout import playout
from capicua.bots.race import race
from capicua.bots.search import most_points
from capicua.bots.train_plan import best_on_trains
from capicua.bots.worlds import worlds
from capicua.engine.legal import Play
from capicua.engine.tiles import PIPS, TOTAL

WORLDS = 300
"""More worlds than this make no play better."""
_OUTLOOK = 0.04
"""What a unit of outlook is worth, in wins."""
_PLAN_STEPS = 400

_Option = tuple[int, int, int]
"""A play: the bit of the tile, and the two ends after it, the lower first."""


def choose(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
    """The play that does best over all the worlds there is time for, or on trains fits the plan best."""
    if len(knowledge.legal) == 1:
        return knowledge.legal[0]
    variant = knowledge.variant
    if variant.topology == "trains":
        return best_on_trains(knowledge, _PLAN_STEPS)
    if variant.in_play.divisors or variant.spinner != "none" or variant.block_winner == "leader":
        return most_points(knowledge, chance, seconds)
    return _most_wins(knowledge, chance, seconds)


def _most_wins(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
    """The play that wins in most worlds, the better a world explains what was played the more it counts.

    Between plays that win about as often the outlook decides.
    """
    options = {(1 << play[0], *ends_after(knowledge, play)): play for play in reversed(knowledge.legal)}
    if len(options) == 1:
        return knowledge.legal[0]
    plays, play_on, values = chosen(knowledge), playout(knowledge, chance), outlooks(knowledge)
    in_turn, shed = knowledge.in_turn, worth_shed(knowledge)
    opposed = [knowledge.side(seat) != knowledge.side(knowledge.seat) for seat in in_turn]

    def outcome(others: list[int], boneyard: tuple[int, ...], play_as: list[float | None], option: _Option) -> int:
        bit, low, high = option
        own = knowledge.hand ^ bit
        return play_on((own, *others), boneyard, low, high, play_as) if own else 1

    def weighed() -> Iterator[tuple[float, Callable[[_Option], int]]]:
        for world in islice(worlds(knowledge, chance), WORLDS):
            weight, manners = likelihood(plays, world, shed)
            others = [world.hands[seat] for seat in in_turn[1:]]
            play_as = [
                manners[seat].heaviest if opponent and chance.random() >= manners[seat].thoughtful else None
                for seat, opponent in zip(in_turn, opposed, strict=True)
            ]
            yield weight, partial(outcome, others, world.boneyard, play_as)

    ahead = {option: _OUTLOOK * values[play] for option, play in options.items()}
    total = race(ahead, weighed(), 1.0, seconds)
    return options[max(total, key=lambda option: (total[option], option[0]))]


def ends_after(knowledge: Knowledge, play: Play) -> tuple[int, int]:
    """The two open ends after a play of the seat to act, the lower first."""
    tile, end = play
    if end == "-":
        high, low = PIPS[tile]
        return low, high
    ends = dict(knowledge.ends)
    outward = TOTAL[tile] - ends.pop(end)
    (stays,) = ends.values()
    return (outward, stays) if outward < stays else (stays, outward)
