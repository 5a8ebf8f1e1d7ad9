"""What a command comes to: events, or the reason why not. Draws, passes and ends of rounds are automatic (R-7)."""

from __future__ import annotations

from functools import cache

from capicua.engine.commands import (
    Command,
    DrawTile,
    ExpireTurn,
    PassTurn,
    PlayTile,
    RestoreClock,
    StartGame,
    StartRound,
)
from capicua.engine.events import (
    ClockRestored,
    Event,
    GameEnded,
    GameStarted,
    RoundStarted,
    TileDrawn,
    TilePlayed,
    TurnPassed,
    TurnStarted,
)
from capicua.engine.evolve import after_play, evolve, next_to_act
from capicua.engine.legal import autoplay, can_play, why_not
from capicua.engine.rejections import Rejection, RejectReason
from capicua.engine.scoring import end_round, game_winner, meets_target, score_play
from capicua.engine.state import MISSES_UNTIL_AWAY, GameState, Phase
from capicua.engine.tiles import DOUBLE, PIPS, TOTAL, tile_count
from capicua.engine.trains import Trains

AWAY_TURN_MS = 1_000
RESTORED_TURN_MS = 5_000
"""The least time a seat gets after its clock stood still."""

_OPENING = tuple((DOUBLE[tile], TOTAL[tile], high) for tile, (high, _) in enumerate(PIPS))
"""For each tile, what decides who opens: doubles first, then most pips, then the larger half (R-16)."""


def decide(state: GameState | None, command: Command, now_ms: int) -> tuple[Event, ...] | Rejection:
    """Events of `command` at `now_ms` (Unix milliseconds), or the first reason of R-80 against it.

    Equal arguments give equal results. Raises ValueError for a command that no shell may send: a deal that
    is no permutation of the tiles, or without the lot it needs.
    """
    if state is None:
        if not isinstance(command, StartGame):
            raise ValueError("a game begins with StartGame")
        return (GameStarted(command.variant, command.seats, command.turn_ms),)
    match command:
        case PlayTile():
            refused = _not_now(state, command.seat) or why_not(state, command)
            if refused is not None:
                return Rejection(refused)
            return _play(state, command.tile, command.end, now_ms, expired=False)
        case StartRound():
            if state.phase is not Phase.DEALING:
                raise ValueError("a round is being played")
            return _deal(state, command, now_ms)
        case ExpireTurn():
            if state.phase is not Phase.PLAYING:
                return Rejection(_not_now(state, state.turn) or RejectReason.NOT_YOUR_TURN)
            tile, end = autoplay(state)
            return _play(state, tile, end, now_ms, expired=True)
        case DrawTile() | PassTurn():
            refused = _not_now(state, command.seat)
            if refused is None and isinstance(command, DrawTile) and state.variant.draw.policy == "none":
                refused = RejectReason.NO_DRAW_IN_VARIANT
            if refused is None and can_play(state):
                refused = RejectReason.MUST_PLAY
            if refused is None and isinstance(command, DrawTile) and not state.can_draw:
                refused = RejectReason.BONEYARD_RESERVED
            return tuple(_until_choice(state, now_ms)) if refused is None else Rejection(refused)
        case RestoreClock():
            if state.phase is not Phase.PLAYING:
                return ()
            least = now_ms + min(RESTORED_TURN_MS, _turn_ms(state, state.turn))
            return (ClockRestored(max(state.deadline_ms + command.gone_ms, least)),)
        case StartGame():
            raise ValueError("the game has begun")


def lot_kind(state: GameState) -> str | None:
    """Which chance the next StartRound needs besides the order: "seat", "tiles", or none (R-18, R-19)."""
    return {"lot": "seat", "lot_by_tile": "tiles"}.get(state.next_opener_by)


def engine_tile(state: GameState) -> int | None:
    """The engine tile of the next round (R-69); None without trains."""
    variant = state.variant
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


def _not_now(state: GameState, seat: int) -> RejectReason | None:
    if state.phase is Phase.PLAYING:
        return None if seat == state.turn else RejectReason.NOT_YOUR_TURN
    return RejectReason.GAME_OVER if state.phase is Phase.OVER else RejectReason.ROUND_OVER


