"""Bots take their time for people, and only for them."""

from __future__ import annotations

import pytest

from capicua.api.v1.types_pb2 import Seat
from capicua.api.v1.update_pb2 import View
from capicua.bots.crew import people_play


@pytest.mark.parametrize(
    ("bots", "dropped", "away", "play"),
    [
        ([], [], [], True),
        ([1], [0], [], False),
        ([1], [], [0], False),
        ([], [0], [1], False),
        ([], [0], [], True),
        ([1], [1], [], True),
        ([0, 1], [], [], False),
    ],
)
def test_bots_hurry_when_nobody_plays_any_more(
    bots: list[int], dropped: list[int], away: list[int], play: bool
) -> None:
    """Given every person has quit, dropped or is away, nobody is there for whom a bot would take its time."""
    seats = [Seat(seat=seat, bot=seat in bots) for seat in range(2)]

    assert people_play(View(seats=seats, dropped=dropped, away=away)) == play
