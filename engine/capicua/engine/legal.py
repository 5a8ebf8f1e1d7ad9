"""What a seat may play, and why a wish is refused (R-56, R-79, R-80)."""

from __future__ import annotations

from capicua.engine.commands import PlayTile
from capicua.engine.line import BARE, SIDE
from capicua.engine.rejections import RejectReason
from capicua.engine.state import OVER, PLAYING, GameState
from capicua.engine.tiles import PIPS, TOTAL
from capicua.engine.trains import Trains

Play = tuple[int, str]
"""Tile and end."""


def legal_plays(state: GameState) -> tuple[Play, ...]:
    """Every legal play of the seat to act: by end, then by tile. Empty if it must draw or pass."""
    layout, seat, forced = state.layout, state.turn, state.standing.forced_lead
    assert layout is not None
    if forced is not None and not layout.placements:
        return ((forced, "-"),)
    return layout.plays(seat, state.hands[seat])


def can_play(state: GameState) -> bool:
    """Whether the seat to act has a legal play."""
    assert state.layout is not None
    return state.layout.can_play(state.turn, state.hands[state.turn])


def autoplay(state: GameState) -> Play:
    """Most pips, then the larger half, then the first end: L R U D, or own, Mexican, others (R-79)."""
    # `legal_plays` gives the ends in that order already, and `max` keeps the first of equals.
    return max(legal_plays(state), key=lambda play: (TOTAL[play[0]], PIPS[play[0]][0]))


def why_not(state: GameState, wish: PlayTile) -> RejectReason | None:
    """The first reason of R-80 against a play; None if it is legal."""
    layout, seat, tile, end = state.layout, wish.seat, wish.tile, wish.end
    if seat != state.turn or state.standing.phase is not PLAYING:
        return not_now(state, seat)
    assert layout is not None
    if tile < 0 or not state.hands[seat] >> tile & 1:
        return RejectReason.TILE_NOT_IN_HAND
    forced = None if layout.placements else state.standing.forced_lead
    if forced is not None and tile != forced:
        return RejectReason.MUST_LEAD_TILE
    if isinstance(layout, Trains):
        index = layout.index(end)
        if layout.debt >= 0 and index != layout.debt:
            return RejectReason.MUST_COVER_DOUBLE
        if index is None:
            return RejectReason.END_NOT_OPEN
        if layout.debt < 0 and not layout.is_open_to(seat, index):
            return RejectReason.TRAIN_PRIVATE
        return None if layout.tips[index] in PIPS[tile] else RejectReason.NO_MATCH
    pips = layout.shape.open[SIDE[end]] if end in SIDE else BARE
    if pips in PIPS[tile] or (end == "-" and not layout.placements):
        return None
    return RejectReason.END_NOT_OPEN if pips == BARE else RejectReason.NO_MATCH


def not_now(state: GameState, seat: int) -> RejectReason | None:
    """Why `seat` may do nothing at all at present; None if it is to act."""
    if state.standing.phase is PLAYING:
        return None if seat == state.turn else RejectReason.NOT_YOUR_TURN
    return RejectReason.GAME_OVER if state.standing.phase is OVER else RejectReason.ROUND_OVER
