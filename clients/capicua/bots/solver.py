"""Solver: who wins a round of a line with two ends when all hands lie open and nothing can be drawn.

Two seats or two pairs. Values are for the side to act: 1 a won round, 0 a tie, -1 a lost one.
"""

from __future__ import annotations

from collections.abc import Callable

from capicua.bots.knowledge import Knowledge
from capicua.engine.legal import Play
from capicua.engine.tiles import FITTING, PIPS, TOTAL, tiles_in

OTHER: tuple[dict[int, int], ...] = tuple(
    {1 << tile: high + low - pips for tile, (high, low) in enumerate(PIPS) if pips in (high, low)}
    for pips in range(len(FITTING) - 1)
)
"""For each number of pips, the other half of every tile that has it, by the tile's bit."""

_ANY = (-1, 1)

Blocked = Callable[..., int]
"""Value of a blocked round: the hands from the seat to act on in turn order, after the last mover's pass."""
Solve = Callable[..., int]
"""Value of a position: the same hands, the two open ends with the lower first, and the window alpha, beta."""


def pips_in(hand: int) -> int:
    """Pips of a mask of tiles."""
    return sum([TOTAL[tile] for tile in tiles_in(hand)])


def fewest_pips(own: int, other: int) -> int:
    """A blocked round is won by fewer pips (R-25)."""
    return (pips_in(own) < pips_in(other)) - (pips_in(own) > pips_in(other))


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


def two_seats(blocked: Blocked) -> Solve:
    """A solver for two seats; it remembers what it has solved."""
    known: dict[tuple[int, int, int, int], tuple[int, int]] = {}

    def solve(own: int, other: int, low: int, high: int, alpha: int = -1, beta: int = 1) -> int:
        fits_low, fits_high = FITTING[low], FITTING[high]
        fits = own & (fits_low | fits_high)
        if not fits:
            if not other & (fits_low | fits_high):
                return blocked(own, other)
            return -solve(other, own, low, high, -beta, -alpha)
        if not own & (own - 1):
            return 1
        key = own, other, low, high
        at_least, at_most = known.get(key, _ANY)
        if at_least >= beta or at_least == at_most:
            return at_least
        if at_most <= alpha:
            return at_most
        alpha = start = max(alpha, at_least)
        best = -2
        for here, stays, plays in ((high, low, fits & fits_high), (low, high, fits & fits_low)):
            other_half = OTHER[here]
            while plays:
                bit = 1 << (plays.bit_length() - 1)
                plays ^= bit
                end = other_half[bit]
                if end < stays:
                    value = -solve(other, own ^ bit, end, stays, -beta, -alpha)
                else:
                    value = -solve(other, own ^ bit, stays, end, -beta, -alpha)
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
