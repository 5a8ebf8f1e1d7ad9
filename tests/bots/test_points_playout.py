"""A round that can go on in one way only ends in a points playout as it ends in the engine."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from capicua.bots.expert import choose
from capicua.bots.points_playout import points_playout
from capicua.engine import Variant, build
from capicua.engine.line import Line
from capicua.engine.scoring import points_of
from kit.forced import forced_rounds

NO_DRAW = {"policy": "none", "reserve": 0}


def near(kind: str, points: int, *seats: int) -> dict[str, object]:
    """A target that is checked at once, and met in the first round."""
    return {"kind": kind, "value": dict.fromkeys(seats, points), "check": "immediate"}


@pytest.mark.parametrize(
    ("key", "overrides"),
    [
        ("all_fives", {}),
        ("all_fives", {"set": 12}),
        ("muggins", {}),
        ("muggins", {"set": 9, "draw": NO_DRAW, "block_winner": "lowest_hand"}),
        ("muggins", {"draw": NO_DRAW, "block_winner": "last_mover"}),
        ("fives_four_way", {}),
        ("fives_four_way", {"seats": [3, 4], "hand_size": {3: 5, 4: 5}, "target": near("at_least", 300, 3, 4)}),
        (
            "fives_four_way",
            {"teams": "pairs", "seats": [4], "hand_size": {4: 5}, "target": near("at_least", 40, 4)},
        ),
        ("fives_and_threes", {}),
        ("fives_and_threes", {"target": near("exact", 11, 2, 3, 4)}),
        ("fives_and_threes", {"teams": "pairs", "seats": [4], "target": near("exact", 9, 4)}),
        ("block", {"spinner": "first_double_all"}),
        ("block", {"block_winner": "leader", "seats": [4]}),
        ("draw_hoyle", {"spinner": "first_double_sides_first"}),
    ],
)
def test_a_forced_round_ends_as_in_the_engine(key: str, overrides: dict[str, object]) -> None:
    """R-14, R-23 to R-28, R-55, R-57, R-62, R-63: points of plays, of a domino out, of a blocked line, and a target met
    on the way."""
    variant, compared = build(key, overrides), 0
    assert isinstance(variant, Variant), variant
    for state, knowledge, play, end, _ in forced_rounds(variant, 40):
        assert isinstance(state.layout, Line)
        shape = state.layout.place(state.turn, *play).shape
        hands = (knowledge.hand ^ 1 << play[0], *state.hands[state.turn + 1 :], *state.hands[: state.turn])
        boneyard = state.boneyard[state.drawn :]
        made = points_of(variant.in_play, shape.count)
        lead = points_playout(knowledge, Random(1))(hands, boneyard, shape, made)
        own = knowledge.side(state.turn)
        assert lead == end.scores[own] - max(end.scores[:own] + end.scores[own + 1 :]), play
        compared += 1
    assert compared > 60


def test_who_leads_goes_for_a_blocked_round() -> None:
    """R-28: given the leader wins a blocked round, a seat that has a play which blocks the line takes it sooner when it
    leads than when it is behind."""
    everything = {"value": "all", "round": "none"}
    scoring = {"domino": everything, "block": everything}
    variant = build("block", {"block_winner": "leader", "seats": [2], "end_score": scoring})
    assert isinstance(variant, Variant)
    blocked = {True: 0, False: 0}
    for _, knowledge, play, _, end in forced_rounds(variant, 30):
        if end.reason == "block" and len(knowledge.legal) > 1:
            for leads in blocked:
                scores = (50, 0) if leads == (knowledge.seat == 0) else (0, 50)
                told = msgspec.structs.replace(knowledge, scores=scores)
                blocked[leads] += choose(told, Random(1), 60) == play

    assert blocked[True] > blocked[False]
