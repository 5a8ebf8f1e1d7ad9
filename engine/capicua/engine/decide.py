"""What a command comes to: events, or the reason why not. Draws, passes and ends of rounds are automatic (R-7)."""

from __future__ import annotations

from capicua.engine.commands import (
    Command,
    DrawTile,
    ExpireTurn,
    GiveSeed,
    PassTurn,
    PlayTile,
    QuitSeat,
    RestoreClock,
    StartGame,
    StartRound,
)
from capicua.engine.deal import deal
from capicua.engine.events import (
    ClockRestored,
    Event,
    GameEnded,
    GameStarted,
    SeatQuit,
    TileDrawn,
    TilePlayed,
    TurnPassed,
    TurnStarted,
)
from capicua.engine.evolve import after_play, evolve, round_ended, tile_drawn, turn_passed, turn_started
from capicua.engine.legal import autoplay, can_play, not_now, why_not
from capicua.engine.line import Line, shape_after
from capicua.engine.rejections import Rejection, RejectReason
from capicua.engine.scoring import end_round, game_winner, meets_target, score_play
from capicua.engine.seeds import give_seed
from capicua.engine.state import DEALING, MISSES_UNTIL_AWAY, OVER, PLAYING, GameState
from capicua.engine.trains import Trains

AWAY_TURN_MS = 1_000
RESTORED_TURN_MS = 5_000
"""The least time a seat gets after its clock stood still."""

Decided = tuple[tuple[Event, ...], tuple[GameState, ...]]
"""Events in order, and the state after each of them."""


def decide(state: GameState | None, command: Command, now_ms: int) -> tuple[Event, ...] | Rejection:
    """Events of `command` at `now_ms` (Unix milliseconds), or the first reason of R-80 against it.

    Equal arguments give equal results. Raises ValueError for a command that no shell may send: a deal that
    is no permutation of the tiles, or without the lot it needs.
    """
    decided = advance(state, command, now_ms)
    return decided if isinstance(decided, Rejection) else decided[0]


def advance(state: GameState | None, command: Command, now_ms: int) -> Decided | Rejection:
    """What `decide` gives, and the states that `evolve` makes of it: to decide is to have made them."""
    if state is None:
        if not isinstance(command, StartGame):
            raise ValueError("a game begins with StartGame")
        rules, seal = (command.variant, command.seats, command.turn_ms), command.seal
        return _alone(None, GameStarted(*rules, seal, command.awaited, command.deadline_ms))
    if isinstance(command, PlayTile):
        return _quiet_play(state, command, now_ms) or _checked_play(state, command, now_ms)
    match command:
        case StartRound():
            if state.standing.phase is not DEALING:
                raise ValueError("a round is being played")
            dealt = deal(state, command)
            # Whoever opens a line can lead; with trains the opener too may have to draw.
            return _until_choice([dealt], [evolve(state, dealt)], now_ms)
        case ExpireTurn():
            if state.standing.phase is not PLAYING:
                return Rejection(not_now(state, state.turn) or RejectReason.NOT_YOUR_TURN)
            tile, end = autoplay(state)
            return _play(state, tile, end, now_ms, expired=True)
        case DrawTile() | PassTurn():
            refused = not_now(state, command.seat)
            if refused is None and isinstance(command, DrawTile) and state.variant.draw.policy == "none":
                refused = RejectReason.NO_DRAW_IN_VARIANT
            if refused is None and can_play(state):
                refused = RejectReason.MUST_PLAY
            if refused is None and isinstance(command, DrawTile) and not state.can_draw:
                refused = RejectReason.BONEYARD_RESERVED
            return _until_choice([], [state], now_ms) if refused is None else Rejection(refused)
        case RestoreClock():
            if state.standing.phase is not PLAYING:
                return (), ()
            least = now_ms + min(RESTORED_TURN_MS, _turn_ms(state, state.turn))
            return _alone(state, ClockRestored(max(state.deadline_ms + command.gone_ms, least)))
        case GiveSeed():
            given = give_seed(state, command)
            return given if isinstance(given, Rejection) else (given, tuple([evolve(state, event) for event in given]))
        case QuitSeat():
            return _quit(state, command)
        case StartGame():
            raise ValueError("the game has begun")


def _quit(state: GameState, command: QuitSeat) -> Decided | Rejection:
    """Each seat is left once: who has left it holds no seat, and is no business of the engine."""
    if state.standing.phase is OVER:
        return Rejection(RejectReason.GAME_OVER)
    taken = {quit.bot.player_id for quit in state.standing.quits}
    bots = [bot for bot in command.spare if bot.player_id not in taken]
    if not bots:
        raise ValueError("there must be a bot for every seat that is left")
    return _alone(state, SeatQuit(command.seat, bots[0]))


