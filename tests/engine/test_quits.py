"""A player leaves a seat for good: nothing changes for the others, and a bot has the seat."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capicua.engine import (
    VARIANTS,
    Bot,
    Decided,
    Event,
    ExpireTurn,
    GameState,
    NotationError,
    Phase,
    QuitSeat,
    Rejection,
    RejectReason,
    SeatQuit,
    StartGame,
    Variant,
    advance,
    decide,
    fold,
    parse_record,
    print_record,
    read_state,
    record_of,
    replay,
    view,
    write_state,
)
from kit.games import GAMES, random_game

Game = tuple[tuple[Variant, int], int]
SPARE = tuple(Bot(f"bot-{letter}", f"Bot {letter.upper()}") for letter in "abcdefgh")


def begun(awaited: tuple[int, ...] = ()) -> GameState:
    """A game that waits for its first deal."""
    return carried_out(advance(None, StartGame(VARIANTS["draw"], 3, 30_000, None, awaited, 3_000), 0))


def carried_out(decided: Decided | Rejection) -> GameState:
    """The state that a command leads to."""
    assert not isinstance(decided, Rejection)
    return decided[1][-1]


def with_quits(game: Game, quits: list[tuple[int, int]]) -> Iterator[tuple[Event, GameState]]:
    """The events of a random game in which, before some of its deals and turns, a seat is left."""
    (variant, seats), seed = game
    events = [event for event, _ in random_game(variant, seats, seed, rounds=2)]
    state: GameState | None = None
    gone: set[int] = set()
    for number, event in enumerate(events):
        for at, seat in quits:
            waits = state is not None and type(events[number - 1]).__name__ in ("GameStarted", "TurnStarted")
            if state is not None and waits and number % 7 == at and seat < seats and seat not in gone:
                gone.add(seat)
                made = decide(state, QuitSeat(seat, SPARE), 0)
                assert not isinstance(made, Rejection)
                state = fold(made, state)
                yield made[0], state  # type: ignore[misc]
        state = fold([event], state)
        yield event, state  # type: ignore[misc]


QUITS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 7)), max_size=6)


@given(GAMES, QUITS)
@settings(max_examples=40)
def test_a_quit_changes_nothing_for_those_who_stay(game: Game, quits: list[tuple[int, int]]) -> None:
    """Given any game with quits, every event of the same game without them fits and leads to the same table."""
    (variant, seats), seed = game
    played = list(with_quits(game, quits))
    without = [state for _, state in random_game(variant, seats, seed, rounds=2)]
    with_them = [state for event, state in played if not isinstance(event, SeatQuit)]
    gone = [event for event, _ in played if isinstance(event, SeatQuit)]

    for left, state in zip(with_them, without, strict=True):
        assert (left.hands, left.layout, left.turn, left.scores) == (
            state.hands,
            state.layout,
            state.turn,
            state.scores,
        )
        assert left.deadline_ms == state.deadline_ms
    last = played[-1][1]
    assert [(quit.seat, quit.bot) for quit in last.standing.quits] == [(left.seat, left.bot) for left in gone]
    assert [played[quit.seq - 1][0] for quit in last.standing.quits] == gone
    assert len({left.bot for left in gone}) == len(gone)
    assert read_state(write_state(last)) == last


@given(GAMES, QUITS)
@settings(max_examples=40)
def test_a_record_says_who_left_and_when(game: Game, quits: list[tuple[int, int]]) -> None:
    """parse(print(x)) == x, and the rules let each seat be left at the same moment again."""
    played = [event for event, _ in with_quits(game, quits)]
    record = record_of(played, [f"Player {seat}" for seat in range(game[0][1])])
    read = parse_record(print_record(record))
    kinds = [(type(event), event.seat if isinstance(event, SeatQuit) else 0) for event in played]

    assert read == record
    assert [(type(e), e.seat if isinstance(e, SeatQuit) else 0) for e in replay(read)] == kinds


def test_the_bot_is_not_away() -> None:
    """Given a seat that missed two turns, when its player quits, then the next turn is a whole one."""
    _, state = list(random_game(VARIANTS["draw"], 2, 3, rounds=1))[2]
    while len(view(state, None).away) < 2:
        state = carried_out(advance(state, ExpireTurn(), 0))
    seat = state.turn
    state = carried_out(advance(state, QuitSeat(seat, SPARE), 0))

    assert view(state, None).away == (1 - seat,)


def test_the_first_deal_waits_no_longer_for_who_has_left() -> None:
    """Given a deal that waits for seeds, when the last one who is awaited quits, then it waits for nobody."""
    state = carried_out(advance(begun(awaited=(0, 2)), QuitSeat(2, SPARE), 0))
    assert state.standing.awaited == (0,)

    assert carried_out(advance(state, QuitSeat(0, SPARE), 0)).standing.awaited == ()


def test_nobody_leaves_a_game_that_is_over() -> None:
    """Its seats are history."""
    _, over = list(random_game(VARIANTS["block_rounds"], 2, 1, rounds=500))[-1]
    assert over.phase is Phase.OVER

    assert decide(over, QuitSeat(0, SPARE), 0) == Rejection(RejectReason.GAME_OVER)


def test_no_bot_for_a_seat_is_a_mistake_of_the_shell() -> None:
    """One bot is enough for one seat, and for no second one."""
    state = carried_out(advance(begun(), QuitSeat(0, SPARE[:1]), 0))
    with pytest.raises(ValueError, match="a bot for every seat"):
        decide(state, QuitSeat(1, SPARE[:1]), 0)


@pytest.mark.parametrize("quit", ["quit 0 Abuela\nquit 0 Benito", "quit 7 Abuela"])
def test_a_record_leaves_no_seat_twice(quit: str) -> None:
    """What cannot have been is named."""
    events = [event for event, _ in random_game(VARIANTS["block"], 2, 5, rounds=1)]
    text = print_record(record_of(events, ["Ana", "Beto"])).replace("moves", f"{quit}\nmoves", 1)
    with pytest.raises(NotationError, match="no such seat"):
        replay(parse_record(text))
