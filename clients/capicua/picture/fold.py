"""A run of tiles folded along lanes. The unit of length is half a tile; y grows downwards."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from capicua.engine.tiles import DOUBLE

Vector = tuple[int, int]
"""A heading along one axis: (1, 0) is to the right, (0, 1) is down."""


class Laid(NamedTuple):
    """A tile of a run: the half that touches the tile before it, and the half that shows outward."""

    tile: int
    inner: int
    outward: int

    @property
    def turned(self) -> Laid:
        """The tile seen from the other end."""
        return Laid(self.tile, self.outward, self.inner)


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile in its place: its centre, and the heading from its `first` half to its `second`.

    It covers 2 × 1 units; `angle` is in degrees clockwise, 0 for a tile whose second half is on the right.
    """

    tile: int
    first: int
    second: int
    x: float
    y: float
    heading: Vector

    @property
    def angle(self) -> int:
        """Degrees clockwise: 0, 90, 180 or 270."""
        return {(1, 0): 0, (0, 1): 90, (-1, 0): 180, (0, -1): 270}[self.heading]

    def reach(self, heading: Vector) -> float:
        """How far it reaches from its centre along `heading`: 1 along the tile, ½ across it."""
        return 1.0 if heading[0] * self.heading[0] + heading[1] * self.heading[1] else 0.5

    def is_near(self, other: Placed, gap: float = 0.0) -> bool:
        """Whether less than `gap` lies between the two tiles; without a gap, whether they overlap."""
        x = abs(self.x - other.x) - self.reach((1, 0)) - other.reach((1, 0))
        y = abs(self.y - other.y) - self.reach((0, 1)) - other.reach((0, 1))
        return max(x, y) < gap - 1e-9

    def moved(self, x: float, y: float) -> Placed:
        """The tile elsewhere, `x` to the right and `y` down."""
        return replace(self, x=self.x + x, y=self.y + y)


class Lane(NamedTuple):
    """A straight stretch; `limit` is the coordinate along `heading` that no tile but a double may pass."""

    heading: Vector
    limit: float


LEG = -math.inf
"""Limit of a lane that only leads to the next one: it takes one tile, and doubles that follow."""

OVERHANG = 1.5
"""How far doubles may stand out over the limits of their lanes."""


def reverse(heading: Vector) -> Vector:
    """The heading back."""
    return -heading[0], -heading[1]


def lanes(out: Vector, fold: Vector, far: float, near: float) -> Iterator[Lane]:
    """Lanes to and fro without end: along `out` to `far`, a leg along `fold`, back to `near`, a leg, …"""
    while True:
        yield Lane(out, far)
        yield Lane(fold, LEG)
        yield Lane(reverse(out), near)
        yield Lane(fold, LEG)


def fold(run: Iterable[Laid], start: Placed, along: Iterator[Lane]) -> list[Placed]:
    """The tiles of `run` in their places, each touching the one before it, the first one `start`.

    A double lies across the way, and a turn after it leaves from its short side. It is never itself a turn:
    two doubles never follow each other, so a lane is passed by one double at most.
    """
    placed: list[Placed] = []
    previous, lane = start, next(along)
    for laid in run:
        tile = _straight(laid, previous, lane.heading)
        passes = tile.x * lane.heading[0] + tile.y * lane.heading[1] + 1 > lane.limit
        if passes and not DOUBLE[laid.tile]:
            left, lane = lane, next(along)
            tile = _turned(laid, previous, left, lane.heading)
        placed.append(tile)
        previous = tile
    return placed


def _straight(laid: Laid, previous: Placed, heading: Vector) -> Placed:
    """The tile right behind the one before it."""
    across = DOUBLE[laid.tile]
    by = previous.reach(heading) + (0.5 if across else 1)
    lies = (abs(heading[1]), abs(heading[0])) if across else heading
    return Placed(laid.tile, laid.inner, laid.outward, previous.x + by * heading[0], previous.y + by * heading[1], lies)


def _turned(laid: Laid, previous: Placed, left: Lane, heading: Vector) -> Placed:
    """The tile around the corner: at the side of the outward half, or after a leg ahead of it.

    Of a lane, a leg and the lane back the two corners so keep three units between the lanes.
    """
    ahead = left.limit == LEG and not DOUBLE[previous.tile]
    on = previous.reach(left.heading) + (0.5 if ahead else -0.5)
    off = 0.5 if ahead else previous.reach(heading) + 1
    x = previous.x + on * left.heading[0] + off * heading[0]
    y = previous.y + on * left.heading[1] + off * heading[1]
    return Placed(laid.tile, laid.inner, laid.outward, x, y, heading)
