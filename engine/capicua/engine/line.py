"""The line: two ends, or up to four around a spinner (R-46 to R-54)."""

from __future__ import annotations

import msgspec

from capicua.engine.tiles import DOUBLE, FITTING, PIPS, TOTAL, other_half

ENDS = ("L", "R", "U", "D")
BARE = -1
"""Of a side that no tile touches, and of an end that is not open."""

Four = tuple[int, int, int, int]
Placement = tuple[int, int, str]
"""Seat, tile, end."""


class Line(msgspec.Struct, frozen=True, gc=False):
    """Tiles played so far. `open` holds the number at each of L R U D, `shown` what its outer tile counts."""

    mode: str
    placements: tuple[Placement, ...] = ()
    open: Four = (BARE, BARE, BARE, BARE)
    shown: Four = (BARE, BARE, BARE, BARE)
    spinner: int = BARE

    def ends(self) -> tuple[tuple[str, int], ...]:
        """Open ends and their numbers, in the order L R U D."""
        return tuple((name, pips) for name, pips in zip(ENDS, self.open, strict=True) if pips != BARE)

    def plays(self, seat: int, hand: int) -> list[tuple[int, str]]:
        """Every (tile, end) that `hand` (a mask) can play; the seat makes no difference on a line."""
        found: list[tuple[int, str]] = []
        if not self.placements:
            while hand:
                lowest = hand & -hand
                found.append((lowest.bit_length() - 1, "-"))
                hand ^= lowest
            return found
        for name, pips in zip(ENDS, self.open, strict=True):
            if pips != BARE:
                fitting = hand & FITTING[pips]
                while fitting:
                    lowest = fitting & -fitting
                    found.append((lowest.bit_length() - 1, name))
                    fitting ^= lowest
        return found

    def can_play(self, seat: int, hand: int) -> bool:
        """Whether `hand` has any play."""
        if not self.placements:
            return hand != 0
        return any(pips != BARE and hand & FITTING[pips] for pips in self.open)

    def place(self, seat: int, tile: int, end: str) -> Line:
        """The line with `tile` at `end`; the play must be legal."""
        placements = (*self.placements, (seat, tile, end))
        if end == "-":
            return self._lead(placements, tile)
        side = ENDS.index(end)
        outward = other_half(tile, self.open[side])
        open_, shown = list(self.open), list(self.shown)
        open_[side] = outward
        if not DOUBLE[tile]:
            shown[side] = outward
        elif self.mode == "none" or self.spinner != BARE:
            shown[side] = 2 * outward
        else:
            # The first double: its far side is the end now, the tiles so far are the opposite arm.
            shown[side] = BARE
            if self.mode == "first_double_all":
                open_[2] = open_[3] = outward
            return Line(self.mode, placements, tuple(open_), tuple(shown), outward)  # type: ignore[arg-type]
        if self.mode == "first_double_sides_first" and self.spinner != BARE and BARE not in shown[:2]:
            # Both long sides have a tile, so the short ones open; once played on they go their own way.
            open_[2:] = [self.spinner if pips == BARE else pips for pips in open_[2:]]
        return Line(self.mode, placements, tuple(open_), tuple(shown), self.spinner)  # type: ignore[arg-type]

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
        arms = [shown for shown in self.shown if shown != BARE]
        return sum(arms) + (2 * self.spinner if self.spinner != BARE and len(arms) < 2 else 0)
