"""Playout: a round on a line with two ends played on by chance, and solved as soon as it is short."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random

from capicua.bots.knowledge import Knowledge
from capicua.bots.outlook import other, others, outlook, worth_shed
from capicua.bots.solver import OTHER, blocked_winner, solver
from capicua.engine import tile_count
from capicua.engine.tiles import FITTING, PIPS, TOTAL, tiles_in

_SOLVABLE = 10
"""Tiles in all hands from which on a round is solved, where there are two sides."""

Playout = Callable[[tuple[int, ...], tuple[int, ...], int, int, Sequence[float | None]], int]
"""How a round ends for the first seat when the second is to act: 1 won, 0 tied, -1 lost.

Takes the hands, the boneyard with the first drawn first, the two open ends, the lower first, and by seat how likely
it is to play its heaviest tile, 0 to 1, or None for a seat that plays for the best outlook.
"""


def playout(knowledge: Knowledge, chance: Random) -> Playout:
    """Playouts by the rules of a game, every seat in its manner."""
    seats, variant = knowledge.seats, knowledge.variant
    rule, floor = variant.block_winner, variant.draw.reserve
    sides = 2 if knowledge.pairs else seats
    solve = solver(rule)
    solvable = _SOLVABLE if sides == 2 else 0
    draws = variant.draw.policy != "none"
    draw_chance = chance.random
    shed = {1 << tile: worth for tile, worth in enumerate(worth_shed(knowledge))}
    other_seats = others(knowledge)
    every = (1 << tile_count(variant.set)) - 1
    known_lacks = [knowledge.lacks(seat) for seat in knowledge.in_turn]
    seen = every & ~knowledge.hidden

    def value(winner: int | None) -> int:
        return 0 if winner is None else -1 if winner % sides else 1

    def best(turn: int, hands: list[int], low: int, high: int, laid: int, lacks: list[int]) -> tuple[int, int, int]:
        """The tile with the best outlook to a seat that sees its own hand, by its bit; the end it leaves, and the
        other one."""
        hand = hands[turn]
        rest = every & ~(laid | hand)
        before = []
        for after, worth in other_seats:
            seat = (turn + after) % seats
            before.append(other(worth, rest & ~lacks[seat], hands[seat].bit_count()))
        best_value, chosen = -1e9, (0, 0, 0)
        for here, stays in ((high, low), (low, high)):
            plays = hand & FITTING[here]
            while plays:
                bit = plays & -plays
                plays ^= bit
                end = OTHER[here][bit]
                found = shed[bit] + outlook(hand ^ bit, FITTING[end] | FITTING[stays], before)
                if found > best_value:
                    best_value, chosen = found, (bit, end, stays)
            if low == high:
                break
        return chosen

    def play(
        dealt: tuple[int, ...], boneyard: tuple[int, ...], low: int, high: int, play_as: Sequence[float | None]
    ) -> int:
        hands, lacks = list(dealt), known_lacks[:]
        held = sum([hand.bit_count() for hand in hands])
        waiting = list(boneyard[: len(boneyard) - floor][::-1]) if draws else []
        laid = seen & ~hands[0]
        turn, passes = 1, 0
        # A solver takes whoever comes before the seat to act for the last mover.
        while held > solvable or waiting or passes:
            fits_low, fits_high = FITTING[low], FITTING[high]
            hand = hands[turn]
            fits = hand & (fits_low | fits_high)
            if not fits:
                lacks[turn] |= fits_low | fits_high
                while not fits and waiting:
                    drawn = 1 << waiting.pop()
                    hand |= drawn
                    held += 1
                    fits = drawn & (fits_low | fits_high)
                    lacks[turn] = fits_low | fits_high
                hands[turn] = hand
            if fits:
                passes, heaviest, several = 0, play_as[turn], fits & (fits - 1)
                if heaviest is None and (several or fits & fits_low & fits_high):
                    bit, end, stays = best(turn, hands, low, high, laid, lacks)
                else:
                    if heaviest is None or not several:
                        bit = fits
                    elif draw_chance() < heaviest:
                        bit = _heaviest(fits)
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
                laid |= bit
                held -= 1
                if not hand:
                    return value(turn)
                low, high = (end, stays) if end < stays else (stays, end)
                hands[turn] = hand
            else:
                passes += 1
                if passes == seats:
                    return value(blocked_winner(rule, hands, sides, turn))
            turn = (turn + 1) % seats
        result = solve(tuple(hands[turn:] + hands[:turn]), low, high)
        return -result if turn % 2 else result

    return play


@lru_cache(maxsize=1 << 16)
def _heaviest(hand: int) -> int:
    """The bit of the tile with most pips, then with the larger half."""
    return 1 << max(tiles_in(hand), key=lambda tile: (TOTAL[tile], PIPS[tile]))
