"""Tiles lie as on a real table, whatever was played, and the picture of it can be read."""

from __future__ import annotations

import math
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
from capicua.picture.hand import arrange, seated
from capicua.picture.page import Box
from capicua.picture.pips import COLOURS, IVORY, pattern
from capicua.picture.plan import HUB, ROW
from kit.games import GAMES, random_game

Game = tuple[tuple[Variant, int], int]
PLAYERS = ("Ana", "Bruno", "Carla", "Dario", "Elena", "Fernando", "Gabriela", "Hugo")
SVG = "{http://www.w3.org/2000/svg}"


def last_state(game: Game) -> GameState:
    (variant, seats), seed = game
    *_, (_, state) = random_game(variant, seats, seed, rounds=1)
    return state


def halves(tile: Placed) -> list[tuple[int, tuple[float, float]]]:
    """Number and centre of each half, and of a double the middle besides."""
    (dx, dy), x, y = tile.heading, tile.x, tile.y
    ends = [(tile.first, (x - dx / 2, y - dy / 2)), (tile.second, (x + dx / 2, y + dy / 2))]
    return [*ends, (tile.first, (x, y))] if DOUBLE[tile.tile] else ends


def touch(one: Placed, two: Placed) -> bool:
    """Whether a half of one lies edge to edge with a half of the other that has the same number.

    A double lies across: there it is the middle of its long side that touches.
    """
    return any(
        pips == other and abs(x - u) + abs(y - v) == pytest.approx(1)
        for pips, (x, y) in halves(one)
        for other, (u, v) in halves(two)
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


@pytest.mark.parametrize("seats", range(2, 9))
def test_trains_that_nobody_has_begun_have_room(seats: int) -> None:
    """R-70: every seat's train and the Mexican one has a row before the first play."""
    dealt = (state for _, state in random_game(VARIANTS["mexican_train"], seats, 1) if state.layout is not None)

    plan = plan_layout(next(dealt), 1.6)

    rows = list(plan.rows.values())
    assert len(rows) == seats + 1
    assert all(below - row >= ROW for row, below in pairwise([-ROW / 2, *rows, plan.height + ROW / 2]))


@given(st.integers(2, 8), st.integers(0, 2**32))
@settings(max_examples=20)
def test_every_train_leaves_the_hub(seats: int, seed: int) -> None:
    """R-69: its first tile touches the hub with the number of the engine tile."""
    state = last_state(((VARIANTS["mexican_train"], seats), seed))
    plan = plan_layout(state, 1.6)

    assert plan.middle is not None
    for first in (arm[0] for arm in plan.arms.values() if arm):
        assert first.first == plan.middle.first
        assert first.x - first.reach((1, 0)) == pytest.approx(HUB)


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


@given(st.integers(1, 60), st.floats(60, 1300), st.floats(40, 600), st.booleans())
def test_a_hand_of_any_size_fits_its_box(tiles: int, width: float, height: float, upright: bool) -> None:
    """However many tiles a seat drew, they lie apart and within their box."""
    box = Box(10, 20, width, height)

    size, spots = arrange(tiles, box, 24, upright)

    heading = (0, 1) if upright else (1, 0)
    placed = [Placed(0, 0, 0, (spot.x - box.x) / size, (spot.y - box.y) / size, heading) for spot in spots]
    assert len(placed) == tiles
    assert not [pair for pair in combinations(placed, 2) if pair[0].is_near(pair[1])]
    for tile in placed:
        assert tile.reach((1, 0)) - 1e-6 <= tile.x <= width / size - tile.reach((1, 0)) + 1e-6
        assert tile.reach((0, 1)) - 1e-6 <= tile.y <= height / size - tile.reach((0, 1)) + 1e-6


@pytest.mark.parametrize("seats", range(2, 9))
@pytest.mark.parametrize("clockwise", [True, False])
def test_seats_follow_each_other_around_the_layout(seats: int, clockwise: bool) -> None:
    """R-31: the direction is the one in which the seats are shown."""
    middles = {"B": (0, 3), "T": (0, -3), "L": (-5, 0), "R": (5, 0)}
    angles = []
    for side, at, many in seated(seats, clockwise):
        x, y = middles[side]
        angles.append(math.atan2(y, x + at - (many - 1) / 2))
    turns = [(after - before) % math.tau for before, after in pairwise([*angles, angles[0]])]

    # All the way around once, in steps of one direction only; y grows downwards, so clockwise is up in angles.
    assert sum(turns) == pytest.approx(math.tau * (1 if clockwise else seats - 1))
    assert len(set(angles)) == seats


@pytest.mark.parametrize("number", range(1, 13))
def test_pips_stand_out_from_ivory(number: int) -> None:
    """Every colour has the contrast that graphics need to be seen, 3 to 1 (WCAG 1.4.11)."""

    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    assert (light(IVORY) + 0.05) / (light(COLOURS[number]) + 0.05) >= 3
