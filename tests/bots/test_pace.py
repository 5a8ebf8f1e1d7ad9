"""Bots take their time for people, and only for them."""

from __future__ import annotations

import pytest

from capicua.api.v1.types_pb2 import Seat
from capicua.api.v1.update_pb2 import View
from capicua.bots.crew import difficulty, people_play
from capicua.runtime.settings import ServeSettings


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


def test_a_human_pace_is_half_a_second_to_two() -> None:
    """By the settings as they come a bot takes 0.6 s where it must, 1.8 s at most, and longer the more it may play."""
    pause = ServeSettings().bot_pause
    paces = [pause * difficulty(plays) for plays in range(1, 29)]

    assert [min(paces), max(paces)] == pytest.approx([0.6, 1.8])
    assert paces == sorted(paces)
