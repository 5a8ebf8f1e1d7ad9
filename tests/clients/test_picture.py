"""Tiles lie as on a real table, whatever was played, and the picture of it can be read."""

from __future__ import annotations

import random
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from capicua.engine import NAMES, PIPS, VARIANTS, GameState, TilePlayed, Variant, build, tile_count
from capicua.engine.tiles import DOUBLE
from capicua.engine.trains import Trains
from capicua.picture import Placed, Plan, Step, draw, plan_layout
from capicua.picture.pips import pattern
from kit.games import GAMES, random_game

Game = tuple[tuple[Variant, int], int]
PLAYERS = ("Ana", "Bruno", "Carla", "Dario", "Elena", "Fernando", "Gabriela", "Hugo")
SVG = "{http://www.w3.org/2000/svg}"


def last_state(game: Game) -> GameState:
    (variant, seats), seed = game
    *_, (_, state) = random_game(variant, seats, seed, rounds=1)
    return state


def touch(one: Placed, two: Placed) -> bool:
    """Whether a half of one lies edge to edge with a half of the other that has the same number.

    A double lies across: there it is the middle of its long side that touches.
    """
    places = [[(tile.first, tile.half(False)), (tile.second, tile.half(True))] for tile in (one, two)]
    for tile, halves in zip((one, two), places, strict=True):
        if DOUBLE[tile.tile]:
            halves.append((tile.first, (tile.x, tile.y)))
    return any(
        pips == other and abs(x - u) + abs(y - v) == pytest.approx(1)
        for pips, (x, y) in places[0]
        for other, (u, v) in places[1]
    )


def chains(plan: Plan) -> list[list[Placed]]:
    """Every arm with what it leaves from; the tiles of trains leave from the hub."""
    start = [plan.middle] if plan.middle is not None and not plan.rows else []
    return [[*start, *arm] for arm in plan.arms.values()]


@given(GAMES, st.floats(1.2, 2.4))
@settings(max_examples=60)
def test_no_two_tiles_overlap_and_none_leaves_the_plan(game: Game, proportion: float) -> None:
    """Every tile of the layout lies on the plan, once, wherever the chain had to fold."""
    state = last_state(game)
    assert state.layout is not None

    plan = plan_layout(state, proportion)

    tiles = list(plan.tiles())
    engine_tile = [] if state.engine_tile is None else [state.engine_tile]
    assert sorted(tile.tile for tile in tiles) == sorted(
        [*engine_tile, *(tile for _, tile, _ in state.layout.placements)]
    )
    assert plan.width / plan.height == pytest.approx(proportion)
    assert not [(one, two) for one, two in combinations(tiles, 2) if one.is_near(two)]
    assert all(1 <= y <= plan.height - 1 for y in plan.rows.values())
    for tile in tiles:
        assert tile.reach((1, 0)) <= tile.x <= plan.width - tile.reach((1, 0))
        assert tile.reach((0, 1)) <= tile.y <= plan.height - tile.reach((0, 1))
        assert tuple(sorted((tile.first, tile.second), reverse=True)) == PIPS[tile.tile]


def longest(variant: Variant, seats: int, seed: int, ends: str) -> GameState:
    """A game whose whole tile set, as far as it fits, was laid at the first of `ends` that takes a tile."""
    chance = random.Random(seed)
    state = next(state for _, state in random_game(variant, seats, seed) if state.layout is not None)
    layout = state.layout
    assert layout is not None
    tiles = chance.sample(range(tile_count(variant.set)), tile_count(variant.set))
    # The strongest double first, which is the spinner where there is one; trains have it on the hub.
    layout = layout if isinstance(layout, Trains) else layout.place(0, tiles.pop(tiles.index(max(tiles))), "-")
    while True:
        numbers = dict(layout.ends())
        fits = ((tile, end) for end in ends for tile in tiles if numbers.get(end, -1) in PIPS[tile])
        tile, end = next(((tile, end) for tile, end in fits if tile != state.engine_tile), (None, ""))
        if tile is None:
            return replace(state, layout=layout)
        tiles.remove(tile)
        layout = layout.place(0, tile, end)


@pytest.mark.parametrize(("key", "seats"), [("draw", 2), ("all_fives", 2), ("fives_four_way", 2), ("mexican_train", 8)])
@pytest.mark.parametrize("ends", ["LRUD01M", "RLUD1M0", "UDLR0M1", "DRLUM01"])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=5, deadline=None)
def test_one_arm_may_be_as_long_as_the_tile_set(key: str, seats: int, ends: str, seed: int) -> None:
    """Folding never runs into another arm, and in the end a wider plan is taken."""
    variant = build(key, {"set": 12})
    assert isinstance(variant, Variant)
    plan = plan_layout(longest(variant, seats, seed, ends), 1.6)

    assert max(map(len, plan.arms.values())) > 40
    assert not [(one, two) for one, two in combinations(plan.tiles(), 2) if one.is_near(two)]
    assert all(touch(*pair) for chain in chains(plan) for pair in pairwise(chain))


