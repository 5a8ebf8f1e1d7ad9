"""What each event changes. The only maker of states."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from msgspec.structs import replace

from capicua.engine.events import (
    ClockRestored,
    Event,
    GameEnded,
    GameStarted,
    RoundEnded,
    RoundStarted,
    TileDrawn,
    TilePlayed,
    TurnPassed,
    TurnStarted,
)
from capicua.engine.line import Line, new_line
from capicua.engine.state import GameState, Phase, new_state
from capicua.engine.tiles import mask, tile_count
from capicua.engine.trains import Trains, new_trains


def evolve(state: GameState | None, event: Event) -> GameState:
    """The state after one event. Never fails on an event that `decide` made of this state."""
    if state is None:
        assert isinstance(event, GameStarted)
        return new_state(event.variant, event.seats, event.turn_ms, seq=1)
    return _EVOLVE[type(event)](state, event)  # type: ignore[no-any-return, operator]


def fold(events: Iterable[Event], state: GameState | None = None) -> GameState | None:
    """The state after all of `events`."""
    return reduce(evolve, events, state)


# Where much changes or on the way of every move, the struct is built in the order of its fields: `replace`
# takes its time for each field it changes.


def _round_started(s: GameState, e: RoundStarted) -> GameState:
    seats = s.setup.seats
    layout: Line | Trains
    if e.engine_tile is not None:
        layout = new_trains(seats, e.engine_tile, tile_count(s.variant.set))
    else:
        layout = new_line(s.variant.spinner)
    return GameState(
        s.setup,
        s.seq + 1,
        Phase.PLAYING,
        e.round,
        s.scores,
        tuple(map(mask, e.hands)),
        e.hands,
        e.boneyard,
        0,
        layout,
        e.opener,
        e.opener_by,
        e.forced_lead,
        e.engine_tile,
        e.opener,
        s.turn_seq,
        s.deadline_ms,
        0,
        False,
        e.opener,
        s.misses,
    )


def turn_started(s: GameState, e: TurnStarted) -> GameState:
    return GameState(
        s.setup,
        s.seq + 1,
        s.phase,
        s.round,
        s.scores,
        s.hands,
        s.held,
        s.boneyard,
        s.drawn,
        s.layout,
        s.opener,
        s.opener_by,
        s.forced_lead,
        s.engine_tile,
        e.seat,
        s.seq + 1,
        e.deadline_ms,
        s.passes,
        s.drew,
        s.last_mover,
        s.misses,
    )


def _tile_played(s: GameState, e: TilePlayed) -> GameState:
    assert s.layout is not None
    return after_play(s, e, s.layout.place(e.seat, e.tile, e.end))


def after_play(s: GameState, e: TilePlayed, layout: Line | Trains) -> GameState:
    """The state after a play that makes `layout` of the state's own."""
    setup, seat = s.setup, e.seat
    hands = list(s.hands)
    hands[seat] = hand = hands[seat] ^ 1 << e.tile
    scores = s.scores
    if e.points or e.out_point:
        side = setup.side(seat)
        scores = (*scores[:side], scores[side] + e.points + e.out_point, *scores[side + 1 :])
    misses = s.misses
    missed = misses[seat] + 1 if e.expired else 0
    if missed != misses[seat]:
        misses = (*misses[:seat], missed, *misses[seat + 1 :])
    return GameState(
        setup,
        s.seq + 1,
        s.phase,
        s.round,
        scores,
        tuple(hands),
        s.held,
        s.boneyard,
        s.drawn,
        layout,
        s.opener,
        s.opener_by,
        None,
        s.engine_tile,
        # The turn stays where a double must be covered, and after a domino out.
        seat if layout.debt >= 0 or not hand else (seat + 1) % setup.seats,
        s.turn_seq,
        s.deadline_ms,
        0,
        False,
        seat,
        misses,
    )


def tile_drawn(s: GameState, e: TileDrawn) -> GameState:
    seat = e.seat
    return replace(
        s,
        seq=s.seq + 1,
        hands=(*s.hands[:seat], s.hands[seat] | 1 << e.tile, *s.hands[seat + 1 :]),
        held=(*s.held[:seat], (*s.held[seat], e.tile), *s.held[seat + 1 :]),
        drawn=s.drawn + 1,
        drew=True,
    )


def turn_passed(s: GameState, e: TurnPassed) -> GameState:
    layout = s.layout
    if isinstance(layout, Trains):
        # Only a pass that changed nothing at all brings the end nearer.
        passes = 0 if s.drew or e.marker_placed else s.passes + 1
        if e.marker_placed:
            layout = layout.mark(e.seat)
    else:
        passes = s.passes + 1
    return GameState(
        s.setup,
        s.seq + 1,
        s.phase,
        s.round,
        s.scores,
        s.hands,
        s.held,
        s.boneyard,
        s.drawn,
        layout,
        s.opener,
        s.opener_by,
        s.forced_lead,
        s.engine_tile,
        (e.seat + 1) % s.setup.seats,
        s.turn_seq,
        s.deadline_ms,
        passes,
        False,
        s.last_mover,
        s.misses,
    )


def round_ended(s: GameState, e: RoundEnded) -> GameState:
    opener = s.variant.opener
    by = opener.next if e.winner_seat is not None else opener.after_tie
    return replace(
        s,
        seq=s.seq + 1,
        phase=Phase.DEALING,
        scores=e.scores,
        next_opener=e.next_opener_seat,
        next_opener_by=e.next_opener_rule or by,
    )


def _game_ended(s: GameState, e: GameEnded) -> GameState:
    return replace(s, seq=s.seq + 1, phase=Phase.OVER, winner_side=e.winner_side)


def _clock_restored(s: GameState, e: ClockRestored) -> GameState:
    return replace(s, seq=s.seq + 1, turn_seq=s.seq + 1, deadline_ms=e.deadline_ms)


_EVOLVE = {
    RoundStarted: _round_started,
    TurnStarted: turn_started,
    TilePlayed: _tile_played,
    TileDrawn: tile_drawn,
    TurnPassed: turn_passed,
    RoundEnded: round_ended,
    GameEnded: _game_ended,
    ClockRestored: _clock_restored,
}
