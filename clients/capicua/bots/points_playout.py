"""Points playout: a round that turns on points, played on by chance with every seat going for them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from capicua.bots.knowledge import Knowledge
from capicua.bots.solver import blocked_winner, pips_in
from capicua.engine.line import Shape, shape_after
from capicua.engine.scoring import points_of, raw_award, rounded
from capicua.engine.tiles import TOTAL
from capicua.engine.variant import Award

_PIP = 0.3
"""What a pip shed is worth to a seat, in points."""
_WHIM = 4.0
"""Up to so many points it sees in a play by mere chance."""
_MOST = 128
"""More than any line can count."""

PointsPlayout = Callable[[tuple[int, ...], tuple[int, ...], Shape, int], int]
"""By how many points the side of the first seat leads when the round has ended, where the second is to act.

Takes the hands, the boneyard with the first drawn first, the shape of the line, and the points that the first seat
has just made by the count.
"""


def points_playout(knowledge: Knowledge, chance: Random) -> PointsPlayout:
    """Playouts by the rules of a game on a line."""
    seats, variant = knowledge.seats, knowledge.variant
    sides = 2 if knowledge.pairs else seats
    in_turn = knowledge.in_turn
    begun = [knowledge.scores[knowledge.side(seat)] for seat in in_turn[:sides]]
    moved_before = [0] * sides
    for number, (seat, _, _) in enumerate(knowledge.placements, start=1):
        moved_before[in_turn.index(seat) % sides] = number
    points = [points_of(variant.in_play, count) for count in range(_MOST)]
    target = variant.target.value[seats]
    exact, at_once = variant.target.kind == "exact", variant.target.check == "immediate"
    # One sum with the points of the play.
    out_point = int(exact and variant.end_score.domino.value == "win")
    draws, floor = variant.draw.policy != "none", variant.draw.reserve
    whim = chance.random

    def ended(award: Award, winner: int | None, hands: list[int], scores: list[int]) -> int:
        if winner is not None:
            pips = [pips_in(hand) for hand in hands]
            side = winner % sides
            made = rounded(award, raw_award(award, sum(pips[side::sides]), sum(pips)))
            if not exact or scores[side] + made <= target:
                scores[side] += made
        return scores[0] - max(scores[1:])

    def blocked(hands: list[int], last: int, scores: list[int], moved: list[int]) -> int | None:
        """The seat that wins a blocked round (R-25 to R-28)."""
        rule = variant.block_winner
        if rule == "leader":
            sizes = [hand.bit_count() for hand in hands]
            return max(range(sides), key=lambda side: (scores[side], -sum(sizes[side::sides]), moved[side]))
        return blocked_winner(rule, hands, sides, last)

    def play(dealt: tuple[int, ...], boneyard: tuple[int, ...], shape: Shape, made: int) -> int:
        hands, scores, moved, number = list(dealt), begun[:], moved_before[:], len(knowledge.placements)
        waiting = list(boneyard[: len(boneyard) - floor][::-1]) if draws else []
        last = turn = passes = 0
        while True:
            if passes == 0:
                out = not hands[last]
                number += 1
                moved[last % sides] = number
                made += out_point * out
                if not exact or scores[last % sides] + made <= target:
                    scores[last % sides] += made
                if at_once and scores[last % sides] >= target:
                    return ended(variant.end_score.domino, None, hands, scores)
                if out:
                    return ended(variant.end_score.domino, None if out_point else last, hands, scores)
            turn = (turn + 1) % seats
            hand, fitting = hands[turn], shape.fitting
            while not hand & fitting and waiting:
                hand |= 1 << waiting.pop()
            hands[turn] = hand
            if not hand & fitting:
                passes += 1
                if passes == seats:
                    return ended(variant.end_score.block, blocked(hands, last, scores, moved), hands, scores)
                continue
            best, chosen, tile = -1.0, shape, -1
            for end, fits in shape.places:
                plays = hand & fits
                while plays:
                    bit = plays & -plays
                    plays ^= bit
                    found = bit.bit_length() - 1
                    after = shape_after(shape, found, end)
                    assert after is not None
                    value = points[after.count] + _PIP * TOTAL[found] + _WHIM * whim()
                    if value > best:
                        best, chosen, tile = value, after, found
            hands[turn] = hand ^ 1 << tile
            shape, made, last, passes = chosen, points[chosen.count], turn, 0

    return play
