"""The greedy bot follows R-79."""

from __future__ import annotations

from random import Random

import pytest

from capicua.api.v1.types_pb2 import GameOptions, Play, Tile
from capicua.api.v1.update_pb2 import View
from capicua.bots import LEVELS, Memory
from capicua.engine import tile


def parsed(play: str) -> Play:
    name, end = play.split("@")
    high, low = map(int, name.split("-"))
    return Play(tile=Tile(high=high, low=low), end=end)


@pytest.mark.parametrize(
    ("legal", "chosen"),
    [
        ("3-2@L 6-4@R 5-4@L", "6-4@R"),  # most pips
        ("4-3@L 5-2@L 6-1@R", "6-1@R"),  # equal pips: the larger half
        ("6-4@D 6-4@U 6-4@R 6-4@L", "6-4@L"),  # one tile: the first end
        ("6-4@D 6-4@U", "6-4@U"),
        ("9-1@0 9-1@M 9-1@2 9-1@7", "9-1@2"),  # trains: the own one first (seat 2 here)
        ("9-1@7 9-1@M 9-1@0", "9-1@M"),  # then the Mexican one
        ("9-1@7 9-1@3 9-1@4", "9-1@3"),  # then the others by seat
        ("0-0@-", "0-0@-"),
    ],
)
def test_it_plays_most_pips_then_the_larger_half_then_the_first_end(legal: str, chosen: str) -> None:
    """R-79: the legal tile with most pips, the larger half, the ends in the order L R U D or by train."""
    options = GameOptions(variant="mexican_train")
    view = View(options=options, own_seat=2, turn=2, legal=map(parsed, legal.split()))

    play = LEVELS["greedy"](Memory(view).knowledge(), Random(1), 0)

    name, end = chosen.split("@")
    assert play == (tile(name), end)
