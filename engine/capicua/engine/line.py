"""The line: two ends, or up to four around a spinner (R-46 to R-54)."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

import msgspec

from capicua.engine.tiles import ALL, DOUBLE, FITTING, PIPS, TOTAL, tiles_in

ENDS = ("L", "R", "U", "D")
SIDE = {end: side for side, end in enumerate(ENDS)}
BARE = -1
"""Of a side that no tile touches, and of an end that is not open: FITTING has no tile for it."""

Four = tuple[int, int, int, int]
Placement = tuple[int, int, str]
"""Seat, tile, end."""


class Shape(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """What of a line says how it can go on. `open` holds the number at each of L R U D, `shown` what its outer
    tile counts; the rest follows from them and is kept because every play asks for it.
    """

    mode: str
    open: Four
    shown: Four
    spinner: int
    count: int
    """The sum that the open ends show (R-52 to R-54)."""
    ends: tuple[tuple[str, int], ...]
    """Open ends and their numbers, in the order L R U D; none before the lead."""
    places: tuple[tuple[str, int], ...]
    """Open ends and the masks of the tiles that fit there, in the same order."""
    fitting: int
    """Mask of the tiles that fit any end; before the lead all do."""


class Line(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Tiles played so far, in order, and the shape they make."""

    shape: Shape
    placements: tuple[Placement, ...] = ()
    debt: ClassVar[int] = -1
    """On a line no double must be covered."""

    @property
    def open(self) -> Four:
        """The number at each of L R U D, BARE where there is no end."""
        return self.shape.open

    def ends(self) -> tuple[tuple[str, int], ...]:
        """Open ends and their numbers, in the order L R U D."""
        return self.shape.ends

    def count(self) -> int:
        """The sum that the open ends show (R-52 to R-54)."""
        return self.shape.count

    def plays(self, seat: int, hand: int) -> tuple[tuple[int, str], ...]:
        """Every (tile, end) that `hand` (a mask) can play; the seat makes no difference on a line."""
        if not self.placements:
            # Hands to lead from are too many to be met again.
            return tuple([(tile, "-") for tile in tiles_in(hand)])
        found: tuple[tuple[int, str], ...] = ()
        for end, fitting in self.shape.places:
            if fits := hand & fitting:
                found += plays_at(fits, end)
        return found

    def can_play(self, seat: int, hand: int) -> bool:
        """Whether `hand` has any play."""
        return hand & self.shape.fitting != 0

    def place(self, seat: int, tile: int, end: str) -> Line:
        """The line with `tile` at `end`; the play must be legal."""
        shape = shape_after(self.shape, tile, end)
        assert shape is not None
        return Line(shape, (*self.placements, (seat, tile, end)))


# Games meet the same shapes and choices again and again, so each is worked out once and then found.


@lru_cache(maxsize=1 << 12)
def plays_at(fits: int, end: str) -> tuple[tuple[int, str], ...]:
    """The plays at one end by the tiles of the mask `fits`, all of which fit there."""
    return tuple([(tile, end) for tile in tiles_in(fits)])


@lru_cache(maxsize=32)
def new_line(mode: str) -> Line:
    """The line before the lead; `mode` is the variant's spinner (R-49)."""
    nothing = (BARE, BARE, BARE, BARE)
    return Line(Shape(mode, nothing, nothing, BARE, 0, (), (), ALL))


@lru_cache(maxsize=1 << 12)
def shape_after(shape: Shape, tile: int, end: str) -> Shape | None:
    """The shape with `tile` at `end`; None if it does not fit there (R-48)."""
    mode, spinner = shape.mode, shape.spinner
    if end == "-":
        return None if shape.ends else _led(mode, tile)
    side = SIDE.get(end)
    if side is None or shape.open[side] not in PIPS[tile]:
        return None
    open_, shown = list(shape.open), list(shape.shown)
    open_[side] = outward = TOTAL[tile] - open_[side]
    shown[side] = 2 * outward if DOUBLE[tile] else outward
    if mode != "none":
        if spinner == BARE and DOUBLE[tile]:
            # The first double: its far side is the end now, the tiles so far are the opposite arm.
            spinner, shown[side] = outward, BARE
            if mode == "first_double_all":
                open_[2] = open_[3] = outward
        elif spinner != BARE and open_[2] == BARE and shown[0] != BARE and shown[1] != BARE:
            # Both long sides have a tile, so the short ones open.
            open_[2] = open_[3] = spinner
    arms = [pips for pips in shown if pips != BARE]
    # The spinner counts while fewer than two of its sides have a neighbour.
    count = sum(arms) + (2 * spinner if spinner != BARE and len(arms) < 2 else 0)
    return _shape(mode, tuple(open_), tuple(shown), spinner, count)


def _led(mode: str, tile: int) -> Shape:
    """The shape of the lead alone, which shows all its pips."""
    high, low = PIPS[tile]
    count, spinner = high + low, BARE
    open_, shown = [high, low, BARE, BARE], [high, low, BARE, BARE]
    if DOUBLE[tile]:
        shown = [count, count, BARE, BARE]
        if mode != "none":
            spinner, shown = high, [BARE] * 4
        if mode == "first_double_all":
            open_ = [high] * 4
    return _shape(mode, tuple(open_), tuple(shown), spinner, count)


@lru_cache(maxsize=1 << 12)
def _shape(mode: str, open_: tuple[int, ...], shown: tuple[int, ...], spinner: int, count: int) -> Shape:
    # However a shape came about it is the same object, so that it is known again at a glance.
    ends = tuple([(name, pips) for name, pips in zip(ENDS, open_, strict=True) if pips != BARE])
    places = tuple([(name, FITTING[pips]) for name, pips in ends])
    fitting = FITTING[open_[0]] | FITTING[open_[1]] | FITTING[open_[2]] | FITTING[open_[3]]
    return Shape(mode, open_, shown, spinner, count, ends, places, fitting)  # type: ignore[arg-type]