def _play(state: GameState, tile: int, end: str, now_ms: int, *, expired: bool) -> tuple[Event, ...]:
    assert state.layout is not None
    setup, seat = state.setup, state.turn
    target = setup.variant.target
    layout = state.layout.place(seat, tile, end)
    played = score_play(state, tile, end, layout.count(), expired)
    hand = state.hands[seat] ^ 1 << tile
    if hand and target.check == "round_end":
        # Most plays only give another seat its choice, which is known without the state after the play.
        turn = next_to_act(setup, seat, hand, layout)
        if turn != seat and layout.can_play(turn, state.hands[turn]):
            return (played, TurnStarted(turn, now_ms + _turn_ms(state, turn)))
    after = after_play(state, played, layout)
    met = target.check == "immediate" and meets_target(after, setup.side(seat))
    # An exact target's point for the domino out is in the play, so such a round ends by domino out.
    if met and (hand or target.kind != "exact"):
        return (played, *_end(state, after, "target", played))
    if not hand:
        return (played, *_end(state, after, "domino", played))
    return (played, *_until_choice(after, now_ms))


def _end(before: GameState, state: GameState, reason: str, played: TilePlayed | None) -> list[Event]:
    ended = end_round(before, state, reason, played)
    winner = state.setup.side(state.last_mover) if reason == "target" else game_winner(state, ended.scores)
    return [ended] if winner is None else [ended, GameEnded(winner)]


def _until_choice(state: GameState, now_ms: int) -> list[Event]:
    """Draws and passes until a seat has a choice or the round is blocked (R-57 to R-60, R-71 to R-77)."""
    events: list[Event] = []
    while not can_play(state):
        event: Event
        draw = state.variant.draw.policy
        if state.can_draw and (draw == "until_playable" or not state.drew):
            event = _draw(state)
        elif isinstance(state.layout, Trains):
            event = TurnPassed(state.turn, marker_placed=not state.layout.marked >> state.turn & 1)
        else:
            event = TurnPassed(state.turn)
        events.append(event)
        state = evolve(state, event)
        if state.passes >= state.seats:
            return [*events, *_end(state, state, "block", None)]
    events.append(TurnStarted(state.turn, now_ms + _turn_ms(state, state.turn)))
    return events


def _draw(state: GameState) -> TileDrawn:
    seat, tile = state.turn, state.boneyard[state.drawn]
    assert state.layout is not None
    # The hand could not play, so it can now only with this tile.
    return TileDrawn(seat, tile, playable=state.layout.can_play(seat, 1 << tile))


def _turn_ms(state: GameState, seat: int) -> int:
    return AWAY_TURN_MS if state.misses[seat] >= MISSES_UNTIL_AWAY else state.setup.turn_ms


def _deal(state: GameState, command: StartRound, now_ms: int) -> tuple[Event, ...]:
    variant, seats, order = state.variant, state.seats, command.order
    if tuple(sorted(order)) != tile_order(state):
        raise ValueError("the order is no permutation of the tiles of this round")
    size = variant.hand_size[seats]
    hands = tuple([order[seat * size : (seat + 1) * size] for seat in range(seats)])
    by, forced = state.next_opener_by, None
    lot: tuple[tuple[int, ...], ...] = ()
    if by == "high_double":
        opener, tile = _high_double(hands)
        # Trains have no lead: they begin at the engine tile.
        forced = tile if variant.opener.lead == "qualifying" and variant.topology == "line" else None
    elif by == "lot":
        if command.lot_seat is None or not 0 <= command.lot_seat < seats:
            raise ValueError("this opener is found by lot, and no seat was drawn")
        opener = command.lot_seat
    elif by == "lot_by_tile":
        opener, lot = _lot_opener(command.lot_tiles, seats), command.lot_tiles
    else:
        assert state.next_opener is not None
        opener = state.next_opener
    started = RoundStarted(
        round=state.round + 1,
        hands=hands,
        boneyard=order[seats * size :],
        opener=opener,
        opener_by=by,
        lot=lot,
        forced_lead=forced,
        engine_tile=engine_tile(state),
    )
    if variant.topology == "line":
        # Whoever opens a line can lead.
        return (started, TurnStarted(opener, now_ms + _turn_ms(state, opener)))
    return (started, *_until_choice(evolve(state, started), now_ms))


def _high_double(hands: tuple[tuple[int, ...], ...]) -> tuple[int, int]:
    """Seat and tile that open (R-16)."""
    best = [max(hand, key=_OPENING.__getitem__) for hand in hands]
    seat = max(range(len(best)), key=lambda seat: _OPENING[best[seat]])
    return seat, best[seat]


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
