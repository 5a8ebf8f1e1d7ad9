"""What open ends count, on small layouts written out."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from capicua.engine import VARIANTS, RoundEnded
from capicua.engine.notation import empty_layout, parse_layout
from capicua.engine.scoring import points_of
from capicua.engine.variant import InPlay
from kit.games import random_game

FIVES = InPlay((5,), "sum")


@pytest.mark.parametrize(
    ("mode", "layout", "count"),
    [
        # a tile that lies alone.
        ("none", "0:5-5@-", 10),
        ("first_double_all", "0:5-5@-", 10),
        ("none", "0:5-0@-", 5),
        # a double at an open end counts both halves, also where nothing branches.
        ("none", "0:6-4@- 1:6-6@L", 16),
        ("first_double_sides_first", "0:6-4@- 1:6-6@L", 16),
        # the spinner counts until two of its sides have a neighbour.
        ("first_double_sides_first", "0:5-5@- 1:5-1@L", 11),
        ("first_double_sides_first", "0:5-5@- 1:5-1@L 0:5-2@R", 3),
        # so do short sides where all four open at once; the bare long ones count nothing.
        ("first_double_all", "0:5-5@- 1:5-1@U", 11),
        ("first_double_all", "0:5-5@- 1:5-1@U 0:5-2@D", 3),
        ("first_double_all", "0:5-5@- 1:5-1@U 0:5-2@L", 3),
        # three arms 5, 2, 3 and a bare fourth side; R-85: four arms count four ends.
        ("first_double_all", "0:6-6@- 1:6-5@L 0:6-2@R 1:6-3@U", 10),
        ("first_double_all", "0:6-6@- 1:6-5@L 0:6-2@R 1:6-3@U 0:6-4@D", 14),
    ],
)
def test_a_layout_counts(mode: str, layout: str, count: int) -> None:
    """R-52 to R-54, R-85, R-93, R-104, R-106, R-117, R-137: each line of the table says which."""
    assert parse_layout(layout, empty_layout(replace(VARIANTS["block"], spinner=mode), 2)).count() == count


def test_nothing_counted_gives_nothing() -> None:
    """R-55, R-138: zero is a multiple of every number, and gives no points."""
    assert points_of(FIVES, 0) == 0
    assert parse_layout("0:0-0@-", empty_layout(VARIANTS["muggins"], 2)).count() == 0


def test_points_are_the_count_or_what_it_holds() -> None:
    """R-24, R-90: fives give the count itself; fives and threes a point for each, twice where both divide."""
    both = VARIANTS["fives_and_threes"].in_play

    assert [points_of(FIVES, count) for count in (5, 9, 10, 15)] == [5, 0, 10, 15]
    assert {count: points_of(both, count) for count in range(1, 21) if points_of(both, count)} == {
        3: 1, 5: 1, 6: 2, 9: 3, 10: 2, 12: 4, 15: 8, 18: 6, 20: 4,
    }  # fmt: skip


@pytest.mark.parametrize(("key", "farthest"), [("all_fives", 2), ("muggins", 2), ("fives_four_way", 4)])
def test_points_of_a_domino_out_are_rounded_as_a_whole(key: str, farthest: int) -> None:
    """R-23, R-82, R-101, R-116: the sum over all hands, to the nearest five without a doubt, or down to five."""
    for seed in range(20):
        for event, _ in random_game(VARIANTS[key], 2, seed):
            if isinstance(event, RoundEnded) and event.reason == "domino":
                assert event.raw_points == sum(event.hand_pips)
                assert event.awarded is not None
                assert event.awarded % 5 == 0
                assert abs(event.awarded - event.raw_points) <= farthest
                assert farthest == 2 or event.awarded <= event.raw_points
