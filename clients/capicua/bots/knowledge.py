"""Knowledge: all that one seat may go by, and what it remembers of a round beyond its view."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from capicua.api.v1.types_pb2 import OPENER_BY_HIGH_DOUBLE, OpenerBy, Tile
from capicua.api.v1.update_pb2 import Presence, Reset, View
from capicua.client import Item
from capicua.engine import PIPS, Variant, build, tile_count
from capicua.engine.line import Line, Placement, new_line
from capicua.engine.tiles import DOUBLE, TOTAL, mask


class Stuck(msgspec.Struct, frozen=True):
    """A moment at which a seat had no tile that fitted the line."""

    seat: int
    after: int
    """Tiles on the layout at that moment."""
    fits: int
    """Mask of the tiles that would have fitted. None of them was in the hand, nor came to it but the last drawn."""
    drawn: int
    """Tiles the seat drew then. If it played afterwards, it played the last of them (R-57)."""


class Knowledge(msgspec.Struct, frozen=True):
    """What one seat knows when it is to act. Hands and other sets of tiles are masks over tile indexes."""

    variant: Variant
    seats: int
    pairs: bool
    seat: int
    round: int
    scores: tuple[int, ...]
    hand: int
    legal: tuple[tuple[int, str], ...]
    """The own legal plays, tile and end; never empty."""
    sizes: tuple[int, ...]
    """Tiles in each hand, by seat."""
    boneyard_size: int
    placements: tuple[Placement, ...]
    ends: tuple[tuple[str, int], ...]
    opener: int
    engine_tile: int | None
    markers: tuple[str, ...]
    debt: str
    stuck: tuple[Stuck, ...]
    """Moments of every seat, in the order of play; always empty with trains."""
    must_lead: bool
    """Whether the tile that opened the round had to."""

    @property
    def hidden(self) -> int:
        """The tiles this seat has not seen: in the other hands and the boneyard."""
        seen = self.hand | mask(tile for _, tile, _ in self.placements)
        if self.engine_tile is not None:
            seen |= 1 << self.engine_tile
        return (1 << tile_count(self.variant.set)) - 1 & ~seen

    @property
    def undealt(self) -> int:
        """Mask of the tiles that no seat was dealt: those that would have opened the round instead (R-16)."""
        return _would_open(self.placements[0][1]) if self.must_lead else 0

    @property
    def in_turn(self) -> tuple[int, ...]:
        """All seats in turn order, this one first."""
        return tuple((self.seat + after) % self.seats for after in range(self.seats))

    def side(self, seat: int) -> int:
        """The side of a seat (R-14)."""
        return seat % 2 if self.pairs else seat

    def lacks(self, seat: int) -> int:
        """Mask of the tiles that a seat cannot hold to all others, by where it passed or drew; what it drew may be
        anything."""
        missing = 0
        for stuck in self.stuck:
            if stuck.seat == seat:
                missing = stuck.fits if stuck.drawn else missing | stuck.fits
        return missing


class Memory:
    """Follows a game with the view of one seat; show it every item after the view has moved on by it."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._draws: dict[tuple[int, int], int] = {}
        self._opener_by: OpenerBy.ValueType | None = None

    def take(self, item: Item) -> None:
        """Remember who drew, and when, and how the opener was found: a view does not tell."""
        if isinstance(item, Reset):
            self._draws.clear()
            self._opener_by = None
        elif isinstance(item, Presence):
            return
        elif item.HasField("round_started"):
            self._draws.clear()
            self._opener_by = item.round_started.opener_by
        elif item.HasField("tile_drawn"):
            moment = item.tile_drawn.seat, len(self._view.layout)
            self._draws[moment] = self._draws.get(moment, 0) + 1

    def knowledge(self) -> Knowledge:
        """What the seat knows; it must be the one to act."""
        view = self._view
        variant = _variant(view.options.variant, view.options.overrides_json)
        placements = tuple((placed.seat, index(placed.play.tile), placed.play.end) for placed in view.layout)
        on_line = variant.topology == "line"
        return Knowledge(
            variant=variant,
            seats=len(view.hand_sizes),
            pairs=view.pairs,
            seat=view.own_seat,
            round=view.round,
            scores=tuple(view.scores),
            hand=mask(map(index, view.hand)),
            legal=tuple((index(play.tile), play.end) for play in view.legal),
            sizes=tuple(view.hand_sizes),
            boneyard_size=view.boneyard_size,
            placements=placements,
            ends=tuple((end.end, end.pips) for end in view.ends),
            opener=view.opener,
            engine_tile=index(view.engine_tile) if view.HasField("engine_tile") else None,
            markers=tuple(view.markers),
            debt=view.debt,
            stuck=_stuck(variant, placements, view, self._draws) if on_line else (),
            must_lead=bool(placements) and self._by_high_double(variant),
        )

    def _by_high_double(self, variant: Variant) -> bool:
        """Whether the highest double opened the round with its own lead."""
        opener = variant.opener
        if opener.lead != "qualifying":
            return False
        if self._opener_by is None:
            return self._view.round == 1 or opener.next == "first_rule"
        return self._opener_by == OPENER_BY_HIGH_DOUBLE


def index(tile: Tile) -> int:
    """The engine's index of a tile of the API."""
    return tile.high * (tile.high + 1) // 2 + tile.low


def lines(variant: Variant, placements: tuple[Placement, ...]) -> list[Line]:
    """The line after none, one, two … of the placements."""
    found = [new_line(variant.spinner)]
    for placement in placements:
        found.append(found[-1].place(*placement))
    return found


def _would_open(lead: int) -> int:
    """Mask of the tiles that open before `lead`: doubles first, then most pips, then the larger half (R-16)."""
    rank = [(DOUBLE[tile], TOTAL[tile], PIPS[tile][0]) for tile in range(len(PIPS))]
    return mask(tile for tile in range(len(PIPS)) if rank[tile] > rank[lead])


def _stuck(
    variant: Variant, placements: tuple[Placement, ...], view: View, draws: dict[tuple[int, int], int]
) -> tuple[Stuck, ...]:
    """Who passed is seen in the layout: the seats left out between one play and the next."""
    seats = len(view.hand_sizes)
    movers = [seat for seat, _, _ in placements] + [view.turn]
    found = []
    for after, line in enumerate(lines(variant, placements)):
        mover = movers[after]
        seat = view.opener if after == 0 else (movers[after - 1] + 1) % seats
        while True:
            drawn = draws.get((seat, after), 0)
            if drawn or seat != mover:
                found.append(Stuck(seat, after, line.shape.fitting, drawn))
            if seat == mover:
                break
            seat = (seat + 1) % seats
    return tuple(found)


# A bound, for hosts may vary the parameters without end.
@lru_cache(256)
def _variant(key: str, overrides_json: str) -> Variant:
    variant = build(key, msgspec.json.decode(overrides_json or "{}"))
    assert isinstance(variant, Variant), variant
    return variant
