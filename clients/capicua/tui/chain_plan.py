"""Where the tiles of a layout lie in a terminal. The unit of length is a cell; y grows downwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from capicua.engine.tiles import DOUBLE, PIPS, TOTAL
from capicua.picture.fold import Laid
from capicua.picture.plan import arms_of
from capicua.tui.cut import Cut, cuts
from capicua.tui.layout import Layout
from capicua.tui.profile import Tiles


class Spot(NamedTuple):
    """A tile in its place, from its upper left corner; `first` is the half at the left or above."""

    tile: int
    first: int
    second: int
    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column right of it."""
        return self.x + self.width

    @property
    def below(self) -> int:
        """The first row below it."""
        return self.y + self.height

    def moved(self, x: int, y: int) -> Spot:
        """The tile elsewhere, `x` to the right and `y` down."""
        return self._replace(x=self.x + x, y=self.y + y)


@dataclass(frozen=True, slots=True)
class ChainPlan:
    """Where everything lies on `width` × `height` cells.

    `arms` are the tiles of each arm outward, by the name of its open end: L R U D, or a train. On a line they leave
    from `middle`, the spinner or else the lead. Trains leave from a hub at the left at the rows `rows`; `middle` is
    the engine tile on it, which all of them touch.
    """

    cut: Cut
    width: int
    height: int
    middle: Spot | None
    arms: Mapping[str, Sequence[Spot]]
    rows: Mapping[str, int]

    def spots(self) -> Iterator[Spot]:
        """Every tile of the layout, and the engine tile."""
        return chain([self.middle] if self.middle else [], *self.arms.values())


class Way(NamedTuple):
    """How an arm is folded: to `side` first (1 is right), and `off` (1 is down) at the edges `near` and `far`.

    `near` ≤ x < `far`. It `leaves` the tile it begins at upwards or downwards where that is a spinner's short side.
    """

    side: int
    off: int
    near: int
    far: int
    leaves: bool = False


def fold(run: Iterable[Laid], start: Spot, way: Way, cut: Cut) -> list[Spot]:
    """The tiles of `run` in their places, each edge to edge with the one before it, the first one with `start`.

    Lanes go to and fro. A double lies across the lane and is never a turn: two doubles never follow each other, so
    every lane keeps room for one at its end.
    """
    placed: list[Spot] = []
    side, previous, row = way.side, start, start.y + start.height // 2
    turns = way.leaves
    for laid in run:
        across = DOUBLE[laid.tile] and cut.crosswise
        spot = _beside(laid, previous, side, row, cut, across)
        room = 0 if across or not cut.crosswise else cut.upright.width
        passes = spot.right + room > way.far if side > 0 else spot.x - room < way.near
        if turns or (passes and not across):
            spot = _turned(laid, previous, side, way.off, cut)
            # The next lane runs from the outward half of the tile in the corner.
            inset = cut.flat.height // 2
            row = spot.below - 1 - inset if way.off > 0 else spot.y + inset
            # The first tile of a spinner's short side is a corner without a lane before it.
            side = side if turns else -side
            turns = False
        placed.append(spot)
        previous = spot
    return placed


