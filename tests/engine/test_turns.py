"""Turns, draws, passes and blocked rounds, in every game of every variant."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings

from capicua.engine import (
    VARIANTS,
    Event,
    ExpireTurn,
    GameEnded,
    GameState,
    Phase,
    RoundEnded,
    RoundStarted,
    StartGame,
    TileDrawn,
    TilePlayed,
    TurnPassed,
    TurnStarted,
    Variant,
    decide,
    evolve,
    legal_plays,
)
from capicua.engine.legal import can_play
from capicua.engine.tiles import DOUBLE
from kit.games import GAMES, deal, random_game

Game = tuple[tuple[Variant, int], int]
Step = tuple[GameState, Event, GameState]


def steps(game: Game, rounds: int = 2) -> list[Step]:
    """Each event with the states before and after it, from the first deal on."""
    (variant, seats), seed = game
    return [
        (before, event, after) for (_, before), (event, after) in pairwise(random_game(variant, seats, seed, rounds))
    ]


@given(GAMES)
@settings(max_examples=40)
def test_seats_act_in_turn_order_and_play_one_tile(game: Game) -> None:
    """R-2, R-3, R-31: the next seat is the next number, whatever the direction; only a double owes a second play."""
    for before, event, after in steps(game):
        if isinstance(event, TilePlayed | TurnPassed) and after.phase is Phase.PLAYING:
            assert event.seat == before.turn
            again = isinstance(event, TilePlayed) and (
                not after.hands[event.seat] or (DOUBLE[event.tile] and before.variant.topology == "trains")
            )
            assert after.turn == (event.seat + 1) % after.seats or (again and after.turn == event.seat)


@given(GAMES)
@settings(max_examples=40)
def test_only_who_cannot_play_draws_or_passes(game: Game) -> None:
    """R-4, R-5, R-109: a pass needs a hand without a play and nothing that may be drawn, and ends no round alone."""
    for before, event, after in steps(game):
        if isinstance(event, TileDrawn | TurnPassed):
            assert not can_play(before)
        if isinstance(event, TurnPassed) and before.variant.draw.policy == "until_playable":
            assert not before.can_draw
        if isinstance(event, TurnPassed):
            # nobody gains by the pass of another.
            assert (after.scores, after.phase) == (before.scores, Phase.PLAYING)


@given(GAMES)
@settings(max_examples=40)
def test_a_drawn_tile_that_fits_is_played_in_the_same_turn(game: Game) -> None:
    """R-6, R-7, R-108, R-123: the clock starts after the draws, and only the drawn tile can be played."""
    for (_, event, after), (_, following, _) in pairwise(steps(game)):
        if isinstance(event, TileDrawn):
            if event.playable:
                assert isinstance(following, TurnStarted)
                assert following.seat == event.seat
                assert {tile for tile, _ in legal_plays(after)} == {event.tile}
            else:
                assert isinstance(following, TileDrawn | TurnPassed)


@given(GAMES)
@settings(max_examples=40)
def test_a_play_is_always_a_choice_of_the_seat(game: Game) -> None:
    """R-122, R-123: a single legal play waits like any other, and every play has a turn with a clock of its own."""
    for (_, before, _), (_, event, _) in pairwise(steps(game)):
        if isinstance(event, TilePlayed):
            assert isinstance(before, TurnStarted)
            assert before.seat == event.seat


def _blocked(game: Game) -> Iterator[tuple[list[Event], RoundEnded, GameState]]:
    """Each blocked round: its events, its end, and the state at its end."""
    events: list[Event] = []
    for before, event, _ in steps(game, rounds=4):
        if isinstance(event, RoundStarted):
            events = []
        if isinstance(event, RoundEnded) and event.reason == "block":
            yield events, event, before
        events.append(event)


@given(GAMES)
@settings(max_examples=60)
def test_a_round_is_blocked_after_as_many_passes_as_seats(game: Game) -> None:
    """R-60, R-77, R-86, R-121: the passes are events, one for each seat, and nobody holds a tile that fits."""
    for events, _, state in _blocked(game):
        last = events[-state.seats :]

        assert all(isinstance(event, TurnPassed) for event in last)
        assert {event.seat for event in last if isinstance(event, TurnPassed)} == set(range(state.seats))
        assert state.layout is not None
        assert not any(state.layout.can_play(seat, hand) for seat, hand in enumerate(state.hands))


@given(GAMES)
@settings(max_examples=60)
def test_a_tie_for_the_lowest_pips_alone_leaves_no_winner(game: Game) -> None:
    """R-25, R-89, R-95, R-114, R-129, R-135: all sides are compared by their totals; the last mover is known."""
    for _, ended, state in _blocked(game):
        assert ended.last_mover is not None
        if state.variant.block_winner == "lowest_side":
            totals = [0] * state.setup.sides
            for seat, pips in enumerate(ended.hand_pips):
                totals[state.setup.side(seat)] += pips
            unique = totals.count(min(totals)) == 1

            assert ended.winner_side == (totals.index(min(totals)) if unique else None)
            assert ended.tie is not unique


@given(GAMES)
@settings(max_examples=40)
def test_a_last_tile_ends_the_round_as_domino_out(game: Game) -> None:
    """R-9, R-10, R-76: whatever the last tile is and though nobody could go on; only the target may end it first."""
    for (_, played, state), (_, event, _) in pairwise(steps(game)):
        if isinstance(played, TilePlayed) and not state.hands[played.seat]:
            assert isinstance(event, RoundEnded)
            assert event.reason in ("domino", "target")
        elif isinstance(event, RoundEnded):
            assert event.reason in ("block", "target")


def test_undealt_tiles_may_fit_a_blocked_round() -> None:
    """R-87, R-97: hands are tested, not tiles: what fits may lie undealt where nobody draws."""
    fitting = [
        state
        for seed in range(40)
        for _, _, state in _blocked(((VARIANTS["block"], 2), seed))
        if state.layout is not None and any(state.layout.can_play(0, 1 << tile) for tile in state.boneyard)
    ]

    assert fitting


def test_an_empty_boneyard_ends_nothing() -> None:
    """R-57, R-99: rounds of draw go on after the last tile is drawn."""
    played = [
        event
        for seed in range(40)
        for before, event, _ in steps(((VARIANTS["draw"], 3), seed))
        if isinstance(event, TilePlayed) and not before.can_draw
    ]

    assert played


@pytest.mark.parametrize("key", VARIANTS)
def test_a_game_that_everybody_left_is_played_to_its_end(key: str) -> None:
    """R-79, R-91, R-141: the server plays for every seat; nobody forfeits, and somebody wins."""
    variant = VARIANTS[key]
    seats = variant.seats[0]
    chance = random.Random(key)
    state: GameState | None = None
    made = decide(None, StartGame(variant, seats, 30_000), 0)
    while True:
        assert isinstance(made, tuple)
        for event in made:
            state = evolve(state, event)
        assert state is not None
        if isinstance(made[-1], GameEnded):
            break
        made = decide(state, ExpireTurn() if state.phase is Phase.PLAYING else deal(state, chance), 0)

    assert state.winner_side is not None
