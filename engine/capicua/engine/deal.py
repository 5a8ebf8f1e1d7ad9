"""What a round begins with: the tiles in hands and boneyard, and who opens (R-16 to R-22, R-69)."""

from __future__ import annotations

from functools import cache

from capicua.engine.commands import StartRound
from capicua.engine.events import RoundStarted
from capicua.engine.state import GameState
from capicua.engine.tiles import DOUBLE, PIPS, TOTAL, tile_count

_OPENING = tuple((DOUBLE[tile], TOTAL[tile], high) for tile, (high, _) in enumerate(PIPS))
_OPENING_RANK = tuple(map(sorted(_OPENING).index, _OPENING))
"""For each tile its place among those that open: doubles last, then by pips, then by the larger half (R-16)."""


def lot_kind(state: GameState) -> str | None:
    """Which chance the next StartRound needs besides the order: "seat", "tiles", or none (R-18, R-19)."""
    return {"lot": "seat", "lot_by_tile": "tiles"}.get(state.standing.next_opener_by)


def engine_tile(state: GameState) -> int | None:
    """The engine tile of the next round (R-69); None without trains."""
    variant = state.standing.setup.variant
    if variant.topology != "trains":
        return None
    pips = variant.set - state.round % (variant.set + 1)
    return PIPS.index((pips, pips))


def tile_order(state: GameState) -> tuple[int, ...]:
    """The tiles of the next deal in the order 0-0, 1-0, 1-1, …, the engine tile left out."""
    return _tiles(state.variant.set, engine_tile(state))


@cache
def _tiles(highest: int, left_out: int | None) -> tuple[int, ...]:
    return tuple(tile for tile in range(tile_count(highest)) if tile != left_out)


def deal(state: GameState, command: StartRound) -> RoundStarted:
    """The event of a deal at `state`. Raises ValueError for chance that does not fit the round."""
    standing, order, engine = state.standing, command.order, engine_tile(state)
    variant, seats = standing.setup.variant, standing.setup.seats
    if tuple(sorted(order)) != _tiles(variant.set, engine):
        raise ValueError("the order is no permutation of the tiles of this round")
    size, by, forced = variant.hand_size[seats], standing.next_opener_by, None
    dealt = seats * size
    lot: tuple[tuple[int, ...], ...] = ()
    if by == "high_double":
        tile = max(order[:dealt], key=_OPENING_RANK.__getitem__)
        opener = order.index(tile) // size
        # Trains have no lead: they begin at the engine tile.
        forced = tile if variant.opener.lead == "qualifying" and variant.topology == "line" else None
    elif by == "lot":
        if command.lot_seat is None or not 0 <= command.lot_seat < seats:
            raise ValueError("this opener is found by lot, and no seat was drawn")
        opener = command.lot_seat
    elif by == "lot_by_tile":
        opener, lot = _lot_opener(command.lot_tiles, seats), command.lot_tiles
    else:
        assert standing.next_opener is not None
        opener = standing.next_opener
    return RoundStarted(
        standing.round + 1,
        tuple([order[first : first + size] for first in range(0, dealt, size)]),
        order[dealt:],
        opener,
        by,
        lot,
        forced,
        engine,
        command.seat_seeds,
        command.next_seal,
    )


def _lot_opener(draws: tuple[tuple[int, ...], ...], seats: int) -> int:
    """The seat whose tile has most pips; tied seats alone take new ones (R-19)."""
    tied = list(range(seats))
    for drawn in draws:
        if len(drawn) != len(tied):
            raise ValueError("the lot has not one tile for each seat still in it")
        most = max(TOTAL[tile] for tile in drawn)
        tied = [seat for seat, tile in zip(tied, drawn, strict=True) if TOTAL[tile] == most]
    if len(tied) != 1:
        raise ValueError("this opener is found by lot, and the lot is not decided")
    return tied[0]
