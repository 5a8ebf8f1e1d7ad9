"""Golden counts: how many different runs of plays begin a fixed deal, counted by both rule writers."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest

from capicua.cli.vectors import start
from capicua.engine import Event, GameState, PlayTile, Rejection, decide, evolve, legal_plays
from engine.naive import VARIANTS, naive_round
from engine.naive_layout import tile_set

Json = dict[str, Any]

GOLDEN: dict[tuple[str, int], list[int]] = {
    ("block", 3): [5, 14, 36, 90, 218, 417, 745, 1307, 2002, 3036],
    ("draw", 2): [7, 23, 69, 201, 541, 1391, 3018],
    ("all_fives", 2): [7, 26, 74, 242, 709, 2404, 7071],
    ("fives_four_way", 2): [1, 8, 28, 164, 612, 2876, 7328],
    ("mexican_train", 3): [2, 8, 26, 55, 181, 608, 1669],
}
"""By variant and seats: the runs of 1, 2, 3 … plays from the fixed deal; draws and passes come by themselves."""


class _Enough(Exception):
    """The run of plays is long enough."""


def fixed_deal(variant: str, seats: int) -> Json:
    """Round 1 of a variant as it stands, with a deal that never changes; a lot falls on seat 0."""
    rules = VARIANTS[variant]
    trains = rules["topology"] == "trains"
    tiles = tile_set(rules["set"])[: -1 if trains else None]
    random.Random(f"{variant} {seats}").shuffle(tiles)
    size = rules["hand_size"][str(seats)]
    setup: Json = {"variant": variant, "overrides": {}, "seats": seats, "teams": False, "round": 1, "previous": None}
    setup |= {"engine": "12-12"} if trains else {}
    setup["lot"] = {"kind": "seat", "seat": 0} if rules["opener"]["first"] == "lot" else None
    setup["scores_before"] = [0] * seats
    hands = [tiles[seat * size : (seat + 1) * size] for seat in range(seats)]
    setup["deal"] = {"hands": hands, "boneyard": tiles[seats * size :]}
    return setup


def naive_counts(setup: Json, depth: int) -> list[int]:
    """The runs of 1, 2 … `depth` plays; a round that ends sooner has none of the longer ones."""
    counts = [0] * depth
    _count_naively(setup, [], counts)
    return counts


def _count_naively(setup: Json, run: list[str], counts: list[int]) -> None:
    legal: list[str] = []
    choices = iter(run)

    def follow(plays: list[str]) -> str:
        choice = next(choices, None)
        if choice is None:
            legal.extend(plays)
            raise _Enough
        return choice

    with suppress(_Enough):
        naive_round(setup, follow)
    counts[len(run)] += len(legal)
    if len(run) + 1 < len(counts):
        for play in legal:
            _count_naively(setup, [*run, play], counts)


def engine_counts(state: GameState, depth: int) -> list[int]:
    """The same, counted by the engine from its state after the deal."""
    counts = [0] * depth
    states = [state]
    for index in range(depth):
        wishes = [(state, PlayTile(state.turn, tile, end)) for state in states for tile, end in legal_plays(state)]
        counts[index] = len(wishes)
        states = [_after(state, decide(state, wish, 0)) for state, wish in wishes] if index + 1 < depth else []
    return counts


def _after(state: GameState, events: tuple[Event, ...] | Rejection) -> GameState:
    assert isinstance(events, tuple)
    for event in events:
        state = evolve(state, event)
    return state


@pytest.mark.parametrize(("variant", "seats"), GOLDEN)
def test_both_writers_count_the_same_runs_of_plays(variant: str, seats: int) -> None:
    """R-46 to R-77: given a fixed deal, the runs of 1, 2, 3 … plays are as many as they always were."""
    expected = GOLDEN[variant, seats]
    setup = fixed_deal(variant, seats)
    before, deal = start(setup)
    dealt = _after(before, decide(before, deal, 0))

    assert expected == engine_counts(dealt, len(expected))
    assert expected == naive_counts(setup, len(expected))
