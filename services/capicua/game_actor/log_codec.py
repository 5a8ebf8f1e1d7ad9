"""Between the engine's events and the stored bytes of capicua.log.v1."""

from __future__ import annotations

from collections.abc import Iterable

from capicua.engine import (
    Bonus,
    Bot,
    ClockRestored,
    Event,
    GameEnded,
    GameStarted,
    RoundEnded,
    RoundStarted,
    Seal,
    SeatQuit,
    SeedGiven,
    TileDrawn,
    TilePlayed,
    TurnPassed,
    TurnStarted,
    from_json,
)
from capicua.game_actor.players import stored_bot
from capicua.log.v1 import entry_pb2 as log

SCHEMA_VERSION = 1


class UnknownEvent(Exception):
    """A stored event of a kind this version does not know: a newer version wrote it."""


def entry_bytes(
    facts: log.GameStarted,
    events: Iterable[Event],
    *,
    epoch: int,
    time_ms: int,
    request_id: str = "",
    seat: int | None = None,
) -> bytes:
    """One append. `facts` stands for GameStarted, which knows more than the engine: who plays."""
    entry = log.Entry(schema_version=SCHEMA_VERSION, epoch=epoch, time_ms=time_ms, request_id=request_id, seat=seat)
    for event in events:
        _fill(entry.events.add(), event, facts)
    return entry.SerializeToString()


def _fill(stored: log.Event, event: Event, facts: log.GameStarted) -> None:
    match event:
        case TilePlayed():
            played = stored.tile_played
            played.seat = event.seat
            played.tile = event.tile
            played.end = event.end
            played.count = event.count
            played.points = event.points
            played.voided = event.voided
            played.out_point = event.out_point
            played.expired = event.expired
        case TurnStarted():
            stored.turn_started.seat = event.seat
            stored.turn_started.deadline_ms = event.deadline_ms
        case TurnPassed():
            stored.turn_passed.seat = event.seat
            stored.turn_passed.marker_placed = event.marker_placed
        case TileDrawn():
            stored.tile_drawn.seat = event.seat
            stored.tile_drawn.tile = event.tile
            stored.tile_drawn.playable = event.playable
        case RoundStarted():
            stored.round_started.CopyFrom(
                log.RoundStarted(
                    round=event.round,
                    hands=map(bytes, event.hands),
                    boneyard=bytes(event.boneyard),
                    opener=event.opener,
                    opener_by=event.opener_by,
                    lot=map(bytes, event.lot),
                    forced_lead=event.forced_lead,
                    engine_tile=event.engine_tile,
                    seat_seeds=event.seat_seeds,
                    next_seal=stored_seal(event.next_seal),
                )
            )
        case RoundEnded():
            stored.round_ended.CopyFrom(
                log.RoundEnded(
                    reason=event.reason,
                    tie=event.tie,
                    winner_seat=event.winner_seat,
                    winner_side=event.winner_side,
                    last_mover=event.last_mover,
                    revealed=map(bytes, event.revealed),
                    hand_pips=event.hand_pips,
                    raw_points=event.raw_points,
                    awarded=event.awarded,
                    bonuses=[log.Bonus(kind=bonus.kind, points=bonus.points) for bonus in event.bonuses],
                    reset=event.reset,
                    scores=event.scores,
                    next_opener_seat=event.next_opener_seat,
                    next_opener_rule=event.next_opener_rule or "",
                )
            )
        case GameEnded():
            stored.game_ended.winner_side = event.winner_side
        case ClockRestored():
            stored.clock_restored.deadline_ms = event.deadline_ms
        case GameStarted():
            stored.game_started.CopyFrom(facts)
        case SeedGiven():
            stored.seed_given.seat = event.seat
            stored.seed_given.seed = event.seed
        case SeatQuit():
            stored.seat_quit.seat = event.seat
            stored.seat_quit.bot.CopyFrom(stored_bot(event.bot))


def stored_seal(seal: Seal | None) -> log.Seal | None:
    """A seal as it is stored."""
    return None if seal is None else log.Seal(seed=seal.seed, commitment=seal.commitment)


def _seal(stored: log.Seal) -> Seal | None:
    return Seal(stored.seed, stored.commitment) if stored.seed else None


def decode(event: log.Event) -> Event:
    """The engine's event. Raises UnknownEvent rather than skip what it does not know."""
    match event.WhichOneof("event"):
        case "tile_played":
            played = event.tile_played
            return TilePlayed(
                played.seat,
                played.tile,
                played.end,
                played.count,
                played.points,
                played.voided,
                played.out_point,
                played.expired,
            )
        case "turn_started":
            return TurnStarted(event.turn_started.seat, event.turn_started.deadline_ms)
        case "turn_passed":
            return TurnPassed(event.turn_passed.seat, event.turn_passed.marker_placed)
        case "tile_drawn":
            return TileDrawn(event.tile_drawn.seat, event.tile_drawn.tile, event.tile_drawn.playable)
        case "round_started":
            dealt = event.round_started
            return RoundStarted(
                round=dealt.round,
                hands=tuple(map(tuple, dealt.hands)),
                boneyard=tuple(dealt.boneyard),
                opener=dealt.opener,
                opener_by=dealt.opener_by,
                lot=tuple(map(tuple, dealt.lot)),
                forced_lead=dealt.forced_lead if dealt.HasField("forced_lead") else None,
                engine_tile=dealt.engine_tile if dealt.HasField("engine_tile") else None,
                seat_seeds=tuple(dealt.seat_seeds),
                next_seal=_seal(dealt.next_seal),
            )
        case "round_ended":
            return _decode_round_ended(event.round_ended)
        case "game_ended":
            return GameEnded(event.game_ended.winner_side)
        case "clock_restored":
            return ClockRestored(event.clock_restored.deadline_ms)
        case "game_started":
            facts = event.game_started
            variant, seal, awaited = from_json(facts.parameters_json), _seal(facts.seal), tuple(facts.awaited)
            return GameStarted(variant, facts.seats, facts.turn_ms, seal, awaited, facts.deadline_ms)
        case "seed_given":
            return SeedGiven(event.seed_given.seat, event.seed_given.seed)
        case "seat_quit":
            bot = event.seat_quit.bot
            return SeatQuit(event.seat_quit.seat, Bot(bot.player_id, bot.name))
        case _:
            raise UnknownEvent("the log holds a kind of event that this version does not know; use a newer one")


def _decode_round_ended(ended: log.RoundEnded) -> RoundEnded:
    return RoundEnded(
        reason=ended.reason,
        tie=ended.tie,
        winner_seat=ended.winner_seat if ended.HasField("winner_seat") else None,
        winner_side=ended.winner_side if ended.HasField("winner_side") else None,
        last_mover=ended.last_mover,
        revealed=tuple(map(tuple, ended.revealed)),
        hand_pips=tuple(ended.hand_pips),
        raw_points=ended.raw_points if ended.HasField("raw_points") else None,
        awarded=ended.awarded if ended.HasField("awarded") else None,
        bonuses=tuple(Bonus(bonus.kind, bonus.points) for bonus in ended.bonuses),
        reset=ended.reset,
        scores=tuple(ended.scores),
        next_opener_seat=ended.next_opener_seat if ended.HasField("next_opener_seat") else None,
        next_opener_rule=ended.next_opener_rule or None,
    )
