"""The line: two ends, or up to four around a spinner (R-46 to R-54)."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from capicua.engine.tiles import DOUBLE, FITTING, PIPS, TOTAL, tiles_in

ENDS = ("L", "R", "U", "D")
SIDE = {end: side for side, end in enumerate(ENDS)}
BARE = -1
"""Of a side that no tile touches, and of an end that is not open: FITTING has no tile for it."""

Four = tuple[int, int, int, int]
Placement = tuple[int, int, str]
"""Seat, tile, end."""


class Line(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Tiles played so far. `open` holds the number at each of L R U D, `shown` what its outer tile counts."""

    mode: str
    placements: tuple[Placement, ...] = ()
    open: Four = (BARE, BARE, BARE, BARE)
    shown: Four = (BARE, BARE, BARE, BARE)
    spinner: int = BARE
    debt: ClassVar[int] = -1
    """On a line no double must be covered."""

    def ends(self) -> tuple[tuple[str, int], ...]:
        """Open ends and their numbers, in the order L R U D."""
        return tuple((name, pips) for name, pips in zip(ENDS, self.open, strict=True) if pips != BARE)

    def plays(self, seat: int, hand: int) -> list[tuple[int, str]]:
        """Every (tile, end) that `hand` (a mask) can play; the seat makes no difference on a line."""
        if not self.placements:
            return [(tile, "-") for tile in tiles_in(hand)]
        ends = zip(ENDS, self.open, strict=True)
        return [(tile, name) for name, pips in ends for tile in tiles_in(hand & FITTING[pips])]

    def can_play(self, seat: int, hand: int) -> bool:
        """Whether `hand` has any play."""
        if not self.placements:
            return hand != 0
        left, right, up, down = self.open
        return hand & (FITTING[left] | FITTING[right] | FITTING[up] | FITTING[down]) != 0

    def place(self, seat: int, tile: int, end: str) -> Line:
        """The line with `tile` at `end`; the play must be legal."""
        placements = (*self.placements, (seat, tile, end))
        if end == "-":
            return self._lead(placements, tile)
        mode, spinner, side = self.mode, self.spinner, SIDE[end]
        open_, shown = list(self.open), list(self.shown)
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
        return Line(mode, placements, tuple(open_), tuple(shown), spinner)  # type: ignore[arg-type]

    def _lead(self, placements: tuple[Placement, ...], tile: int) -> Line:
        high, low = PIPS[tile]
        if not DOUBLE[tile]:
            return Line(self.mode, placements, (high, low, BARE, BARE), (high, low, BARE, BARE))
        if self.mode == "none":
            return Line(self.mode, placements, (high, high, BARE, BARE), (2 * high, 2 * high, BARE, BARE))
        short = high if self.mode == "first_double_all" else BARE
        return Line(self.mode, placements, (high, high, short, short), spinner=high)

    def count(self) -> int:
        """The sum that the open ends show (R-52 to R-54)."""
        if len(self.placements) == 1:
            return TOTAL[self.placements[0][1]]
        shown, spinner = self.shown, self.spinner
        if spinner == BARE:
            return shown[0] + shown[1]
        arms = [pips for pips in shown if pips != BARE]
        return sum(arms) + (2 * spinner if len(arms) < 2 else 0)
