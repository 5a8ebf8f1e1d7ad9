"""The solver agrees with a search that tries everything and remembers nothing."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from capicua.bots.solver import BlockWinner, Hands, solver
from capicua.engine.tiles import PIPS, mask, tiles_in


def naive(rule: BlockWinner, hands: list[list[tuple[int, int]]], ends: tuple[int, int], passes: int) -> int:
    """What the side of the first seat can hold; rules R-25 to R-27 and R-60 written down as they stand."""
    seats = len(hands)
    if not hands[-1]:
        return -1
    if passes == seats:
        # The last of the seats made the last play, and has just passed as well.
        pips = [sum(high + low for high, low in hand) for hand in hands]
        own, other = sum(pips[0::2]), sum(pips[1::2])
        if rule == "last_mover":
            return -1
        if rule == "lowest_hand":
            own, other = min(pips[0::2]), min(pips[1::2])
        return (own < other) - (own > other)
    values = []
    for tile in hands[0]:
        for here, stays in (ends, ends[::-1]):
            if here in tile:
                rest = [other for other in hands[0] if other != tile]
                values.append(-naive(rule, [*hands[1:], rest], (sum(tile) - here, stays), 0))
    return max(values) if values else -naive(rule, [*hands[1:], hands[0]], ends, passes + 1)


@given(st.sampled_from(("lowest_side", "lowest_hand", "last_mover")), st.sampled_from((2, 4)), st.integers(0, 2**32))
def test_it_finds_what_trying_everything_finds(rule: BlockWinner, seats: int, seed: int) -> None:
    """R-25 to R-27, R-58, R-60: values of short rounds of two seats and of two pairs, for every rule."""
    chance = Random(seed)
    tiles = chance.sample(range(28), 3 * seats)
    hands: Hands = tuple(mask(tiles[seat::seats]) for seat in range(seats))
    low, high = sorted((chance.randrange(7), chance.randrange(7)))
    expected = naive(rule, [[PIPS[tile] for tile in tiles_in(hand)] for hand in hands], (low, high), 0)

    assert solver(rule)(hands, low, high) == expected
