"""What a play is worth by a few rules of thumb."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capicua.bots.outlook import other, outlook

TILES = 8
MASKS = st.integers(0, (1 << TILES) - 1)


@given(MASKS, MASKS, st.integers(0, TILES), st.floats(-8, 8))
def test_the_chance_of_being_stuck_is_that_of_all_hands(may_hold: int, fitting: int, size: int, worth: float) -> None:
    """Every hand of that size from the tiles that a seat may hold is as likely as another."""
    tiles = [tile for tile in range(TILES) if may_hold >> tile & 1]
    hands = list(combinations(tiles, min(size, len(tiles))))
    stuck = sum(not any(fitting >> tile & 1 for tile in hand) for hand in hands)

    assert outlook(0, fitting, [other(worth, may_hold, size)]) == pytest.approx(worth * stuck / len(hands))


@given(MASKS, MASKS, st.lists(st.tuples(st.floats(-8, 8), MASKS, st.integers(0, TILES)), max_size=3))
def test_a_seat_after_the_other_and_the_own_tiles_add_up(
    kept: int, fitting: int, seats: list[tuple[float, int, int]]
) -> None:
    """A tile that fits is worth something, one that does not is worth nothing."""
    alone = outlook(kept, fitting, [])

    assert alone == pytest.approx(outlook(kept & fitting, fitting, []))
    assert (alone > 0) is bool(kept & fitting)
    before = [other(*seat) for seat in seats]
    assert outlook(kept, fitting, before) == pytest.approx(alone + sum(outlook(0, fitting, [seat]) for seat in before))
