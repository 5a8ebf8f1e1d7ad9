"""Rulings: where a game is told in more than one way, the variants are the way of the rules."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from operator import attrgetter

import pytest
from hypothesis import given, settings

from capicua.engine import (
    NAMES,
    VARIANTS,
    GameEnded,
    Invalid,
    Phase,
    RoundEnded,
    RoundStarted,
    TilePlayed,
    Variant,
    build,
    check,
    decide,
    evolve,
    new_state,
)
from capicua.engine.tiles import DOUBLE
from kit.games import GAMES, deal, random_game

Game = tuple[tuple[Variant, int], int]

RULINGS: list[tuple[str, str, str, object]] = [
    ("R-88", "block_rounds", "opener.after_tie", "first_rule"),
    ("R-92", "all_fives", "end_score.domino.value", "others"),
    ("R-92", "all_fives", "end_score.block.value", "others"),
    ("R-94", "all_fives", "target.check", "round_end"),
    ("R-98", "fives_four_way", "target.check", "immediate"),
    ("R-98", "fives_four_way", "target.value", {2: 100}),
    ("R-100", "fives_four_way", "block_winner", "leader"),
    ("R-100", "fives_four_way", "end_score.block.value", "others_minus_own"),
    ("R-101", "fives_four_way", "end_score.block.round", "none"),
    ("R-103", "fives_four_way", "opener.next", "first_rule"),
    ("R-105", "fives_four_way", "hand_size", {2: 7}),
    *[("R-110", key, "hand_size", {2: 7, 3: 5, 4: 5}) for key in ("draw_lowest", "draw_last_mover", "draw_100")],
    *[("R-111", key, "spinner", "none") for key in ("draw_lowest", "draw_last_mover", "draw_100")],
    *[("R-112", key, "block_winner", "lowest_side") for key in ("draw_lowest", "draw_100")],
    *[("R-112", key, "opener.first", "lot_by_tile") for key in ("draw_lowest", "draw_100")],
    *[("R-112", key, "opener.after_tie", "first_rule") for key in ("draw_lowest", "draw_100")],
    ("R-113", "draw_100", "end_score.block.value", "others"),
    ("R-115", "draw", "hand_size", {2: 7, 3: 7, 4: 6}),
    ("R-118", "mexican_train", "hand_size", {2: 15, 3: 15, 4: 15, 5: 12, 6: 12, 7: 10, 8: 10}),
    ("R-119", "cuban_double_nine", "opener.next", "winner"),
    ("R-119", "cuban_double_nine", "opener.first", "lot_by_tile"),
    ("R-119", "cuban_double_nine", "target.value", {4: 150}),
    ("R-120", "partners_100", "end_score.domino.value", "others"),
    ("R-120", "partners_200", "end_score.domino.value", "all"),
    ("R-124", "draw_hoyle", "seats", (2,)),
    ("R-124", "draw_hoyle", "draw.reserve", 2),
    ("R-125", "fives_and_threes", "teams", "none"),
    ("R-127", "jamaican_partner", "opener.next", "winner"),
    ("R-139", "mexican_train", "trains.engine", "preset_descending"),
    ("R-139", "mexican_train", "trains.double_follow_up", "on_that_double"),
    ("R-139", "mexican_train", "trains.double_blank_pips", 0),
    *[("R-8", key, "turn_seconds", 30) for key in VARIANTS],
]

FAMILIES = {
    "no drawing": {
        "block_rounds", "block", "fives_and_threes",
        "partners_100", "partners_200", "jamaican_partner", "cuban_double_nine",
    },
    "points in play": {"all_fives", "muggins", "fives_four_way", "fives_and_threes"},
    "pairs": {"partners_100", "partners_200", "jamaican_partner", "cuban_double_nine"},
    "pairs by choice": {"draw_lowest", "draw_last_mover", "draw_100"},
    "trains": {"mexican_train"},
}  # fmt: skip


@pytest.mark.parametrize(("rule", "key", "parameter", "value"), RULINGS)
def test_a_variant_is_as_ruled(rule: str, key: str, parameter: str, value: object) -> None:
    """The rule named in each line of the table."""
    assert attrgetter(parameter)(VARIANTS[key]) == value


def test_variants_belong_to_their_families() -> None:
    """R-13: what the variants have in common."""
    belongs: dict[str, Callable[[Variant], bool]] = {
        "no drawing": lambda variant: variant.draw.policy == "none",
        "points in play": lambda variant: bool(variant.in_play.divisors),
        "pairs": lambda variant: variant.teams == "pairs",
        "pairs by choice": lambda variant: variant.teams == "optional",
        "trains": lambda variant: variant.topology == "trains",
    }

    assert {family: {key for key, v in VARIANTS.items() if belongs[family](v)} for family in FAMILIES} == FAMILIES


def test_an_opener_found_by_its_double_must_lead_it() -> None:
    """R-102: in every variant that finds the opener so."""
    for variant in VARIANTS.values():
        assert (variant.opener.first == "high_double") == (variant.opener.lead == "qualifying")


@pytest.mark.parametrize(
    ("key", "overrides"),
    [
        ("fives_four_way", {"set": 9}),
        ("fives_four_way", {"set": 12}),
        ("draw_lowest", {"spinner": "first_double_all"}),
        ("mexican_train", {"hand_size": {"2": 16}}),
        ("draw", {"draw": {"policy": "until_playable", "reserve": 1}}),
        ("fives_and_threes", {"hand_size": {"2": 9, "3": 6}}),
    ],
)
def test_what_may_be_overridden_can_be_played(key: str, overrides: dict[str, object]) -> None:
    """R-105, R-111, R-118, R-124, R-125: the other ways to play are overrides."""
    variant = build(key, overrides)

    assert not isinstance(variant, Invalid)
    assert check(variant, 2) is None


@given(GAMES)
@settings(max_examples=40)
def test_the_lead_goes_round_from_the_last_opener(game: Game) -> None:
    """R-20, R-96: the seat after the one that opened, however it had come to open; the same seat where ruled so."""
    (variant, seats), seed = game
    rounds = [event for event, _ in random_game(variant, seats, seed, rounds=4) if isinstance(event, RoundStarted)]
    for last, started in pairwise(rounds):
        if started.opener_by in ("rotate", "same"):
            assert started.opener == (last.opener + (started.opener_by == "rotate")) % seats


@given(GAMES)
@settings(max_examples=60)
def test_a_lot_takes_no_tile_out_of_the_deal(game: Game) -> None:
    """R-19, R-107, R-134: every seat takes a tile, tied seats alone take again, and the deal is of all tiles."""
    (variant, seats), seed = game
    for event, _ in random_game(variant, seats, seed, rounds=2):
        if isinstance(event, RoundStarted) and event.lot:
            sizes = [len(drawn) for drawn in event.lot]

            assert sizes[0] == seats
            assert all(later <= before for before, later in pairwise(sizes))
            dealt = {*(tile for hand in event.hands for tile in hand), *event.boneyard}
            assert {tile for drawn in event.lot for tile in drawn} <= dealt


def test_a_deal_with_five_doubles_is_played() -> None:
    """R-134: no hand is a reason to deal again."""
    variant = VARIANTS["cuban_double_nine"]
    many = []
    for seed in range(300):
        chance = random.Random(seed)
        state = new_state(variant, 4, 30_000)
        events = decide(state, deal(state, chance), 0)
        assert isinstance(events, tuple)
        assert isinstance(events[0], RoundStarted)
        if max(sum(DOUBLE[tile] for tile in hand) for hand in events[0].hands) >= 5:
            many.append(evolve(state, events[0]).phase)

    assert set(many) == {Phase.PLAYING}


@given(GAMES)
@settings(max_examples=60)
def test_bonuses_are_those_that_the_variant_gives(game: Game) -> None:
    """R-30, R-133: for a capicúa or a chuchazo, and for no round because of its number."""
    (variant, seats), seed = game
    for event, _ in random_game(variant, seats, seed, rounds=4):
        if isinstance(event, RoundEnded):
            assert all(bonus.points == getattr(variant.bonus, bonus.kind) for bonus in event.bonuses)
            assert len(event.bonuses) <= 1


@given(GAMES)
@settings(max_examples=60)
def test_equal_lowest_hands_of_partners_win(game: Game) -> None:
    """R-26, R-128: only lowest hands on different sides leave no winner."""
    (variant, seats), seed = game
    for event, state in random_game(variant, seats, seed, rounds=4):
        if isinstance(event, RoundEnded) and event.reason == "block" and variant.block_winner == "lowest_hand":
            lowest = min(event.hand_pips)
            sides = {state.setup.side(seat) for seat, pips in enumerate(event.hand_pips) if pips == lowest}

            assert event.winner_side == (sides.pop() if len(sides) == 1 else None)


def test_the_last_tile_and_its_domino_out_are_one_sum() -> None:
    """R-63, R-126: both count or both are void, and nobody is ever past 61."""
    voided = 0
    for seed in range(60):
        for event, state in random_game(VARIANTS["fives_and_threes"], 2, seed, rounds=100):
            assert max(state.scores) <= 61
            if isinstance(event, TilePlayed) and event.voided:
                assert (event.points, event.out_point) == (0, 0)
                voided += not state.hands[event.seat]

    assert voided


def test_after_the_last_double_the_engine_begins_again() -> None:
    """R-69, R-140: round 14, which equal totals call for, is played from 12-12."""
    state = new_state(VARIANTS["mexican_train"], 2, 30_000, round=13)
    events = decide(state, deal(state, random.Random(0)), 0)

    assert isinstance(events, tuple)
    assert isinstance(events[0], RoundStarted)
    assert events[0].engine_tile == NAMES.index("12-12")


@pytest.mark.parametrize("key", [key for key in VARIANTS if key not in ("all_fives", "muggins", "mexican_train")])
def test_whoever_reaches_the_target_is_alone_at_the_top(key: str) -> None:
    """R-81: no round of these variants ends with equal top scores at the target, so the game is over at once."""
    variant = VARIANTS[key]
    for seats in variant.seats:
        for seed in range(5):
            played = [*random_game(variant, seats, seed, rounds=500)]
            for (event, state), (following, _) in pairwise(played):
                if isinstance(event, RoundEnded) and max(state.scores) >= variant.target.value[seats]:
                    assert isinstance(following, GameEnded)
