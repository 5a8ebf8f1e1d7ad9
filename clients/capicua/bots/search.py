"""Search: for games that turn on points. Worlds are played on, every seat going for points."""

from __future__ import annotations

from functools import partial
from itertools import islice
from random import Random

from capicua.bots.clever import outlooks
from capicua.bots.knowledge import Knowledge, lines
from capicua.bots.points_playout import points_playout
from capicua.bots.race import race
from capicua.bots.worlds import worlds
from capicua.engine.legal import Play
from capicua.engine.scoring import points_of
from capicua.engine.tiles import TOTAL

_WORLDS = 200
_OUTLOOK = 1.0
"""What a unit of outlook is worth, in points."""
_DEVIATION = 16.0
"""By how many points the leads after a play commonly differ."""


def most_points(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
    """The play from which on the own side gains most points on the others, over as many worlds as time allows.

    Between plays that gain about as much the outlook decides.
    """
    line, in_play = lines(knowledge.variant, knowledge.placements)[-1], knowledge.variant.in_play
    shapes = {play: line.place(knowledge.seat, *play).shape for play in knowledge.legal}
    play_on, values = points_playout(knowledge, chance), outlooks(knowledge)
    in_turn = knowledge.in_turn

    def lead(others: list[int], boneyard: tuple[int, ...], play: Play) -> int:
        shape = shapes[play]
        hands = (knowledge.hand & ~(1 << play[0]), *others)
        return play_on(hands, boneyard, shape, points_of(in_play, shape.count))

    some = islice(worlds(knowledge, chance), _WORLDS)
    even = ((1.0, partial(lead, [world.hands[seat] for seat in in_turn[1:]], world.boneyard)) for world in some)
    ahead = {play: _OUTLOOK * values[play] for play in knowledge.legal}
    total = race(ahead, even, _DEVIATION, seconds)
    return max(total, key=lambda play: (total[play], TOTAL[play[0]]))
