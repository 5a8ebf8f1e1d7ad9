"""Keys and clicks choose a tile and its place; nothing needs more than two of them."""

from __future__ import annotations

from capicua.api.v1.types_pb2 import Play, Tile
from capicua.api.v1.update_pb2 import View
from capicua.tui.choice import Choice

SIX_FOUR, SIX_SIX, FOUR_ONE, TWO_TWO = (Tile(high=high, low=low) for high, low in ((6, 4), (6, 6), (4, 1), (2, 2)))


def offered(*plays: tuple[Tile, str]) -> Choice:
    """A choice among these plays, with a hand that holds a tile besides that cannot be played."""
    tiles = [tile for tile in (SIX_FOUR, SIX_SIX, FOUR_ONE) if any(tile == played for played, _ in plays)]
    view = View(hand=[TWO_TWO, *tiles], legal=[Play(tile=tile, end=end) for tile, end in plays])
    choice = Choice()
    choice.offer(view)
    return choice


def test_enter_plays_when_only_one_thing_can_be_played() -> None:
    choice = offered((SIX_FOUR, "L"))

    assert choice.enter() == Play(tile=SIX_FOUR, end="L")


def test_arrows_choose_among_the_tiles_that_can_be_played() -> None:
    choice = offered((SIX_FOUR, "L"), (SIX_SIX, "L"), (FOUR_ONE, "R"))

    assert [choice.arrow("right"), choice.tile] == [None, SIX_SIX]
    assert [choice.arrow("left"), choice.arrow("left"), choice.tile] == [None, None, FOUR_ONE]
    assert choice.enter() == Play(tile=FOUR_ONE, end="R")


def test_a_tile_with_two_places_asks_where() -> None:
    """Enter asks; an arrow, a number or a click on the end answers; going back asks for the tile again."""
    choice = offered((SIX_SIX, "L"), (SIX_FOUR, "L"), (SIX_FOUR, "R"))

    assert choice.enter() is None
    assert [play.end for play in choice.where] == ["L", "R"]
    assert choice.arrow("right") == choice.number(2) == choice.at("R") == Play(tile=SIX_FOUR, end="R")
    assert choice.arrow("up") is choice.number(3) is choice.at("U") is None
    assert choice.back()
    assert not choice.where
    assert not choice.back()


def test_two_keys_are_enough() -> None:
    """The number of a tile, and then Enter or the number or side of its place."""
    choice = offered((SIX_FOUR, "L"), (SIX_FOUR, "R"), (SIX_SIX, "L"))

    assert choice.number(2) is None
    assert choice.enter() == Play(tile=SIX_SIX, end="L")
    assert choice.number(1) is None
    assert choice.arrow("left") == Play(tile=SIX_FOUR, end="L")


def test_one_tile_with_two_places_asks_at_once() -> None:
    choice = offered((SIX_FOUR, "L"), (SIX_FOUR, "R"))

    assert len(choice.where) == 2
    assert not choice.back()


def test_a_click_plays_where_there_is_one_place() -> None:
    choice = offered((SIX_FOUR, "L"), (SIX_FOUR, "R"), (SIX_SIX, "L"))

    assert choice.take(SIX_SIX) == Play(tile=SIX_SIX, end="L")
    assert choice.take(SIX_FOUR) is None
    assert choice.at("L") == Play(tile=SIX_FOUR, end="L")
    assert choice.take(TWO_TWO) is None


def test_what_was_chosen_stays_chosen_while_it_can_be_played() -> None:
    """Given a chosen tile, when the view comes again the choice stays; when the turn is over nothing is chosen."""
    choice = offered((SIX_FOUR, "L"), (SIX_SIX, "L"))
    choice.arrow("right")

    choice.offer(choice.view)
    assert choice.tile == SIX_SIX
    choice.offer(View(hand=[SIX_SIX]))
    assert choice.tile is None
    assert choice.enter() is choice.number(1) is choice.arrow("left") is None
