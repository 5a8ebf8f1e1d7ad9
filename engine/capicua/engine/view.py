"""What a viewer may know: the table of R-143 to R-157, as an allow-list.

Whatever is not copied here stays on the server. A viewer is a seat, or None for everybody else.
"""

from __future__ import annotations

import msgspec

from capicua.engine.events import (
    Bonus,
    Bot,
    ClockRestored,
    Event,
    GameEnded,
    GameStarted,
    RoundEnded,
    RoundStarted,
    SeatQuit,
    SeedGiven,
    TileDrawn,
    TilePlayed,
    TurnPassed,
    TurnStarted,
)
from capicua.engine.legal import Play, legal_plays
from capicua.engine.line import Line, Placement
from capicua.engine.state import MISSES_UNTIL_AWAY, OVER, PLAYING, GameState
from capicua.engine.trains import Trains

Ends = tuple[tuple[str, int], ...]


class _Seen(msgspec.Struct, frozen=True, gc=False):
    """Base of what is seen of an event; the fields mean what they mean in capicua.api.v1."""


class SeenGame(_Seen, frozen=True, gc=False):
    """Of GameStarted: the rules, which are public, and the commitment for the first deal."""

    pairs: bool
    next_commitment: bytes


class SeenDeal(_Seen, frozen=True, gc=False):
    """Of RoundStarted: sizes, opener, lot, the seats' seeds; to a seat its own hand, to the opener its forced lead."""

    round: int
    hand_sizes: tuple[int, ...]
    boneyard_size: int
    boneyard_floor: int
    opener: int
    opener_by: str
    lot: tuple[tuple[int, ...], ...]
    engine_tile: int | None
    scores: tuple[int, ...]
    seat_seeds: tuple[bytes, ...]
    next_commitment: bytes
    hand: tuple[int, ...] = ()
    forced_lead: int | None = None


class SeenTurn(_Seen, frozen=True, gc=False):
    """Of TurnStarted: whose turn and until when; to the seat itself its legal plays."""

    seat: int
    deadline_ms: int
    legal: tuple[Play, ...] = ()


class SeenPlay(_Seen, frozen=True, gc=False):
    """Of TilePlayed: everything (R-149)."""

    seat: int
    tile: int
    end: str
    ends: Ends
    count: int
    points: int
    voided: int
    out_point: int
    scores: tuple[int, ...]
    hand_size: int
    markers: tuple[str, ...]
    debt: str
    expired: bool
    away: bool


class SeenDraw(_Seen, frozen=True, gc=False):
    """Of TileDrawn: that it happened; to the drawer the tile and whether it can play (R-150 to R-152)."""

    seat: int
    hand_size: int
    boneyard_size: int
    tile: int | None = None
    playable: bool | None = None


class SeenPass(_Seen, frozen=True, gc=False):
    """Of TurnPassed: everything (R-153)."""

    seat: int
    markers: tuple[str, ...]
    debt: str


class SeenRoundEnd(_Seen, frozen=True, gc=False):
    """Of RoundEnded: everything, all hands included (R-156)."""

    round: int
    reason: str
    tie: bool
    winner_seat: int | None
    winner_side: int | None
    last_mover: int
    revealed: tuple[tuple[int, ...], ...]
    hand_pips: tuple[int, ...]
    raw_points: int | None
    awarded: int | None
    bonuses: tuple[Bonus, ...]
    reset: bool
    scores: tuple[int, ...]


class SeenGameEnd(_Seen, frozen=True, gc=False):
    """Of GameEnded: everything, and the server's seeds, by which every deal can be checked (R-142)."""

    winner_side: int
    scores: tuple[int, ...]
    server_seeds: tuple[bytes, ...]


class SeenClock(_Seen, frozen=True, gc=False):
    """Of ClockRestored: everything (R-155)."""

    seat: int
    deadline_ms: int


class SeenSeed(_Seen, frozen=True, gc=False):
    """Of SeedGiven: whose it is. The seed itself is told with the deal, when nobody can answer it any more."""

    seat: int


class SeenQuit(_Seen, frozen=True, gc=False):
    """Of SeatQuit: everything."""

    seat: int
    bot: Bot


Seen = (
    SeenGame
    | SeenDeal
    | SeenTurn
    | SeenPlay
    | SeenDraw
    | SeenPass
    | SeenRoundEnd
    | SeenGameEnd
    | SeenClock
    | SeenSeed
    | SeenQuit
)


def private_seats(event: Event) -> range | tuple[int, ...]:
    """The seats that may see more of an event than the public does."""
    if isinstance(event, RoundStarted):
        return range(len(event.hands))
    if isinstance(event, TurnStarted | TileDrawn):
        return (event.seat,)
    return ()


