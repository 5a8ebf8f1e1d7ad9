"""The expert bot: deals the hidden tiles again and again as they may lie, and plays what wins most often."""

from __future__ import annotations

import time
from itertools import islice
from random import Random

from capicua.bots.knowledge import Knowledge
from capicua.bots.likelihood import choices, likelihood
from capicua.bots.solver import ends_after, fewest_pips, two_seats
from capicua.bots.worlds import worlds
from capicua.engine.legal import Play

WORLDS = 150


def choose(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
    legal = knowledge.legal
    if len(legal) == 1:
        return legal[0]
    until = time.perf_counter() + seconds * 0.8
    options = {(1 << play[0], *ends_after(knowledge, play)): play for play in reversed(legal)}
    if len(options) == 1:
        return next(iter(options.values()))
    made = choices(knowledge)
    solve = two_seats(fewest_pips)
    total = dict.fromkeys(options, 0.0)
    for world in islice(worlds(knowledge, chance), WORLDS):
        weight = likelihood(made, world)
        other = world.hands[1 - knowledge.seat]
        for option in options:
            bit, low, high = option
            own = knowledge.hand ^ bit
            total[option] += weight * (-solve(other, own, low, high) if own else 1)
        if time.perf_counter() > until:
            break
    best = max(total, key=lambda option: (total[option], option[0]))
    return options[best]
