"""What holds for every game of every variant, not for examples."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from capicua.engine import (
    VARIANTS,
    Event,
    GameState,
    Phase,
    PlayTile,
    Rejection,
    RoundEnded,
    RoundStarted,
    TilePlayed,
    Variant,
    advance,
    autoplay,
    decide,
    evolve,
    fold,
    legal_plays,
    private_seats,
    see,
    tile_order,
    view,
)
from capicua.engine.decide import _checked_play
from kit.games import GAMES, deal, random_game

Game = tuple[tuple[Variant, int], int]


def _play(game: Game, rounds: int = 2) -> list[tuple[Event, GameState]]:
    (variant, seats), seed = game
    return list(random_game(variant, seats, seed, rounds))


@given(GAMES)
@settings(max_examples=60)
def test_state_is_a_fold_and_counts_its_events(game: Game) -> None:
    """I-2, I-5: folding the first n events gives the n-th state of those that were decided; its seq is n."""
    played = _play(game)
    folded: GameState | None = None
    for number, (event, state) in enumerate(played, start=1):
        folded = evolve(folded, event)
        assert folded == state
        assert state.seq == number
    half = len(played) // 2

    assert fold([event for event, _ in played]) == played[-1][1]
    assert fold([event for event, _ in played[half:]], played[half - 1][1]) == played[-1][1]


@given(GAMES)
@settings(max_examples=60)
def test_tiles_are_conserved(game: Game) -> None:
    """I-9, R-84: hands, layout and boneyard are together the tile set, after every event."""
    tiles: tuple[int, ...] = ()
    before: GameState | None = None
    for event, state in _play(game):
        if isinstance(event, RoundStarted):
            assert before is not None
            tiles = tile_order(before)
        before = state
        if state.layout is None or state.phase is not Phase.PLAYING:
            continue
        everywhere = Counter(state.boneyard[state.drawn :])
        everywhere.update(tile for seat in range(state.seats) for tile in state.tiles_of(seat))
        everywhere.update(tile for _, tile, _ in state.layout.placements)

        assert everywhere == Counter(tiles)
        assert state.hand_sizes == tuple(len(state.tiles_of(seat)) for seat in range(state.seats))


@given(GAMES)
@settings(max_examples=25)
def test_legal_is_what_is_accepted(game: Game) -> None:
    """R-56, R-80: every play that is listed is accepted, every other one is refused and changes nothing."""
    for _, state in _play(game, rounds=1):
        if state.phase is not Phase.PLAYING or not legal_plays(state):
            continue
        ends = [*"-LRUDM", *map(str, range(8)), "", "X"]
        hand = state.tiles_of(state.turn)
        listed = set(legal_plays(state))
        for tile in {*hand, 0, 27}:
            for end in ends:
                outcome = decide(state, PlayTile(state.turn, tile, end), 0)
                assert isinstance(outcome, Rejection) == ((tile, end) not in listed)
        assert autoplay(state) in listed


@given(GAMES)
@settings(max_examples=25)
def test_the_short_way_of_a_play_leads_where_the_long_one_does(game: Game) -> None:
    """R-46 to R-60: quiet plays are decided apart, and come to the same events and states."""
    for _, state in _play(game, rounds=1):
        for tile, end in legal_plays(state) if state.phase is Phase.PLAYING else ():
            wish = PlayTile(state.turn, tile, end)
            assert advance(state, wish, 5) == _checked_play(state, wish, 5)


@pytest.mark.parametrize("key", VARIANTS)
def test_every_game_ends(key: str) -> None:
    """R-65 to R-68: with random plays the target is met, whatever the seats."""
    variant = VARIANTS[key]
    for seats in variant.seats:
        _, last = list(random_game(variant, seats, seed=seats, rounds=3000))[-1]

        assert last.phase is Phase.OVER
        assert last.winner_side is not None


@given(GAMES)
@settings(max_examples=40)
def test_equal_inputs_give_equal_events(game: Game) -> None:
    """I-6: no clock and no chance of its own."""
    assert _play(game) == _play(game)


@given(GAMES)
@settings(max_examples=60)
def test_scores_are_the_sum_of_what_was_given(game: Game) -> None:
    """R-61, R-64: points in play, points of ends of rounds and bonuses add up to the scores."""
    scores: list[int] = []
    for event, state in _play(game, rounds=4):
        if not scores:
            scores = [0] * state.setup.sides
        if isinstance(event, TilePlayed):
            scores[state.setup.side(event.seat)] += event.points + event.out_point
        elif isinstance(event, RoundEnded):
            if event.reset:
                scores = [0] * state.setup.sides
            elif event.awarded is None:
                scores = [score + pips for score, pips in zip(scores, event.hand_pips, strict=True)]
            elif event.winner_side is not None:
                exact_win = state.variant.target.kind == "exact" and state.variant.end_score.domino.value == "win"
                given_now = 0 if exact_win and event.reason == "domino" else event.awarded
                scores[event.winner_side] += given_now + sum(bonus.points for bonus in event.bonuses)

        assert list(state.scores) == scores


def _seen(event: Event, state: GameState, seat: int | None) -> tuple[Any, Any]:
    return see(event, state, seat), view(state, seat)


@given(GAMES)
@settings(max_examples=40)
def test_what_a_viewer_may_not_see_changes_nothing_it_sees(game: Game) -> None:
    """I-7, R-143 to R-157: with the tiles unseen by a viewer dealt otherwise, its events and views are equal."""
    (variant, seats), seed = game
    for event, state in random_game(variant, seats, seed, rounds=1):
        if state.phase is not Phase.PLAYING or isinstance(event, RoundEnded):
            continue
        for viewer in (None, *range(seats)):
            other = _dealt_otherwise(state, viewer)
            shown = event
            if isinstance(event, RoundStarted):
                hands = tuple(other.tiles_of(seat) for seat in range(seats))
                forced = event.forced_lead if viewer == event.opener else None
                shown = replace(event, hands=hands, boneyard=other.boneyard, forced_lead=forced)
            elif viewer not in private_seats(event) and hasattr(event, "playable"):
                shown = replace(event, tile=0, playable=not event.playable)

            assert _seen(shown, other, viewer) == _seen(event, state, viewer)


def _dealt_otherwise(state: GameState, viewer: int | None) -> GameState:
    """The same game with all tiles that `viewer` cannot see in each other's places."""
    unseen = [seat for seat in range(state.seats) if seat != viewer]
    pool = [tile for seat in unseen for tile in state.tiles_of(seat)] + list(state.boneyard[state.drawn :])
    pool.reverse()
    hands, held = list(state.hands), list(state.held)
    for seat in unseen:
        size = state.hands[seat].bit_count()
        mine, pool = pool[:size], pool[size:]
        hands[seat] = sum(1 << tile for tile in mine)
        held[seat] = tuple(mine)
    forced = state.forced_lead if viewer == state.opener else None
    boneyard = (*state.boneyard[: state.drawn], *pool)
    standing = replace(state.standing, held=tuple(held), boneyard=boneyard, forced_lead=forced)
    return replace(state, standing=standing, hands=tuple(hands))


def test_a_deal_that_is_no_permutation_is_a_mistake_of_the_shell() -> None:
    """The engine trusts no shuffle: a tile twice or missing is refused loudly."""
    _, state = next(iter(random_game(VARIANTS["draw"], 2, 1)))
    good = deal(state, random.Random(1))
    for order in (good.order[:-1], (*good.order[:-1], good.order[0])):
        with pytest.raises(ValueError, match="permutation"):
            decide(state, replace(good, order=order), 0)
    with pytest.raises(ValueError, match="lot"):
        decide(state, replace(good, lot_seat=None), 0)
