"""The expert bot: deals the hidden tiles again and again as they may lie, and plays what wins most often."""

from __future__ import annotations

import math
import time
from itertools import islice
from random import Random

from capicua.bots.clever import outlooks
from capicua.bots.knowledge import Knowledge
from capicua.bots.likelihood import chosen, likelihood
from capicua.bots.playout import playout
from capicua.bots.search import most_points
from capicua.bots.train_plan import best_on_trains
from capicua.bots.worlds import worlds
from capicua.engine.legal import Play
from capicua.engine.tiles import PIPS, TOTAL

WORLDS = 320
"""More worlds than this make no play better."""
_STAGE = 10
"""After so many worlds, and again and again, hopeless plays are left out."""
_HOPELESS = 2.5
"""So many deviations behind the best play."""
_OUTLOOK = 0.04
"""What a unit of outlook is worth, in wins."""
_PLAN_STEPS = 400


def choose(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
    """The play that does best over all the worlds there is time for, or on trains fits the plan best."""
    if len(knowledge.legal) == 1:
        return knowledge.legal[0]
    variant = knowledge.variant
    if variant.topology == "trains":
        return best_on_trains(knowledge, _PLAN_STEPS)
    if variant.in_play.divisors or variant.spinner != "none":
        return most_points(knowledge, chance, seconds)
    return _most_wins(knowledge, chance, seconds)


def _most_wins(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
    """The play that wins in most worlds, the better a world explains what was played the more it counts.

    Between plays that win about as often the outlook decides.
    """
    values = outlooks(knowledge)
    options = {(1 << play[0], *ends_after(knowledge, play)): play for play in reversed(knowledge.legal)}
    if len(options) == 1:
        return knowledge.legal[0]
    until = time.thread_time() + seconds
    plays, play_on = chosen(knowledge), playout(knowledge, chance)
    ahead = {option: _OUTLOOK * values[play] for option, play in options.items()}
    in_turn = [(knowledge.seat + after) % knowledge.seats for after in range(knowledge.seats)]
    total = dict.fromkeys(options, 0.0)
    squares = 0.0
    for number, world in enumerate(islice(worlds(knowledge, chance), WORLDS), start=1):
        weight, heaviest = likelihood(plays, world)
        squares += weight * weight
        others = [world.hands[seat] for seat in in_turn[1:]]
        heaviest_in_turn = [heaviest.get(seat, 0.0) for seat in in_turn]
        for option in total:
            bit, low, high = option
            own = knowledge.hand ^ bit
            won = play_on((own, *others), world.boneyard, low, high, heaviest_in_turn) if own else 1
            total[option] += weight * (won + ahead[option])
        if number % _STAGE == 0:
            enough = max(total.values()) - _HOPELESS * math.sqrt(squares)
            total = {option: value for option, value in total.items() if value >= enough}
        if len(total) == 1 or time.thread_time() > until:
            break
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
