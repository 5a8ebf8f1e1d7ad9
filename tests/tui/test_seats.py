"""What is told of each seat."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from capicua.api.v1.types_pb2 import Seat
from capicua.api.v1.update_pb2 import Said, View
from capicua.tui.seats import draw_seats, standing
from capicua.tui.story import HEARD_SECONDS, Story


def four(**facts: object) -> View:
    """Four partners, seen from seat 0 while seat 3 is to act."""
    seats = [Seat(seat=seat, name=name) for seat, name in enumerate(("Ana", "Ben", "Cleo", "דוד"))]
    known = {"own_seat": 0, "turn": 3, "pairs": True, "hand_sizes": [7, 6, 5, 1], "scores": [20, 1]}
    return View(seats=seats, **(known | facts))  # type: ignore[arg-type]


def told(view: View, width: int, seconds: float, heard: Mapping[int, str] | None = None) -> list[str]:
    return draw_seats(view, width, seconds, {}, heard or {}).plain.split("\n")


@pytest.mark.parametrize(
    ("seat", "facts", "expected"),
    [
        (0, {}, ["you"]),
        (2, {}, ["partner"]),
        (3, {}, ["thinking"]),
        (1, {"away": [1]}, ["away"]),
        (1, {"dropped": [1]}, ["not connected"]),
        (1, {"away": [1], "dropped": [1]}, ["away"]),
    ],
)
def test_how_it_stands_with_a_seat(seat: int, facts: dict[str, object], expected: list[str]) -> None:
    """Own seat, partner (R-14), whose turn it is; away and dropped are two states."""
    assert standing(four(**facts), seat, "") == expected


def test_a_bot_and_one_who_quit_are_told_apart() -> None:
    view = four()
    view.seats[1].bot = view.seats[2].bot = view.seats[2].quit = True

    assert standing(view, 1, "passes") == ["bot", "passes"]
    assert standing(view, 2, "") == ["partner", "has quit, a bot plays"]


def test_the_clock_counts_and_warns() -> None:
    """Seconds are rounded up; the last five have a sign besides their look."""
    assert "12 s" in told(four(), 80, 11.2)[0]
    assert "!12 s" not in told(four(), 80, 11.2)[0]
    assert "!4 s" in told(four(), 80, 3.2)[0]
    assert told(four(), 80, 3.2)[0].count("▶") == 1


def test_tiles_and_points_are_in_words_where_they_fit() -> None:
    """Partners have one score (R-14)."""
    wide, narrow, narrowest = (told(four(), width, 9.0)[1] for width in (120, 64, 40))

    assert "5 tiles · 20 points" in wide
    assert "1 tile · 1 point" in wide
    assert "5 tiles · 20" in narrow
    assert "points" not in narrow
    assert "5 · 20" in narrowest


def test_what_a_seat_says_hides_how_it_stands() -> None:
    """At the narrowest there would be no room for both."""
    line = told(four(), 80, 9.0, {2: "Well played!"})[2]

    assert "Well played!" in line
    assert "partner" not in line
    assert "you" in line


def test_what_was_said_is_shown_for_some_seconds() -> None:
    """Then the seat shows again what it did; the sentence stays in the story."""
    now = 100.0
    story = Story(lambda: now)
    story.said(four(), Said(seat=2, text="hm"))
    assert story.heard == {2: "\u2068hm\u2069"}

    now += HEARD_SECONDS

    assert story.heard == {}
    assert len(story.sentences) == 1
