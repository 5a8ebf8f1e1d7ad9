"""The trains: one for each seat and the Mexican train, all from the engine tile (R-69 to R-75)."""

from __future__ import annotations

import msgspec

from capicua.engine.line import Placement, plays_at
from capicua.engine.tiles import DOUBLE, FITTING, PIPS, other_half

MEXICAN = "M"
_OWN = {str(seat): seat for seat in range(8)}


def train_name(index: int, seats: int) -> str:
    """Name of a train: "0" to "7", and "M" after the seats' own."""
    return MEXICAN if index == seats else str(index)


class Trains(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Tiles played so far. `tips` is the number at the open end of each train, the Mexican one last."""

    seats: int
    tips: tuple[int, ...]
    unseen: int
    """Mask of the tiles outside the layout: a double none of whose tiles is here is dead (R-75)."""
    placements: tuple[Placement, ...] = ()
    marked: int = 0
    """Mask of the trains that carry a marker."""
    debt: int = -1
    """Index of the train whose double must be covered; -1 for none."""

    def ends(self) -> tuple[tuple[str, int], ...]:
        """Every train and the number at its open end."""
        return tuple((train_name(index, self.seats), tip) for index, tip in enumerate(self.tips))

    def markers(self) -> tuple[str, ...]:
        """Names of the trains that carry a marker."""
        return tuple(str(index) for index in range(self.seats) if self.marked >> index & 1)

    def debt_name(self) -> str | None:
        """Name of the train whose double must be covered."""
        return None if self.debt < 0 else train_name(self.debt, self.seats)

    def index(self, end: str) -> int | None:
        """The train called `end`; None if there is none."""
        if end == MEXICAN:
            return self.seats
        return _OWN.get(end) if _OWN.get(end, self.seats) < self.seats else None

    def is_open_to(self, seat: int, index: int) -> bool:
        """Whether `seat` may play on a train, if no double must be covered first (R-70)."""
        return index == seat or index == self.seats or bool(self.marked >> index & 1)

    def plays(self, seat: int, hand: int) -> tuple[tuple[int, str], ...]:
        """Every (tile, train) that `hand` (a mask) of `seat` can play: own, Mexican, then the others."""
        order = (seat, self.seats, *range(seat), *range(seat + 1, self.seats))
        found: tuple[tuple[int, str], ...] = ()
        for index in order if self.debt < 0 else (self.debt,):
            if self.debt < 0 and not self.is_open_to(seat, index):
                continue
            fits = hand & FITTING[self.tips[index]]
            if fits:
                found += plays_at(fits, train_name(index, self.seats))
        return found

    def can_play(self, seat: int, hand: int) -> bool:
        """Whether `hand` of `seat` has any play."""
        if self.debt >= 0:
            return hand & FITTING[self.tips[self.debt]] != 0
        allowed = self.marked | 1 << seat | 1 << self.seats
        return any(hand & FITTING[tip] and allowed >> index & 1 for index, tip in enumerate(self.tips))

    def place(self, seat: int, tile: int, end: str) -> Trains:
        """The trains with `tile` on the train `end`; the play must be legal."""
        index = self.index(end)
        assert index is not None
        tips = list(self.tips)
        tips[index] = outward = other_half(tile, tips[index])
        unseen = self.unseen & ~(1 << tile)
        marked = self.marked & ~(1 << index) if index == seat else self.marked
        # A dead double asks for nothing; a covering tile is never a double.
        debt = index if DOUBLE[tile] and unseen & FITTING[outward] else -1
        return Trains(self.seats, tuple(tips), unseen, (*self.placements, (seat, tile, end)), marked, debt)

    def mark(self, seat: int) -> Trains:
        """The trains with a marker on the seat's own (R-71)."""
        return Trains(self.seats, self.tips, self.unseen, self.placements, self.marked | 1 << seat, self.debt)

    def count(self) -> int:
        """Trains have no count."""
        return 0


def new_trains(seats: int, engine_tile: int, tiles: int) -> Trains:
    """Trains before the first play, for a tile set of `tiles` tiles."""
    unseen = (1 << tiles) - 1 & ~(1 << engine_tile)
    return Trains(seats, (PIPS[engine_tile][0],) * (seats + 1), unseen)
