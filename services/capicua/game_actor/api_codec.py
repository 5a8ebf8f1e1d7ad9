"""Between the engine's views and the messages of capicua.api.v1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1 import types_pb2 as types
from capicua.api.v1 import update_pb2 as api
from capicua.api.v1.game_service_pb2 import Command, GameSummary, SessionResponse
from capicua.engine import PIPS, GameState, GiveSeed, PassTurn, PlayTile, QuitSeat, RejectReason, see
from capicua.engine import Command as EngineCommand
from capicua.engine import DrawTile as EngineDrawTile
from capicua.engine import view as engine_view
from capicua.engine.view import (
    Seen,
    SeenClock,
    SeenDeal,
    SeenDraw,
    SeenGame,
    SeenGameEnd,
    SeenPass,
    SeenPlay,
    SeenQuit,
    SeenRoundEnd,
    SeenSeed,
    SeenTurn,
)
from capicua.fair import SEED_BYTES
from capicua.game_actor.history import Step
from capicua.game_actor.players import players_at, spare_bots
from capicua.log.v1 import entry_pb2 as log
from capicua.runtime.ids import BOT_LEVEL
from capicua.runtime.refusals import refusal

MAX_REQUEST_ID = 64
TILES = tuple(types.Tile(high=high, low=low) for high, low in PIPS)
REASON_OF = {reason: reasons.ErrorReason.Value(f"ERROR_REASON_{reason.name}") for reason in RejectReason}
"""The public reason of each of the engine's."""
_HELP = {
    RejectReason.GAME_OVER: "the game has ended",
    RejectReason.ROUND_OVER: "the round has ended: wait for the next deal",
    RejectReason.NOT_YOUR_TURN: "another seat is to act: wait for your turn",
    RejectReason.NO_DRAW_IN_VARIANT: "this variant never draws",
    RejectReason.MUST_PLAY: "you hold a tile that fits, so you must play one",
    RejectReason.BONEYARD_RESERVED: "nothing may be drawn any more",
    RejectReason.TILE_NOT_IN_HAND: "this tile is not in your hand",
    RejectReason.MUST_LEAD_TILE: "another tile must be led: see `legal`",
    RejectReason.MUST_COVER_DOUBLE: "the open double must be covered first: see `debt`",
    RejectReason.TRAIN_PRIVATE: "this train belongs to another seat and carries no marker",
    RejectReason.END_NOT_OPEN: "this end is not open: see `ends`",
    RejectReason.NO_MATCH: "no half of this tile equals the end's pips",
    RejectReason.SEED_NOT_DUE: "only the next deal takes seeds, once its `next_commitment` was shown",
    RejectReason.SEED_GIVEN: "you have given another seed for this deal: the first one counts",
    RejectReason.SEED_USED: "this seed was in a deal before: draw a fresh one for each deal",
}
_ENDED = {
    "domino": types.ROUND_END_DOMINO_OUT,
    "block": types.ROUND_END_BLOCKED,
    "target": types.ROUND_END_TARGET,
}


def rejection(reason: RejectReason, current_seq: int) -> api.Refusal:
    """The engine's rejection as a client gets it."""
    return refusal(REASON_OF[reason], _HELP[reason], current_seq)


def command_answer(game_id: str, request_id: str, answer: api.Accepted | api.Refusal) -> api.CommandAnswer:
    """An answer with the id of its command."""
    if isinstance(answer, api.Refusal):
        return api.CommandAnswer(game_id=game_id, request_id=request_id, refused=answer)
    return api.CommandAnswer(game_id=game_id, request_id=request_id, accepted=answer)


