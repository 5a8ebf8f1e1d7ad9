"""Search: for games in which plays give points. Worlds are played on, every seat going for points."""

from __future__ import annotations

import math
import time
from itertools import islice
from random import Random

from capicua.bots.clever import outlooks
from capicua.bots.knowledge import Knowledge, lines
from capicua.bots.points_playout import points_playout
from capicua.bots.worlds import worlds
from capicua.engine.legal import Play
from capicua.engine.scoring import points_of
from capicua.engine.tiles import TOTAL

_WORLDS = 200
_OUTLOOK = 1.0
"""What a unit of outlook is worth, in points."""
_STAGE = 10
"""After so many worlds, and again and again, hopeless plays are left out."""
_HOPELESS = 40.0
"""So many points behind the best play, in all, times the root of the worlds."""


def most_points(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
    """The play from which on the own side gains most points on the others, over as many worlds as time allows.

    Between plays that gain about as much the outlook decides.
    """
    until = time.thread_time() + seconds
    line, in_play = lines(knowledge.variant, knowledge.placements)[-1], knowledge.variant.in_play
    shapes = {play: line.place(knowledge.seat, *play).shape for play in knowledge.legal}
    values, play_on = outlooks(knowledge), points_playout(knowledge, chance)
    in_turn = [(knowledge.seat + after) % knowledge.seats for after in range(1, knowledge.seats)]
    total = dict.fromkeys(knowledge.legal, 0.0)
    for number, world in enumerate(islice(worlds(knowledge, chance), _WORLDS), start=1):
        others = [world.hands[seat] for seat in in_turn]
        for play in total:
            shape = shapes[play]
            hands = (knowledge.hand & ~(1 << play[0]), *others)
            lead = play_on(hands, world.boneyard, shape, points_of(in_play, shape.count))
            total[play] += lead + _OUTLOOK * values[play]
        if number % _STAGE == 0:
            enough = max(total.values()) - _HOPELESS * math.sqrt(number)
            total = {play: value for play, value in total.items() if value >= enough}
        if len(total) == 1 or time.thread_time() > until:
            break
    return max(total, key=lambda play: (total[play], TOTAL[play[0]]))