def _alone(state: GameState | None, event: Event) -> Decided:
    return (event,), (evolve(state, event),)


def _quiet_play(state: GameState, wish: PlayTile, now_ms: int) -> Decided | None:
    """What `_checked_play` gives for a legal play on a line where plays are worth nothing and nobody missed a turn,
    found with a third of its work; None for any other. Nothing but hand, line and turn changes by such a play.
    """
    standing, seat, tile, end = state.standing, wish.seat, wish.tile, wish.end
    if not standing.quiet or seat != state.turn or tile < 0:
        return None
    line: Line = state.layout  # type: ignore[assignment]  # a quiet play is on a line
    hands, forced = list(state.hands), standing.forced_lead
    hand = hands[seat]
    if not hand >> tile & 1 or (forced is not None and tile != forced and not line.placements):
        return None
    shape = shape_after(line.shape, tile, end)
    if shape is None:
        return None
    hands[seat] = hand = hand ^ 1 << tile
    turn = (seat + 1) % len(hands) if hand else seat
    seq, masks, line = state.seq + 1, tuple(hands), Line(shape, (*line.placements, (seat, tile, end)))
    played = TilePlayed(seat, tile, end, shape.count)
    after = GameState(standing, seq, masks, line, turn, state.turn_seq, state.deadline_ms)
    if not hands[turn] & shape.fitting:
        return _until_choice([played], [after], now_ms) if hand else _end([played], [after], state, "domino")
    seq, deadline_ms = seq + 1, now_ms + standing.setup.turn_ms
    turned = GameState(standing, seq, masks, line, turn, seq, deadline_ms)
    return (played, TurnStarted(turn, deadline_ms)), (after, turned)


def _checked_play(state: GameState, wish: PlayTile, now_ms: int) -> Decided | Rejection:
    refused = why_not(state, wish)
    return Rejection(refused) if refused is not None else _play(state, wish.tile, wish.end, now_ms, expired=False)


def _play(state: GameState, tile: int, end: str, now_ms: int, *, expired: bool) -> Decided:
    assert state.layout is not None
    setup, seat = state.standing.setup, state.turn
    layout = state.layout.place(seat, tile, end)
    played = score_play(state, tile, end, layout.count(), expired)
    after = after_play(state, played, layout)
    target = setup.variant.target
    met = target.check == "immediate" and meets_target(after, setup.side(seat))
    # An exact target's point for the domino out is in the play, so such a round ends by domino out.
    if met and (after.hands[seat] or target.kind != "exact"):
        return _end([played], [after], state, "target")
    if not after.hands[seat]:
        return _end([played], [after], state, "domino")
    return _until_choice([played], [after], now_ms)


def _until_choice(events: list[Event], states: list[GameState], now_ms: int) -> Decided:
    """What was decided, then draws and passes until a seat has a choice or the round is blocked (R-57 to R-60,
    R-71 to R-77).
    """
    state = states[-1]
    draw, seats = state.standing.setup.variant.draw.policy, len(state.hands)
    while True:
        layout, seat = state.layout, state.turn
        assert layout is not None
        event: Event
        if layout.can_play(seat, state.hands[seat]):
            event = TurnStarted(seat, now_ms + _turn_ms(state, seat))
            return (*events, event), (*states, turn_started(state, event))
        if draw != "none" and (draw == "until_playable" or not state.drew) and state.can_draw:
            tile = state.boneyard[state.drawn]
            # The hand could not play, so it can now only with this tile.
            event = TileDrawn(seat, tile, layout.can_play(seat, 1 << tile))
            state = tile_drawn(state, event)
        else:
            event = TurnPassed(seat, isinstance(layout, Trains) and not layout.marked >> seat & 1)
            state = turn_passed(state, event)
        events.append(event)
        states.append(state)
        if state.passes >= seats:
            return _end(events, states, state, "block")


def _end(events: list[Event], states: list[GameState], before: GameState, reason: str) -> Decided:
    """What was decided, then the end of the round; its last event was made at `before`."""
    last, state = events[-1], states[-1]
    ended = end_round(before, state, reason, last if isinstance(last, TilePlayed) else None)
    winner = state.standing.setup.side(state.last_mover) if reason == "target" else game_winner(state, ended.scores)
    state = round_ended(state, ended)
    if winner is None:
        return (*events, ended), (*states, state)
    won = GameEnded(winner)
    return (*events, ended, won), (*states, state, evolve(state, won))


def _turn_ms(state: GameState, seat: int) -> int:
    standing = state.standing
    return AWAY_TURN_MS if standing.misses[seat] >= MISSES_UNTIL_AWAY else standing.setup.turn_ms
