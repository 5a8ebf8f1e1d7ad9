"""Solver: how a round on a line with two ends goes on when all hands lie open and nothing can be drawn any more.

Seats are counted from the one to act, in turn order. The number of seats is even, and sides alternate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal

from capicua.engine.tiles import FITTING, PIPS, TOTAL, tiles_in

Hands = tuple[int, ...]
"""Masks of tiles, from the seat to act on."""
Solve = Callable[[Hands, int, int], int]
"""Value of hands and two open ends, the lower first, for the side to act: 1 a won round, 0 a tie, -1 a lost one."""
BlockWinner = Literal["lowest_side", "lowest_hand", "last_mover", "leader", "none"]

OTHER: tuple[dict[int, int], ...] = tuple(
    {1 << tile: high + low - pips for tile, (high, low) in enumerate(PIPS) if pips in (high, low)}
    for pips in range(len(FITTING) - 1)
)
"""For each number of pips, the other half of every tile that has it, by the tile's bit."""
_ANY = (-1, 1)


@lru_cache(maxsize=1 << 16)
def pips_in(hand: int) -> int:
    """Pips of a mask of tiles."""
    return sum([TOTAL[tile] for tile in tiles_in(hand)])


def blocked_winner(rule: BlockWinner, hands: Sequence[int], sides: int, last: int) -> int | None:
    """A seat of the side that wins a blocked round (R-25 to R-27); `last` made the last play."""
    pips = [pips_in(hand) for hand in hands]
    if rule == "last_mover":
        return last
    if rule == "lowest_side":
        by_side = [sum(pips[side::sides]) for side in range(sides)]
        lowest = min(by_side)
        return by_side.index(lowest) if by_side.count(lowest) == 1 else None
    if rule == "lowest_hand":
        low = [seat for seat, left in enumerate(pips) if left == min(pips)]
        return low[0] if len({seat % sides for seat in low}) == 1 else None
    return None


def solver(rule: BlockWinner) -> Solve:
    """A solver that remembers what it has solved."""
    known: dict[tuple[Hands, int, int], tuple[int, int]] = {}

    def solve(hands: Hands, low: int, high: int, alpha: int = -1, beta: int = 1) -> int:
        fits_low, fits_high = FITTING[low], FITTING[high]
        own = hands[0]
        fits = own & (fits_low | fits_high)
        if not fits:
            for seat in range(1, len(hands)):
                if hands[seat] & (fits_low | fits_high):
                    turned = hands[seat:] + hands[:seat]
                    if seat % 2:
                        return -solve(turned, low, high, -beta, -alpha)
                    return solve(turned, low, high, alpha, beta)
            winner = blocked_winner(rule, hands, 2, len(hands) - 1)
            return 0 if winner is None else -1 if winner % 2 else 1
        if not own & (own - 1):
            return 1
        key = hands, low, high
        at_least, at_most = known.get(key, _ANY)
        if at_least >= beta or at_least == at_most:
            return at_least
        if at_most <= alpha:
            return at_most
        if at_least > alpha:
            alpha = at_least
        start, best, others = alpha, -2, hands[1:]
        for here, stays, plays in ((high, low, fits & fits_high), (low, high, fits & fits_low)):
            other_half = OTHER[here]
            while plays:
                bit = 1 << (plays.bit_length() - 1)
                plays ^= bit
                end = other_half[bit]
                after = (*others, own ^ bit)
                if end < stays:
                    value = -solve(after, end, stays, -beta, -alpha)
                else:
                    value = -solve(after, stays, end, -beta, -alpha)
                if value > best:
                    best = value
                    if value >= beta:
                        known[key] = best, at_most
                        return best
                    if value > alpha:
                        alpha = value
            if low == high:
                break
        known[key] = (best, best) if best > start else (at_least, best)
        return best

    return solve
