"""What a command comes to: events, or the reason why not. Draws, passes and ends of rounds are automatic (R-7)."""

from __future__ import annotations

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
from capicua.engine.deal import deal
from capicua.engine.events import (
    ClockRestored,
    Event,
    GameEnded,
    GameStarted,
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
from capicua.engine.state import DEALING, MISSES_UNTIL_AWAY, PLAYING, GameState
from capicua.engine.trains import Trains

AWAY_TURN_MS = 1_000
RESTORED_TURN_MS = 5_000
"""The least time a seat gets after its clock stood still."""

Steps = list[tuple[Event, GameState]]
"""Events in order, each with the state after it."""


def decide(state: GameState | None, command: Command, now_ms: int) -> tuple[Event, ...] | Rejection:
    """Events of `command` at `now_ms` (Unix milliseconds), or the first reason of R-80 against it.

    Equal arguments give equal results. Raises ValueError for a command that no shell may send: a deal that
    is no permutation of the tiles, or without the lot it needs.
    """
    steps = decide_steps(state, command, now_ms)
    return steps if isinstance(steps, Rejection) else tuple([event for event, _ in steps])


def decide_steps(state: GameState | None, command: Command, now_ms: int) -> Steps | Rejection:
    """What `decide` gives, each event with the state that `evolve` makes of it: deciding has made it already."""
    if state is None:
        if not isinstance(command, StartGame):
            raise ValueError("a game begins with StartGame")
        return _step(None, GameStarted(command.variant, command.seats, command.turn_ms))
    match command:
        case PlayTile():
            quick = _quick_play(state, command, now_ms)
            if quick is not None:
                return quick
            refused = why_not(state, command)
            if refused is not None:
                return Rejection(refused)
            return _play(state, command.tile, command.end, now_ms, expired=False)
        case StartRound():
            if state.standing.phase is not DEALING:
                raise ValueError("a round is being played")
            # Whoever opens a line can lead; with trains the opener too may have to draw.
            steps = _step(state, deal(state, command))
            return _until_choice(steps, steps[0][1], now_ms)
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
            return _until_choice([], state, now_ms) if refused is None else Rejection(refused)
        case RestoreClock():
            if state.standing.phase is not PLAYING:
                return []
            least = now_ms + min(RESTORED_TURN_MS, _turn_ms(state, state.turn))
            return _step(state, ClockRestored(max(state.deadline_ms + command.gone_ms, least)))
        case StartGame():
            raise ValueError("the game has begun")


def _step(state: GameState | None, event: Event) -> Steps:
    return [(event, evolve(state, event))]


def _quick_play(state: GameState, wish: PlayTile, now_ms: int) -> Steps | None:
    """What `_play` gives for a play of the commonest kind, found with a third of its work; None for any other.

    That is a legal play on a line, after the lead, in a variant whose plays are worth nothing, after which the
    next seat has a choice. Nothing but the hand, the line and the turn changes by it.
    """
    standing, line, seat, tile = state.standing, state.layout, wish.seat, wish.tile
    if (
        not isinstance(line, Line)
        or not line.placements
        or not standing.setup.quiet
        or standing.phase is not PLAYING
        or seat != state.turn
        or standing.misses[seat]
        or tile < 0
    ):
        return None
    hands = list(state.hands)
    hand = hands[seat]
    hands[seat] = rest = hand & ~(1 << tile)
    shape = shape_after(line.shape, tile, wish.end)
    turn = (seat + 1) % len(hands)
    if shape is None or rest == hand or not rest or not hands[turn] & shape.fitting:
        return None
    seq, held = state.seq + 1, tuple(hands)
    line = Line(shape, (*line.placements, (seat, tile, wish.end)))
    deadline_ms = now_ms + _turn_ms(state, turn)
    return [
        (
            TilePlayed(seat, tile, wish.end, shape.count),
            GameState(standing, seq, held, line, turn, state.turn_seq, state.deadline_ms),
        ),
        (TurnStarted(turn, deadline_ms), GameState(standing, seq + 1, held, line, turn, seq + 1, deadline_ms)),
    ]


def _play(state: GameState, tile: int, end: str, now_ms: int, *, expired: bool) -> Steps:
    assert state.layout is not None
    setup, seat = state.standing.setup, state.turn
    layout = state.layout.place(seat, tile, end)
    played = score_play(state, tile, end, layout.count(), expired)
    after = after_play(state, played, layout)
    steps: Steps = [(played, after)]
    target = setup.variant.target
    met = target.check == "immediate" and meets_target(after, setup.side(seat))
    # An exact target's point for the domino out is in the play, so such a round ends by domino out.
    if met and (after.hands[seat] or target.kind != "exact"):
        return _end(steps, state, after, "target", played)
    if not after.hands[seat]:
        return _end(steps, state, after, "domino", played)
    return _until_choice(steps, after, now_ms)


def _end(steps: Steps, before: GameState, state: GameState, reason: str, played: TilePlayed | None) -> Steps:
    ended = end_round(before, state, reason, played)
    winner = state.standing.setup.side(state.last_mover) if reason == "target" else game_winner(state, ended.scores)
    state = round_ended(state, ended)
    steps.append((ended, state))
    if winner is not None:
        steps += _step(state, GameEnded(winner))
    return steps


def _until_choice(steps: Steps, state: GameState, now_ms: int) -> Steps:
    """`steps` up to `state`, then draws and passes until a seat can play or the round is blocked (R-57 to R-60,
    R-71 to R-77).
    """
    draw = state.standing.setup.variant.draw.policy
    while True:
        layout, seat = state.layout, state.turn
        assert layout is not None
        event: Event
        if layout.can_play(seat, state.hands[seat]):
            event = TurnStarted(seat, now_ms + _turn_ms(state, seat))
            steps.append((event, turn_started(state, event)))
            return steps
        if draw != "none" and (draw == "until_playable" or not state.drew) and state.can_draw:
            tile = state.boneyard[state.drawn]
            # The hand could not play, so it can now only with this tile.
            event = TileDrawn(seat, tile, layout.can_play(seat, 1 << tile))
            state = tile_drawn(state, event)
        else:
            event = TurnPassed(seat, isinstance(layout, Trains) and not layout.marked >> seat & 1)
            state = turn_passed(state, event)
        steps.append((event, state))
        if state.passes >= len(state.hands):
            return _end(steps, state, state, "block", None)


def _turn_ms(state: GameState, seat: int) -> int:
    return AWAY_TURN_MS if state.standing.misses[seat] >= MISSES_UNTIL_AWAY else state.standing.setup.turn_ms
