"""Variants are data, and combinations that cannot be played are refused by the rule that forbids them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from capicua.engine import VARIANTS, Invalid, build, check, from_json, to_json
from kit.vectors import load

WIN = {"value": "win", "round": "none"}
OTHERS = {"value": "others", "round": "none"}
MINUS_OWN = {"value": "others_minus_own", "round": "none"}
ZERO = {"value": "zero", "round": "none"}


def test_the_variants_are_those_of_the_rules() -> None:
    """R-12: sixteen keys, and every parameter of each as the table of data says."""
    table = load("variants.json")

    assert list(VARIANTS) == list(table)
    for key, parameters in table.items():
        ours = msgspec.json.decode(to_json(VARIANTS[key]))
        assert {name: ours[name] for name in parameters} == parameters


@pytest.mark.parametrize("key", VARIANTS)
def test_a_variant_is_playable_and_survives_being_written_down(key: str) -> None:
    """Every listed seat count is valid; the JSON in a log gives the same variant again."""
    variant = VARIANTS[key]

    assert [check(variant, seats) for seats in variant.seats] == [None] * len(variant.seats)
    assert from_json(to_json(variant)) == variant


def test_all_points_in_play_and_pairs_may_be_combined() -> None:
    """R-44, R-45: what the rules call valid is accepted."""
    for key, overrides, seats in (
        ("block", {"opener": {"first": "lot", "lead": "any", "next": "winner", "after_tie": "first_rule"}}, 2),
        ("fives_and_threes", {"opener": {"first": "lot", "lead": "any", "next": "winner", "after_tie": "rotate"}}, 2),
        ("all_fives", {"teams": "pairs"}, 4),
        ("fives_four_way", {"set": 12}, 2),
        ("draw_hoyle", {"draw": {"policy": "until_playable", "reserve": 1}}, 2),
    ):
        variant = build(key, overrides)
        assert not isinstance(variant, Invalid)
        assert check(variant, seats) is None


@pytest.mark.parametrize(
    ("rule", "key", "overrides", "seats"),
    [
        ("R-12", "draw", {"colour": "red"}, 2),
        ("R-12", "draw", {"set": 7}, 2),
        ("R-12", "draw", {"set": "6"}, 2),
        ("R-12", "draw", {"draw": {"policy": "until_playable"}}, 2),
        ("R-12", "draw", {"key": "mine"}, 2),
        ("R-12", "draw", {"target": {"kind": "at_least", "value": {"2": 0}, "check": "round_end"}}, 2),
        ("R-32", "draw", {}, 5),
        ("R-32", "draw", {"seats": [2, 8], "hand_size": {"2": 7, "8": 7}}, 8),
        ("R-32", "draw", {"hand_size": {"2": 15}}, 2),
        ("R-33", "draw_100", {"teams": "pairs"}, 2),
        ("R-33", "mexican_train", {"teams": "pairs"}, 4),
        ("R-34", "block", {"draw": {"policy": "none", "reserve": 2}}, 2),
        ("R-34", "draw", {"draw": {"policy": "until_playable", "reserve": 14}}, 2),
        ("R-34", "draw", {"draw": {"policy": "one", "reserve": 0}}, 2),
        (
            "R-35",
            "draw",
            {"opener": {"first": "lot", "lead": "qualifying", "next": "winner", "after_tie": "rotate"}},
            2,
        ),
        ("R-36", "mexican_train", {"spinner": "first_double_all"}, 2),
        ("R-36", "mexican_train", {"in_play": {"divisors": [5], "count": "sum"}}, 2),
        ("R-36", "mexican_train", {"bonus": {"capicua": 25, "chuchazo": 0}}, 2),
        ("R-36", "mexican_train", {"block_winner": "lowest_side"}, 2),
        ("R-36", "draw", {"target": {"kind": "rounds_lowest", "value": {"2": 5}, "check": "round_end"}}, 2),
        ("R-36", "draw", {"end_score": {"domino": {"value": "own_pips_penalty", "round": "none"}, "block": ZERO}}, 2),
        ("R-37", "all_fives", {"bonus": {"capicua": 25, "chuchazo": 0}}, 2),
        ("R-37", "block_rounds", {"bonus": {"capicua": 25, "chuchazo": 0}}, 2),
        ("R-38", "muggins", {"in_play": {"divisors": [3, 5], "count": "sum"}}, 2),
        ("R-38", "muggins", {"in_play": {"divisors": [1], "count": "sum"}}, 2),
        ("R-39", "muggins", {"target": {"kind": "exact", "value": {"2": 61}, "check": "round_end"}}, 2),
        (
            "R-39",
            "draw",
            {
                "target": {"kind": "exact", "value": {"2": 61}, "check": "immediate"},
                "block_winner": "last_mover",
            },
            2,
        ),
        ("R-39", "block_rounds", {"target": {"kind": "shutout", "value": {"3": 6}, "check": "round_end"}}, 3),
        ("R-39", "block", {"target": {"kind": "shutout", "value": {"2": 6}, "check": "round_end"}}, 2),
        ("R-40", "block_rounds", {"end_score": {"domino": {"value": "win", "round": "down5"}, "block": WIN}}, 2),
        (
            "R-40",
            "fives_four_way",
            {"end_score": {"domino": OTHERS, "block": {"value": "others_minus_own", "round": "down5"}}},
            2,
        ),
        ("R-41", "jamaican_partner", {"target": {"kind": "shutout", "value": {"4": 6}, "check": "immediate"}}, 4),
        ("R-43", "block", {"block_winner": "none"}, 2),
    ],
)
def test_what_cannot_be_played_is_refused_by_its_rule(
    rule: str, key: str, overrides: dict[str, Any], seats: int
) -> None:
    """R-32 to R-43: the rule's number and words that say what is wrong."""
    variant = build(key, overrides)
    problem = variant if isinstance(variant, Invalid) else check(variant, seats)

    assert isinstance(problem, Invalid)
    assert (problem.rule, bool(problem.message)) == (rule, True)
