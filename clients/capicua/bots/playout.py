"""Playout: a round on a line with two ends played on by chance, and solved as soon as it is short."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from capicua.bots.knowledge import Knowledge
from capicua.bots.solver import OTHER, blocked_winner, solver
from capicua.engine.tiles import FITTING

_SOLVABLE = {2: 10, 4: 12}
"""Tiles in all hands from which on a round is solved, by number of seats."""
_HEAVIEST = 0.9
"""How often a seat plays its fitting tile with the largest half; else it plays any."""

Playout = Callable[[tuple[int, ...], tuple[int, ...], int, int], int]
"""How a round ends for the first seat when the second is to act: 1 won, 0 tied, -1 lost.

Takes the hands, the boneyard with the first drawn first, and the two open ends, the lower first.
"""


def playout(knowledge: Knowledge, chance: Random) -> Playout:
    """Playouts by the rules of a game, in which every seat mostly gets rid of heavy tiles."""
    seats, variant = knowledge.seats, knowledge.variant
    rule, floor = variant.block_winner, variant.draw.reserve
    sides = 2 if knowledge.pairs else seats
    solve = solver(rule)
    solvable = _SOLVABLE[seats] if sides == 2 else 0
    draws = variant.draw.policy != "none"
    draw_chance = chance.random

    def value(winner: int | None) -> int:
        return 0 if winner is None else -1 if winner % sides else 1

    def play(dealt: tuple[int, ...], boneyard: tuple[int, ...], low: int, high: int) -> int:
        hands = list(dealt)
        held = sum([hand.bit_count() for hand in hands])
        waiting = list(boneyard[: len(boneyard) - floor][::-1]) if draws else []
        turn, passes = 1, 0
        while held > solvable or waiting:
            fits_low, fits_high = FITTING[low], FITTING[high]
            hand = hands[turn]
            fits = hand & (fits_low | fits_high)
            while not fits and waiting:
                drawn = 1 << waiting.pop()
                hand |= drawn
                held += 1
                fits = drawn & (fits_low | fits_high)
            if fits:
                passes = 0
                if draw_chance() < _HEAVIEST:
                    bit = 1 << (fits.bit_length() - 1)
                else:
                    skip = int(draw_chance() * fits.bit_count())
                    while skip:
                        fits &= fits - 1
                        skip -= 1
                    bit = fits & -fits
                if bit & fits_high and not (bit & fits_low and draw_chance() < 0.5):
                    end, stays = OTHER[high][bit], low
                else:
                    end, stays = OTHER[low][bit], high
                hand ^= bit
                held -= 1
                if not hand:
                    return value(turn)
                low, high = (end, stays) if end < stays else (stays, end)
            else:
                passes += 1
                if passes == seats:
                    after = turn + 1
                    winner = blocked_winner(rule, tuple(hands[after:] + hands[:after]), sides)
                    return value(None if winner is None else (winner + after) % seats)
            hands[turn] = hand
            turn = (turn + 1) % seats
        result = solve(tuple(hands[turn:] + hands[:turn]), low, high)
        return -result if turn % 2 else result

    return play
