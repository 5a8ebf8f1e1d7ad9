"""Tiles lie in a terminal as on a real table, whatever was played and however small the window is."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capicua.engine import GameState, Variant
from capicua.engine.tiles import DOUBLE, NAMES
from capicua.engine.trains import Trains
from capicua.tui.chain_plan import ChainPlan, Spot, plan_chain
from capicua.tui.layout import MEXICAN, Layout
from kit.games import GAMES, random_game

Game = tuple[tuple[Variant, int], int]
SIZES = ((80, 14), (120, 28), (44, 6))
"""What is left for the layout in windows of 80×24 and 120×40, and in one that is too small."""
SIDE_BY_SIDE = ((-1, 0), (1, 0), (0, -1), (0, 1))


def layout_of(state: GameState) -> Layout:
    """What a view of this state shows."""
    if isinstance(state.layout, Trains):
        names = tuple(name for name, _ in state.layout.ends())
        return Layout(state.layout.placements, False, state.variant.set, state.engine_tile, names)
    assert state.layout is not None
    return Layout(state.layout.placements, state.variant.spinner != "none", state.variant.set)


def overlap(one: Spot, two: Spot) -> bool:
    return one.x < two.right and two.x < one.right and one.y < two.below and two.y < one.below


def touch(one: Spot, two: Spot) -> bool:
    """Whether the two lie edge to edge with halves of the same number."""
    across = one.right == two.x or two.right == one.x
    down = one.below == two.y or two.below == one.y
    beside = across and one.y < two.below and two.y < one.below
    stacked = down and one.x < two.right and two.x < one.right
    return (beside or stacked) and bool({one.first, one.second} & {two.first, two.second})


def chains(plan: ChainPlan) -> list[list[Spot]]:
    """Every arm with what it leaves from; trains leave from the hub."""
    start = [plan.middle] if plan.middle is not None and not plan.rows else []
    return [[*start, *arm] for arm in plan.arms.values()]


@pytest.mark.parametrize(("width", "height"), SIZES)
@given(GAMES, st.sampled_from(["boxes", "unicode"]))
def test_tiles_lie_apart_and_touch_their_neighbours(width: int, height: int, game: Game, tiles: str) -> None:
    """No two tiles overlap, each touches the next by the same number, and all lie within the window's width (R-46)."""
    (variant, seats), seed = game
    label = 12 if variant.topology == "trains" else 0
    for number, (_, state) in enumerate(random_game(variant, seats, seed, rounds=1)):
        if number % 7 or state.layout is None:
            continue

        plan = plan_chain(layout_of(state), width, height, tiles, label)  # type: ignore[arg-type]

        spots = list(plan.spots())
        played = [tile for _, tile, _ in state.layout.placements]
        assert sorted(spot.tile for spot in spots) == sorted(
            played if state.engine_tile is None else [*played, state.engine_tile]
        )
        assert not any(overlap(one, two) for one, two in combinations(spots, 2))
        assert all(touch(one, two) for chain in chains(plan) for one, two in pairwise(chain)), plan
        assert all(label <= spot.x and spot.right <= max(width, plan.width) for spot in spots)
        assert all(spot.y >= 0 and spot.below <= plan.height for spot in spots)
        assert plan.width == width


@given(GAMES)
def test_trains_leave_the_hub_one_below_the_other(game: Game) -> None:
    """Every train begins at the hub with the engine tile's number, on a row of its own (R-69)."""
    (variant, seats), seed = game
    *_, (_, state) = random_game(variant, seats, seed, rounds=1)
    if not isinstance(state.layout, Trains):
        return

    plan = plan_chain(layout_of(state), 80, 14, "boxes", 12)

    assert plan.middle is not None
    assert list(plan.rows)[-1] == MEXICAN
    assert sorted(plan.rows.values()) == list(plan.rows.values())
    assert len(set(plan.rows.values())) == seats + 1
    for arm in plan.arms.values():
        if arm:
            assert arm[0].x == plan.middle.right
            assert arm[0].first == plan.middle.first


@given(GAMES)
def test_doubles_lie_across(game: Game) -> None:
    """A double on a line lies crosswise to its lane; a corner is never a double."""
    (variant, seats), seed = game
    *_, (_, state) = random_game(variant, seats, seed, rounds=1)
    if isinstance(state.layout, Trains):
        return

    plan = plan_chain(layout_of(state), 80, 14, "boxes")

    for spot in plan.spots():
        if DOUBLE[spot.tile]:
            assert (spot.width, spot.height) == plan.cut.upright, NAMES[spot.tile]


def test_the_picture_is_as_big_as_it_can_be() -> None:
    """Pips where there is room for them, smaller tiles where more have been played."""
    few = Layout(((0, 27, "-"),), False, 6)

    assert plan_chain(few, 80, 14, "boxes").cut.pips
    assert not plan_chain(few, 80, 6, "boxes").cut.pips
    assert plan_chain(few, 20, 1, "boxes").height > 1