@given(GAMES)
@settings(max_examples=60)
def test_equal_halves_touch(game: Game) -> None:
    """R-48: each tile lies with the matching half at the one before it, around corners too."""
    plan = plan_layout(last_state(game), 1.6)

    for chain in chains(plan):
        assert [pair for pair in pairwise(chain) if not touch(*pair)] == []


@given(GAMES)
@settings(max_examples=60)
def test_the_outer_halves_are_the_open_ends(game: Game) -> None:
    """R-47, R-49, R-69: what an arm shows outward is the number of its end."""
    state = last_state(game)
    assert state.layout is not None
    plan = plan_layout(state, 1.6)

    for end, pips in state.layout.ends():
        outer = plan.arms[end][-1] if plan.arms[end] else plan.middle
        assert outer is not None
        assert pips == (outer.first if outer is plan.middle and end == "L" else outer.second)


@given(GAMES)
@settings(max_examples=60)
def test_doubles_lie_across_the_way(game: Game) -> None:
    """A double lies at right angles to the tile it was played at."""
    for chain in chains(plan_layout(last_state(game), 1.6)):
        for before, tile in pairwise(chain):
            if DOUBLE[tile.tile]:
                assert tile.reach(before.heading) == 0.5


@given(GAMES)
@settings(max_examples=40)
def test_tiles_stay_where_they_are(game: Game) -> None:
    """From play to play nothing moves, but when the plan grows or the spinner takes the middle."""
    (variant, seats), seed = game
    lines = variant.topology == "line"
    before: Plan | None = None
    for event, state in random_game(variant, seats, seed, rounds=1):
        if isinstance(event, TilePlayed) and lines:
            plan = plan_layout(state, 1.6)
            if before is not None and before.width == plan.width and before.middle == plan.middle:
                assert set(before.tiles()) < set(plan.tiles())
            before = plan


@pytest.mark.parametrize("number", range(13))
def test_a_number_is_read_from_its_pips_alone(number: int) -> None:
    """So many pips, none on another, the same from both sides, and unlike every other number's."""
    spots = pattern(number)

    assert len(set(spots)) == number
    assert set(spots) == {(-x, -y) for x, y in spots}
    assert all(max(abs(x - u), abs(y - v)) > 0.2 for (x, y), (u, v) in combinations(spots, 2))


@given(GAMES, st.data())
@settings(max_examples=40, deadline=None)
def test_every_step_of_every_kind_of_game_can_be_drawn(game: Game, data: st.DataObject) -> None:
    """Each step is well-formed SVG that shows every tile of the layout, in the same bytes each time."""
    (variant, seats), seed = game
    steps = list(random_game(variant, seats, seed, rounds=2))
    at = data.draw(st.integers(1, len(steps)))
    layout = steps[at - 1][1].layout

    drawn = draw(steps, at, PLAYERS[:seats])

    assert drawn == draw(steps, at, PLAYERS[:seats])
    root = ElementTree.fromstring(drawn)
    titles = [title.text or "" for title in root.iter(f"{SVG}title")]
    for _, tile, _ in layout.placements if layout is not None else ():
        assert sum(title.split(",")[0] == NAMES[tile] for title in titles) == 1


def test_a_name_is_text_and_nothing_else() -> None:
    """Mark-up, controls and marks that reorder text do no harm."""
    steps: list[Step] = list(random_game(VARIANTS["block"], 2, 1, rounds=1))

    drawn = draw(steps, len(steps), ["<script>&\"'", "B\x00\x1b\u202e\ufffeo"])

    texts = [text.text for text in ElementTree.fromstring(drawn).iter(f"{SVG}text")]
    assert "<script>&\"'" in texts
    assert "Bo" in texts


@pytest.mark.parametrize("at", [0, 31])
def test_there_is_no_picture_of_no_step(at: int) -> None:
    """Steps are counted from 1."""
    steps: list[Step] = list(random_game(VARIANTS["block"], 2, 1, rounds=1))[:30]
    with pytest.raises(IndexError):
        draw(steps, at, PLAYERS[:2])


def test_hands_are_hidden_until_their_round_is_over() -> None:
    """A round that the record does not finish has backs only; one that it does is all known."""
    steps: list[Step] = list(random_game(VARIANTS["draw"], 2, 7, rounds=1))
    held = sum(steps[2][1].hand_sizes)

    known, unknown = draw(steps, 3, PLAYERS[:2]), draw(steps[:10], 3, PLAYERS[:2])

    assert (known.count(b'"#face"'), known.count(b'"#back"')) == (held, 0)
    assert (unknown.count(b'"#face"'), unknown.count(b'"#back"')) == (0, held)