def see(event: Event, state: GameState, seat: int | None) -> Seen:
    """What `seat` (None: the public) may know of `event`, which has just led to `state`."""
    match event:
        case TilePlayed():
            assert state.layout is not None
            return SeenPlay(
                event.seat,
                event.tile,
                event.end,
                state.layout.ends(),
                event.count,
                event.points,
                event.voided,
                event.out_point,
                state.scores,
                state.hands[event.seat].bit_count(),
                *_trains(state),
                event.expired,
                state.standing.misses[event.seat] >= MISSES_UNTIL_AWAY,
            )
        case TurnStarted():
            legal = legal_plays(state) if seat == event.seat else ()
            return SeenTurn(event.seat, event.deadline_ms, legal)
        case TurnPassed():
            return SeenPass(event.seat, *_trains(state))
        case TileDrawn():
            seen = SeenDraw(event.seat, state.hands[event.seat].bit_count(), state.boneyard_size)
            if seat != event.seat:
                return seen
            return SeenDraw(event.seat, seen.hand_size, seen.boneyard_size, event.tile, event.playable)
        case RoundStarted():
            own = seat is not None
            return SeenDeal(
                round=event.round,
                hand_sizes=tuple(map(len, event.hands)),
                boneyard_size=len(event.boneyard),
                boneyard_floor=state.variant.draw.reserve,
                opener=event.opener,
                opener_by=event.opener_by,
                lot=event.lot,
                engine_tile=event.engine_tile,
                scores=state.scores,
                seat_seeds=event.seat_seeds,
                next_commitment=state.next_commitment,
                hand=event.hands[seat] if own else (),  # type: ignore[index]
                forced_lead=event.forced_lead if own and seat == event.opener else None,
            )
        case RoundEnded():
            return SeenRoundEnd(
                state.round,
                event.reason,
                event.tie,
                event.winner_seat,
                event.winner_side,
                event.last_mover,
                event.revealed,
                event.hand_pips,
                event.raw_points,
                event.awarded,
                event.bonuses,
                event.reset,
                event.scores,
            )
        case GameEnded():
            return SeenGameEnd(event.winner_side, state.scores, state.server_seeds)
        case ClockRestored():
            return SeenClock(state.turn, event.deadline_ms)
        case GameStarted():
            return SeenGame(state.setup.pairs, state.next_commitment)
        case SeedGiven():
            return SeenSeed(event.seat)
        case SeatQuit():
            return SeenQuit(event.seat, event.bot)


def _trains(state: GameState) -> tuple[tuple[str, ...], str]:
    """Markers and the train whose double must be covered; nothing on a line."""
    layout = state.layout
    return (layout.markers(), layout.debt_name() or "") if isinstance(layout, Trains) else ((), "")


class View(_Seen, frozen=True, gc=False):
    """The full picture for one viewer; the fields mean what they mean in capicua.api.v1."""

    seq: int
    over: bool
    pairs: bool
    own_seat: int | None
    round: int
    scores: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    boneyard_size: int
    boneyard_floor: int
    layout: tuple[Placement, ...]
    ends: Ends
    count: int
    engine_tile: int | None
    markers: tuple[str, ...]
    debt: str
    opener: int
    turn: int | None
    deadline_ms: int
    away: tuple[int, ...]
    winner_side: int | None
    next_commitment: bytes
    hand: tuple[int, ...] = ()
    legal: tuple[Play, ...] = ()
    forced_lead: int | None = None


def view(state: GameState, seat: int | None) -> View:
    """The game at `state` as `seat` (None: the public) may know it."""
    layout = state.layout
    playing = state.phase is PLAYING
    own = seat is not None and playing
    count = layout.count() if isinstance(layout, Line) and layout.placements else 0
    markers, debt = _trains(state)
    return View(
        seq=state.seq,
        over=state.phase is OVER,
        pairs=state.setup.pairs,
        own_seat=seat,
        round=state.round,
        scores=state.scores,
        hand_sizes=state.hand_sizes,
        boneyard_size=state.boneyard_size,
        boneyard_floor=state.variant.draw.reserve,
        layout=layout.placements if layout else (),
        ends=layout.ends() if layout else (),
        count=count,
        engine_tile=state.engine_tile,
        markers=markers,
        debt=debt,
        opener=state.opener,
        turn=state.turn if playing else None,
        deadline_ms=state.deadline_ms if playing else 0,
        away=tuple(s for s, missed in enumerate(state.standing.misses) if missed >= MISSES_UNTIL_AWAY),
        winner_side=state.winner_side,
        next_commitment=state.next_commitment,
        hand=state.tiles_of(seat) if seat is not None and state.round else (),
        legal=legal_plays(state) if own and seat == state.turn else (),
        forced_lead=state.forced_lead if own and seat == state.opener else None,
    )