def _beside(laid: Laid, previous: Spot, side: int, row: int, cut: Cut, across: bool) -> Spot:
    width, height = cut.upright if across else cut.flat
    x = previous.right if side > 0 else previous.x - width
    first, second = (laid.inner, laid.outward) if side > 0 else (laid.outward, laid.inner)
    return Spot(laid.tile, first, second, x, row - height // 2, width, height)


def _turned(laid: Laid, previous: Spot, side: int, off: int, cut: Cut) -> Spot:
    width, height = cut.upright
    x = previous.right - width if side > 0 else previous.x
    first, second = (laid.inner, laid.outward) if off > 0 else (laid.outward, laid.inner)
    return Spot(laid.tile, first, second, x, previous.below if off > 0 else previous.y - height, width, height)


def plan_chain(layout: Layout, width: int, height: int, tiles: Tiles, label: int = 0) -> ChainPlan:
    """The plan with the biggest tiles that fits on `width` × `height` cells.

    Where none fits, one with the smallest tiles that is as high as it must be. The first `label` columns are left to
    the names of trains. A `width` that is too narrow for the smallest tiles is taken as just wide enough.
    """
    known = cuts(layout.highest, tiles)
    for cut in known[:-1]:
        if _lane(layout, width, label, cut) >= cut.narrowest and (plan := _plan(layout, width, height, label, cut)):
            return plan
    cut = known[-1] if layout.trains else next(cut for cut in reversed(known) if cut.crosswise)
    width += max(0, (cut.narrowest - _lane(layout, width, label, cut)) * (2 if layout.spins else 1) + 1)
    plan = _plan(layout, width, height, label, cut) or _plan(layout, width, None, label, cut)
    assert plan is not None
    return plan


def _lane(layout: Layout, width: int, label: int, cut: Cut) -> int:
    """How wide the narrowest lanes are."""
    if layout.trains:
        return width - label - cut.upright.width
    return (width - cut.upright.width) // 2 if layout.spins else width


def _plan(layout: Layout, width: int, height: int | None, label: int, cut: Cut) -> ChainPlan | None:
    """The plan with tiles of one size, if it fits; without a height it always does."""
    if layout.trains:
        return _trains(layout, width, height, label, cut)
    return _line(layout, width, height, cut) if cut.crosswise else None


def _line(layout: Layout, width: int, height: int | None, cut: Cut) -> ChainPlan | None:
    if not layout.placements:
        return ChainPlan(cut, width, height or 0, None, {}, {})
    laid, arms = arms_of(layout.placements, layout.spins)
    size = cut.upright if DOUBLE[laid.tile] else cut.flat
    # One arm may be much longer than the other: the middle steps aside before the tiles get smaller.
    for share in (2,) if layout.spins else (2, 1, 3):
        x = (width - size.width) * share // 4
        middle = Spot(laid.tile, laid.inner, laid.outward, x, -(size.height // 2), *size)
        if plan := _folded(middle, arms, layout.spins and DOUBLE[laid.tile], width, height, cut):
            return plan
    return None


def _folded(
    middle: Spot, arms: Mapping[str, Sequence[Laid]], quartered: bool, width: int, height: int | None, cut: Cut
) -> ChainPlan | None:
    """The arms folded around the middle, if all of it is not higher than `height`."""
    placed = {end: fold(run, middle, _way(end, middle, width, quartered), cut) for end, run in arms.items()}
    everything = [middle, *chain(*placed.values())]
    top, bottom = min(spot.y for spot in everything), max(spot.below for spot in everything)
    height = bottom - top if height is None else height
    if bottom - top > height:
        return None
    # The middle stays in the middle as long as it can, so that the picture is quiet.
    down = min(max(height // 2, -top), height - bottom)
    moved = {end: [spot.moved(0, down) for spot in arm] for end, arm in placed.items()}
    return ChainPlan(cut, width, height, middle.moved(0, down), moved, {})


def _way(end: str, middle: Spot, width: int, quartered: bool) -> Way:
    """The whole width for an arm of two, a quarter of the plan for each where there may be four."""
    side, off = 1 if end in "RU" else -1, -1 if end in "LU" else 1
    if not quartered:
        return Way(side, off, 0, width)
    near, far = (middle.right, width) if side > 0 else (0, middle.x)
    return Way(side, off, near, far, leaves=end in "UD")


def _trains(layout: Layout, width: int, height: int | None, label: int, cut: Cut) -> ChainPlan | None:
    engine_tile = layout.engine_tile
    assert engine_tile is not None
    number = PIPS[engine_tile][0]
    hub = Spot(engine_tile, number, number, label, 0, cut.upright.width, cut.flat.height)
    runs: dict[str, list[Laid]] = {name: [] for name in layout.trains}
    for _, tile, name in layout.placements:
        run = runs[name]
        inner = run[-1].outward if run else number
        run.append(Laid(tile, inner, TOTAL[tile] - inner))
    arms: dict[str, list[Spot]] = {}
    rows: dict[str, int] = {}
    below = 0
    for name, run in runs.items():
        arm = fold(run, hub, Way(1, 1, hub.right, width), cut)
        down = below - min((spot.y for spot in arm), default=0)
        arms[name] = [spot.moved(0, down) for spot in arm]
        rows[name] = down + cut.flat.height // 2
        below = max(down + cut.flat.height, *(spot.below for spot in arms[name]), 0)
    height = below if height is None else height
    if below > height:
        return None
    middle = hub._replace(y=max(0, (below - cut.upright.height) // 2), height=cut.upright.height)
    return ChainPlan(cut, width, height, middle, arms, rows)
