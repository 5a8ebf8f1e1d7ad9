"""What the terminal shows, and what a person may type."""

from __future__ import annotations

import pytest

from capicua.api.v1.types_pb2 import OpenEnd, Placement, Play, Seat, Tile
from capicua.api.v1.update_pb2 import Presence, SeatQuit, TilePlayed, Update, View
from capicua.cli import news, text
from capicua.cli.play import parse_play

SEATS = [Seat(seat=0, name="Ana"), Seat(seat=1, name="Bo")]


def parsed(play: str) -> Play:
    name, end = play.split("@")
    high, low = map(int, name.split("-"))
    return Play(tile=Tile(high=high, low=low), end=end)


def placed(plays: str) -> list[Placement]:
    return [Placement(seat=0, play=parsed(play)) for play in plays.split()]


@pytest.mark.parametrize(
    ("plays", "shown"),
    [
        ("", ["(no tile is on the layout)"]),
        ("6-4@-", ["L [6|4] R"]),
        ("6-4@- 4-1@R 6-6@L 6-2@L", ["L [2|6][6:6][6|4][4|1] R"]),
        # The first double is the spinner once a short side of it is used.
        ("5-5@- 5-1@L 5-2@R", ["L [1|5][5:5][5|2] R"]),
        (
            "4-3@- 4-4@L 4-2@L 4-1@U 4-0@D 1-1@U",
            ["L [2|4]<4:4>[4|3] R", "U <4:4>[4|1][1:1]", "D <4:4>[4|0]"],
        ),
    ],
)
def test_a_line_shows_every_tile_as_it_lies(plays: str, shown: list[str]) -> None:
    """R-46 to R-51: the larger half of the lead is L, equal halves touch."""
    assert shown == text.layout(View(layout=placed(plays)))


def test_a_long_line_is_broken_between_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """No line is wider than the terminal."""
    monkeypatch.setenv("COLUMNS", "14")

    lines = text.layout(View(layout=placed("6-5@- 5-4@R 4-3@R 3-2@R")))

    assert lines == ["L [6|5][5|4]", "  [4|3][3|2] R"]


def test_trains_show_their_owner_marker_and_debt() -> None:
    """R-70 to R-73: a train per seat and the Mexican one; * is a marker, ! a double to be covered."""
    view = View(
        seats=SEATS,
        engine_tile=Tile(high=12, low=12),
        ends=[OpenEnd(end="0", pips=1), OpenEnd(end="1", pips=12), OpenEnd(end="M", pips=5)],
        layout=placed("12-4@0 4-1@0 12-5@M 5-5@M"),
        markers=["1"],
        debt="M",
    )

    assert text.layout(view) == [
        "engine tile [12:12]",
        "M Mexican train ! [12|5][5:5]",
        "0 Ana [12|4][4|1]",
        "1 Bo *",
    ]


def test_a_play_is_one_compact_block() -> None:
    """Who, what, points, the tiles left and the layout."""
    played = TilePlayed(seat=1, play=parsed("6-4@-"), points=10, expired=True)
    view = View(seats=SEATS, layout=placed("6-4@-"), hand_sizes=[7, 6])

    told = news.tell(view, Update(tile_played=played)).splitlines()

    assert told[0].split("  ")[0] == "Bo plays [6|4] (the turn expired), 10 points"
    assert told[0].endswith("tiles: Ana 7 · Bo 6")
    assert told[1] == "    L [6|4] R"


LEGAL = ["6-4@L", "6-4@R", "3-0@R"]


@pytest.mark.parametrize(
    ("line", "play"),
    [("1", "6-4@L"), ("3", "3-0@R"), ("6-4 R", "6-4@R"), ("4-6@l", "6-4@L"), ("0-3", "3-0@R")],
)
def test_a_play_is_typed_by_number_or_by_tile(line: str, play: str) -> None:
    """Either half may come first, and the end may be left out where there is one only."""
    assert parsed(play) == parse_play(line, View(legal=map(parsed, LEGAL)))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("0", "from 1 to 3"),
        ("4", "from 1 to 3"),
        ("6-4", "L, R"),
        ("5-5 L", "not one of your legal plays"),
        ("x", "?"),
        ("", "?"),
    ],
)
def test_what_is_no_play_is_explained(line: str, problem: str) -> None:
    """No line is an error; each says what to type instead."""
    assert problem in str(parse_play(line, View(legal=map(parsed, LEGAL))))


def test_the_state_of_every_seat_is_said() -> None:
    """Who is a bot, who has quit, dropped or is away: each in words of its own."""
    seats = [Seat(seat=0, name="Ana"), Seat(seat=1, name="Bo", bot=True), Seat(seat=2, name="Cy", bot=True, quit=True)]
    view = View(seats=[*seats, Seat(seat=3, name="Di")], dropped=[3], away=[0, 3])

    assert text.game(view).endswith(
        ": Ana (away), Bo (bot), Cy (bot for a player who quit), Di (has lost the connection, away)"
    )


def test_leaving_and_coming_back_are_told() -> None:
    """A quit, a drop, a return and a seat that is played at once."""
    view = View(seats=SEATS)
    left = Update(seat_quit=SeatQuit(seat=1, seat_now=SEATS[1], name="Ben"))
    away = Update(tile_played=TilePlayed(seat=0, play=parsed("6-4@-"), expired=True, away=True))

    assert news.tell(view, left) == "Ben has quit: Bo (bot) plays on"
    assert news.tell(view, Presence(seat=0, connected=False)) == "Ana has lost the connection"
    assert news.tell(view, Presence(seat=0, connected=True)) == "Ana is back"
    assert "(the turn expired: away, so played at once)" in news.tell(view, away)
