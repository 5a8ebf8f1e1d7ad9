"""What is remembered, and terminals that know little."""

from __future__ import annotations

import stat
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from capicua.api.v1.types_pb2 import GAME_STATE_FINISHED, Seat
from capicua.api.v1.update_pb2 import View
from capicua.tui.plain import is_plain, plain
from capicua.tui.profile import GAMES_KEPT, PlayedGame, Profile


def test_a_profile_comes_back_and_is_for_its_user_alone(tmp_path: Path) -> None:
    """All of it, in a folder that is made for it; mode 600 from its first byte."""
    path = tmp_path / "new" / "profile.json"
    profile = Profile(name="Żaneta", tokens={"a:1": "secret"}, language="pl", tiles="unicode")
    profile.began(PlayedGame("g-1", "a:1", "draw", 1_000))

    profile.save(path)

    assert Profile.load(path) == profile
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["profile.json"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"tiles": "golden"}'])
def test_what_is_no_profile_is_begun_anew(tmp_path: Path, text: str) -> None:
    """A broken file keeps nobody out."""
    (tmp_path / "profile.json").write_text(text)

    assert Profile.load(tmp_path / "profile.json") == Profile()


def test_games_are_remembered_once_and_not_for_ever() -> None:
    """Coming back to a game moves it to the top."""
    profile = Profile()
    for number in [*range(GAMES_KEPT + 5), 100]:
        profile.began(PlayedGame(f"g-{number}", "a:1", "block", number))

    assert len(profile.games) == GAMES_KEPT
    assert [game.begun for game in profile.games[:2]] == [100, GAMES_KEPT + 4]


@pytest.mark.parametrize(
    ("own_seat", "winner", "pairs", "won"),
    [(0, 0, False, True), (1, 0, False, False), (2, 0, True, True), (3, 1, True, True), (3, 0, True, False)],
)
def test_a_game_is_won_by_its_side(own_seat: int, winner: int, pairs: bool, won: bool) -> None:
    """R-14: with partners side 0 is seats 0 and 2, side 1 is seats 1 and 3."""
    game = PlayedGame("g-1", "a:1", "partners_100", 1_000)
    view = View(state=GAME_STATE_FINISHED, own_seat=own_seat, winner_side=winner, pairs=pairs, scores=[100, 20])

    game.left(view)

    assert (game.finished, game.won, game.scores) == (True, won, [100, 20])


def test_who_quit_is_remembered_by_their_own_name() -> None:
    """Given a game whose own seat was given to a bot, the list names the player, and no other."""
    game = PlayedGame("g-1", "a:1", "block", 1_000, ["Ana", "Bo"])

    game.left(View(seats=[Seat(seat=0, name="Bot Iris", bot=True, quit=True), Seat(seat=1, name="Bo")]))

    assert game.names == ["Ana", "Bo"]


@given(st.characters(exclude_categories=["Cc", "Cs", "Cn"]))
def test_every_letter_has_an_ascii_of_the_same_width(letter: str) -> None:
    """So that nothing moves on the page."""
    assert plain(letter).isascii()
    assert unicodedata.category(letter) in ("Mn", "Me") or len(plain(letter)) == cell_len(letter)


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, False),
        ({"LANG": "pl_PL.UTF-8"}, False),
        ({"LANG": "C.utf8"}, False),
        ({"LANG": "pl_PL.ISO-8859-2"}, True),
        ({"LANG": "he_IL.UTF-8", "LC_ALL": "C"}, True),
    ],
)
def test_the_locale_tells_what_the_terminal_knows(environment: dict[str, str], expected: bool) -> None:
    """Where it says nothing, a terminal of today is taken for granted."""
    assert is_plain(environment) is expected