def engine_command(command: Command, seat: int, facts: log.GameStarted) -> EngineCommand | api.Refusal:
    """The engine's command of a seat in a game, or INVALID_ARGUMENT for what is none."""
    if not 1 <= len(command.request_id) <= MAX_REQUEST_ID:
        return _invalid(f"`request_id` must have 1 to {MAX_REQUEST_ID} characters; a UUID is good")
    match command.WhichOneof("command"):
        case "play_tile":
            play = command.play_tile.play
            tile = play.tile
            if not command.play_tile.HasField("play") or not play.HasField("tile"):
                return _invalid("`play_tile.play.tile` is missing")
            if not tile.low <= tile.high <= 12:
                return _invalid(f"no tile is {tile.high}-{tile.low}: `high` must be 12 at most and not below `low`")
            return PlayTile(seat, tile.high * (tile.high + 1) // 2 + tile.low, play.end)
        case "draw_tile":
            return EngineDrawTile(seat)
        case "pass_turn":
            return PassTurn(seat)
        case "give_seed":
            seed = command.give_seed.seed
            if not 1 <= len(seed) <= SEED_BYTES:
                return _invalid(f"`give_seed.seed` must have 1 to {SEED_BYTES} bytes, not {len(seed)}")
            return GiveSeed(seat, command.give_seed.round, seed)
        case "quit_game":
            return QuitSeat(seat, spare_bots(facts))
        case _:
            return _invalid("`command` is missing: one of play_tile, draw_tile, pass_turn, give_seed, quit_game")


def _invalid(message: str) -> api.Refusal:
    return refusal(reasons.ERROR_REASON_INVALID_ARGUMENT, message)


def options(facts: log.GameStarted, target: int) -> types.GameOptions:
    """The options in force, without gaps."""
    return types.GameOptions(
        variant=facts.variant,
        seats=facts.seats,
        target=target,
        turn_seconds=facts.turn_ms // 1000,
        overrides_json=facts.overrides_json,
    )


def table_options(facts: log.GameStarted) -> types.TableOptions:
    """What the table allows spectators, what its players may say, and how well bots play."""
    return types.TableOptions(
        public=facts.public,
        spectators=not facts.no_spectators,
        delay_moves=facts.delay_moves,
        delay_seconds=facts.delay_seconds,
        talk=_talk(facts),
        bots=_bots(facts),
    )


def _talk(facts: log.GameStarted) -> types.Talk.ValueType:
    return types.Talk.ValueType(facts.talk or types.TALK_PHRASES)


def _bots(facts: log.GameStarted) -> str:
    return facts.bots or BOT_LEVEL


def _seats(facts: log.GameStarted, state: GameState) -> list[types.Seat]:
    left = {quit.seat for quit in state.standing.quits}
    return [
        types.Seat(seat=seat, player_id=player.player_id, name=player.name, bot=player.bot, quit=seat in left)
        for seat, player in enumerate(players_at(facts, state))
    ]


def _target(state: GameState) -> int:
    return state.variant.target.value[state.seats]


def summary(game_id: str, facts: log.GameStarted, state: GameState, spectators: int) -> GameSummary:
    """A live game in a list, at a `state` that spectators may know."""
    return GameSummary(
        game_id=game_id,
        options=options(facts, _target(state)),
        seats=_seats(facts, state),
        round=state.round,
        scores=state.scores,
        spectators=spectators,
        table_options=table_options(facts),
    )


def update_frame(game_id: str, facts: log.GameStarted, step: Step, seat: int | None) -> bytes:
    """One step as `seat` (None: the public) may see it, encoded as a message of one frame."""
    # Filled in place: building the parts first and copying them in takes three times as long.
    response = SessionResponse()
    update = response.frames.add().update
    update.seq = step.state.seq
    update.game_id = game_id
    update.time_ms = step.time_ms
    _fill(update, see(step.event, step.state, seat), facts, step.state)
    return response.SerializeToString()


def reset_frame(view: api.View) -> bytes:
    """A fresh start, encoded as a message of one frame."""
    return SessionResponse(frames=[api.Frame(reset=api.Reset(view=view))]).SerializeToString()


def presence_frames(game_id: str, connected: Mapping[int, bool]) -> bytes:
    """Whether the players of some seats are there, encoded as one message."""
    frames = [
        api.Frame(presence=api.Presence(game_id=game_id, seat=seat, connected=here)) for seat, here in connected.items()
    ]
    return SessionResponse(frames=frames).SerializeToString()


@cache
def _play(tile: int, end: str) -> types.Play:
    return types.Play(tile=TILES[tile], end=end)


@cache
def _end(end: str, pips: int) -> types.OpenEnd:
    return types.OpenEnd(end=end, pips=pips)


# Encoded messages one after the other are the messages merged, and to merge bytes that were encoded before takes half
# the time of copying messages in. Both of these are parts of nearly every append.
@cache
def _legal(tile: int, end: str) -> bytes:
    return api.TurnStarted(legal=[_play(tile, end)]).SerializeToString()


@lru_cache(5_000)
def _placed(tile: int, end: str, ends: tuple[tuple[str, int], ...]) -> bytes:
    return api.TilePlayed(play=_play(tile, end), ends=_ends(ends)).SerializeToString()


def _plays(plays: tuple[tuple[int, str], ...]) -> list[types.Play]:
    return [_play(tile, end) for tile, end in plays]


def _ends(ends: tuple[tuple[str, int], ...]) -> list[types.OpenEnd]:
    return [_end(end, pips) for end, pips in ends]


def _tiles(tiles: tuple[int, ...]) -> list[types.Tile]:
    return [TILES[tile] for tile in tiles]


def _tile(tile: int | None) -> types.Tile | None:
    return None if tile is None else TILES[tile]


def _opener_by(key: str) -> types.OpenerBy.ValueType:
    return types.OpenerBy.Value(f"OPENER_BY_{key.upper()}")


def _fill(update: api.Update, seen: Seen, facts: log.GameStarted, state: GameState) -> None:
    match seen:
        case SeenPlay():
            played = update.tile_played
            played.seat = seen.seat
            played.MergeFromString(_placed(seen.tile, seen.end, seen.ends))
            played.count = seen.count
            played.points = seen.points
            played.voided = seen.voided
            played.out_point = seen.out_point
            played.scores.extend(seen.scores)
            played.hand_size = seen.hand_size
            played.markers.extend(seen.markers)
            played.debt = seen.debt
            played.expired = seen.expired
            played.away = seen.away
        case SeenTurn():
            turn = update.turn_started
            turn.seat = seen.seat
            turn.deadline_ms = seen.deadline_ms
            turn.MergeFromString(b"".join([_legal(tile, end) for tile, end in seen.legal]))
        case SeenPass():
            passed = update.turn_passed
            passed.seat = seen.seat
            passed.markers.extend(seen.markers)
            passed.debt = seen.debt
        case SeenDraw():
            drawn = update.tile_drawn
            drawn.seat = seen.seat
            drawn.hand_size = seen.hand_size
            drawn.boneyard_size = seen.boneyard_size
            if seen.tile is not None and seen.playable is not None:
                drawn.tile.CopyFrom(TILES[seen.tile])
                drawn.playable = seen.playable
        case SeenDeal():
            update.round_started.CopyFrom(
                api.RoundStarted(
                    round=seen.round,
                    hand_sizes=seen.hand_sizes,
                    boneyard_size=seen.boneyard_size,
                    boneyard_floor=seen.boneyard_floor,
                    opener=seen.opener,
                    opener_by=_opener_by(seen.opener_by),
                    lot=[api.LotDraw(tiles=_tiles(draw)) for draw in seen.lot],
                    engine_tile=_tile(seen.engine_tile),
                    hand=_tiles(seen.hand),
                    forced_lead=_tile(seen.forced_lead),
                    scores=seen.scores,
                    seat_seeds=seen.seat_seeds,
                    next_commitment=seen.next_commitment,
                )
            )
        case SeenRoundEnd():
            update.round_ended.CopyFrom(
                api.RoundEnded(
                    reason=_ENDED[seen.reason],
                    tie=seen.tie,
                    winner_seat=seen.winner_seat,
                    winner_side=seen.winner_side,
                    last_mover=seen.last_mover,
                    hands=[_hand(tiles, pips) for tiles, pips in zip(seen.revealed, seen.hand_pips, strict=True)],
                    raw_points=seen.raw_points,
                    awarded=seen.awarded,
                    bonuses=[types.Bonus(kind=bonus.kind, points=bonus.points) for bonus in seen.bonuses],
                    reset=seen.reset,
                    scores=seen.scores,
                    round=seen.round,
                )
            )
        case SeenGameEnd():
            ended = api.GameEnded(winner_side=seen.winner_side, scores=seen.scores, server_seeds=seen.server_seeds)
            update.game_ended.CopyFrom(ended)
        case SeenClock():
            update.clock_restored.CopyFrom(api.ClockRestored(seat=seen.seat, deadline_ms=seen.deadline_ms))
        case SeenGame():
            update.game_started.CopyFrom(
                api.GameStarted(
                    options=options(facts, _target(state)),
                    seats=_seats(facts, state),
                    pairs=seen.pairs,
                    next_commitment=seen.next_commitment,
                    bots=_bots(facts),
                    talk=_talk(facts),
                )
            )
        case SeenSeed():
            update.seed_given.seat = seen.seat
        case SeenQuit():
            quit = update.seat_quit
            quit.seat = seen.seat
            quit.seat_now.CopyFrom(_seats(facts, state)[seen.seat])
            quit.name = facts.players[seen.seat].name


def _hand(tiles: tuple[int, ...], pips: int) -> types.Hand:
    return types.Hand(tiles=_tiles(tiles), pips=pips)


def view(
    game_id: str,
    facts: log.GameStarted,
    state: GameState,
    seat: int | None,
    spectators: int = 0,
    dropped: Iterable[int] = (),
) -> api.View:
    """The full picture as `seat` (None: the public) may see it."""
    seen = engine_view(state, seat)
    return api.View(
        game_id=game_id,
        seq=seen.seq,
        state=types.GAME_STATE_FINISHED if seen.over else types.GAME_STATE_RUNNING,
        options=options(facts, _target(state)),
        seats=_seats(facts, state),
        pairs=seen.pairs,
        own_seat=seen.own_seat,
        round=seen.round,
        scores=seen.scores,
        hand_sizes=seen.hand_sizes,
        boneyard_size=seen.boneyard_size,
        boneyard_floor=seen.boneyard_floor,
        layout=[types.Placement(seat=placed, play=_play(tile, end)) for placed, tile, end in seen.layout],
        ends=_ends(seen.ends),
        count=seen.count,
        engine_tile=_tile(seen.engine_tile),
        markers=seen.markers,
        debt=seen.debt,
        opener=seen.opener,
        turn=seen.turn,
        deadline_ms=seen.deadline_ms,
        hand=_tiles(seen.hand),
        legal=_plays(seen.legal),
        forced_lead=_tile(seen.forced_lead),
        winner_side=seen.winner_side,
        away=seen.away,
        spectators=spectators,
        dropped=sorted(dropped),
        next_commitment=seen.next_commitment,
        bots=_bots(facts),
        talk=_talk(facts),
    )
