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
    SeatQuit,
    SeedGiven,
    TileDrawn,
    TilePlayed,
    TurnPassed,
    TurnStarted,
)
from capicua.engine.line import Line, new_line
from capicua.engine.state import DEALING, OVER, PLAYING, GameState, Quit, Standing, added, new_state
from capicua.engine.tiles import mask, tile_count
from capicua.engine.trains import Trains, new_trains


def evolve(state: GameState | None, event: Event) -> GameState:
    """The state after one event. Never fails on an event that `decide` made of this state."""
    if state is None:
        assert isinstance(event, GameStarted)
        state = new_state(event.variant, event.seats, event.turn_ms, seq=1)
        standing = replace(state.standing, seals=(event.seal,), awaited=event.awaited)
        return replace(state, standing=standing, turn_seq=1, deadline_ms=event.deadline_ms)
    return _EVOLVE[type(event)](state, event)  # type: ignore[no-any-return, operator]


def fold(events: Iterable[Event], state: GameState | None = None) -> GameState | None:
    """The state after all of `events`."""
    return reduce(evolve, events, state)


# On the way of every move structs are built in the order of their fields: `replace` takes its time for each field.


def _round_started(s: GameState, e: RoundStarted) -> GameState:
    before = s.standing
    setup = before.setup
    layout: Line | Trains
    if e.engine_tile is not None:
        layout = new_trains(setup.seats, e.engine_tile, tile_count(setup.variant.set))
    else:
        layout = new_line(setup.variant.spinner)
    standing = Standing(
        setup,
        PLAYING,
        e.round,
        before.scores,
        before.misses,
        setup.quiet and not any(before.misses),
        e.hands,
        e.boneyard,
        0,
        e.opener,
        e.opener_by,
        e.forced_lead,
        e.engine_tile,
        # A snapshot may be of a version that knew no seals.
        seals=(*(before.seals or (None,) * e.round), e.next_seal),
        used_seeds=(*before.used_seeds, *filter(None, e.seat_seeds)),
        quits=before.quits,
    )
    return GameState(standing, s.seq + 1, tuple(map(mask, e.hands)), layout, e.opener, s.turn_seq, s.deadline_ms)


def turn_started(s: GameState, e: TurnStarted) -> GameState:
    """The state after a TurnStarted."""
    seq = s.seq + 1
    return GameState(s.standing, seq, s.hands, s.layout, e.seat, seq, e.deadline_ms, s.passes, s.drew)


def _tile_played(s: GameState, e: TilePlayed) -> GameState:
    assert s.layout is not None
    return after_play(s, e, s.layout.place(e.seat, e.tile, e.end))


def after_play(s: GameState, e: TilePlayed, layout: Line | Trains) -> GameState:
    """The state after a play that makes `layout` of the state's own."""
    standing, seat = s.standing, e.seat
    hands = list(s.hands)
    hands[seat] = hand = hands[seat] ^ 1 << e.tile
    if e.points or e.out_point:
        side = standing.setup.side(seat)
        standing = replace(standing, scores=added(standing.scores, side, e.points + e.out_point))
    if e.expired or standing.misses[seat]:
        misses = standing.misses
        missed = misses[seat] + 1 if e.expired else 0
        misses = (*misses[:seat], missed, *misses[seat + 1 :])
        standing = replace(standing, misses=misses, quiet=standing.setup.quiet and not any(misses))
    # The turn stays where a double must be covered, and after a domino out.
    turn = seat if layout.debt >= 0 or not hand else (seat + 1) % len(hands)
    return GameState(standing, s.seq + 1, tuple(hands), layout, turn, s.turn_seq, s.deadline_ms)


def tile_drawn(s: GameState, e: TileDrawn) -> GameState:
    """The state after a TileDrawn."""
    seat, held, hands = e.seat, list(s.standing.held), list(s.hands)
    hands[seat] |= 1 << e.tile
    held[seat] += (e.tile,)
    standing = replace(s.standing, held=tuple(held), drawn=s.standing.drawn + 1)
    return GameState(standing, s.seq + 1, tuple(hands), s.layout, s.turn, s.turn_seq, s.deadline_ms, s.passes, True)


def turn_passed(s: GameState, e: TurnPassed) -> GameState:
    """The state after a TurnPassed."""
    layout, passes, hands = s.layout, s.passes + 1, s.hands
    if isinstance(layout, Trains):
        # Only a pass that changed nothing at all brings the end nearer.
        if s.drew or e.marker_placed:
            passes = 0
        if e.marker_placed:
            layout = layout.mark(e.seat)
    turn = (e.seat + 1) % len(hands)
    return GameState(s.standing, s.seq + 1, hands, layout, turn, s.turn_seq, s.deadline_ms, passes)


def round_ended(s: GameState, e: RoundEnded) -> GameState:
    """The state after a RoundEnded."""
    opener = s.standing.setup.variant.opener
    by = opener.next if e.winner_seat is not None else opener.after_tie
    standing = replace(
        s.standing,
        phase=DEALING,
        quiet=False,
        scores=e.scores,
        next_opener=e.next_opener_seat,
        next_opener_by=e.next_opener_rule or by,
    )
    return replace(s, standing=standing, seq=s.seq + 1)


def _game_ended(s: GameState, e: GameEnded) -> GameState:
    return replace(s, standing=replace(s.standing, phase=OVER, winner_side=e.winner_side), seq=s.seq + 1)


def _clock_restored(s: GameState, e: ClockRestored) -> GameState:
    return replace(s, seq=s.seq + 1, turn_seq=s.seq + 1, deadline_ms=e.deadline_ms)


def _seed_given(s: GameState, e: SeedGiven) -> GameState:
    seeds = list(s.standing.seat_seeds or (b"",) * s.seats)
    seeds[e.seat] = e.seed
    awaited = tuple([seat for seat in s.standing.awaited if seat != e.seat])
    return replace(s, standing=replace(s.standing, seat_seeds=tuple(seeds), awaited=awaited), seq=s.seq + 1)


def _seat_quit(s: GameState, e: SeatQuit) -> GameState:
    standing, seq = s.standing, s.seq + 1
    # The bot has missed no turn, and gives no seed.
    misses = tuple([0 if seat == e.seat else missed for seat, missed in enumerate(standing.misses)])
    standing = replace(
        standing,
        misses=misses,
        quiet=standing.phase is PLAYING and standing.setup.quiet and not any(misses),
        awaited=tuple([seat for seat in standing.awaited if seat != e.seat]),
        quits=(*standing.quits, Quit(seq, e.seat, e.bot)),
    )
    return replace(s, standing=standing, seq=seq)


_EVOLVE = {
    RoundStarted: _round_started,
    TurnStarted: turn_started,
    TilePlayed: _tile_played,
    TileDrawn: tile_drawn,
    TurnPassed: turn_passed,
    RoundEnded: round_ended,
    GameEnded: _game_ended,
    ClockRestored: _clock_restored,
    SeedGiven: _seed_given,
    SeatQuit: _seat_quit,
}
