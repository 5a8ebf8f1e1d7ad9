"""Every reason to refuse a command, each given for what it says (R-80)."""

from __future__ import annotations

import random
from functools import cache

import pytest
from msgspec.structs import replace

from capicua.engine import (
    VARIANTS,
    Command,
    DrawTile,
    ExpireTurn,
    GameState,
    GiveSeed,
    PassTurn,
    Phase,
    PlayTile,
    Rejection,
    RejectReason,
    Seal,
    StartGame,
    decide,
    evolve,
    fold,
    legal_plays,
    new_state,
    tile,
)
from capicua.engine.trains import Trains
from kit.games import deal, random_game
from kit.vectors import VECTORS, state_after

Refused = tuple[GameState, Command]


def _dealt(key: str, seats: int = 2, seed: int = 1) -> GameState:
    """A round waiting for its lead."""
    variant = VARIANTS[key]
    before = new_state(variant, seats, 30_000)
    events = decide(before, deal(before, random.Random(seed)), 0)
    assert isinstance(events, tuple)
    state = fold(events, before)
    assert state is not None
    return state


@cache
def _ended(phase: Phase) -> GameState:
    """A game between two rounds, or after its last."""
    game = random_game(VARIANTS["block"], 2, 1, rounds=1 if phase is Phase.DEALING else 3000)
    return [state for _, state in game][-1]


def _in_debt() -> tuple[GameState, Trains]:
    """Trains on which the seat to act must cover a double, and could play elsewhere."""
    for seed in range(100):
        for _, state in random_game(VARIANTS["mexican_train"], 4, seed, rounds=1):
            layout = state.layout
            if not isinstance(layout, Trains) or state.phase is not Phase.PLAYING or layout.debt < 0:
                continue
            if legal_plays(state):
                return state, layout
    raise AssertionError("no double to cover in a hundred rounds")


def _held(state: GameState) -> int:
    return state.tiles_of(state.turn)[0]


def _game_over() -> Refused:
    state = _ended(Phase.OVER)
    return state, PlayTile(state.turn, 0, "L")


def _round_over() -> Refused:
    state = _ended(Phase.DEALING)
    return state, PassTurn(state.turn)


def _not_your_turn() -> Refused:
    state = _dealt("draw")
    other = 1 - state.turn
    return state, PlayTile(other, state.tiles_of(other)[0], "-")


def _no_draw_in_variant() -> Refused:
    state = _dealt("block")
    return state, DrawTile(state.turn)


def _must_play() -> Refused:
    state = _dealt("draw")
    return state, DrawTile(state.turn)


def _boneyard_reserved() -> Refused:
    # Draws and passes are automatic, so only the middle of a turn shows a seat that is stuck.
    vector = VECTORS["draw_hoyle-01-reserve-two-stay"]
    stuck = next(step for step in vector["steps"] if step["action"] == "pass" and step["boneyard"] == 2)
    return state_after(vector, stuck["n"] - 1), DrawTile(stuck["seat"])


def _tile_not_in_hand() -> Refused:
    state = _dealt("draw")
    return state, PlayTile(state.turn, state.boneyard[0], "-")


def _must_lead_tile() -> Refused:
    state = _dealt("block_rounds")
    other = next(held for held in state.tiles_of(state.turn) if held != state.forced_lead)
    return state, PlayTile(state.turn, other, "-")


def _must_cover_double() -> Refused:
    state, layout = _in_debt()
    elsewhere = next(name for name, _ in layout.ends() if name != layout.debt_name())
    return state, PlayTile(state.turn, _held(state), elsewhere)


def _train_private() -> Refused:
    state = _dealt("mexican_train", 4)
    return state, PlayTile(state.turn, _held(state), str((state.turn + 1) % 4))


def _end_not_open() -> Refused:
    state = _dealt("draw")
    return state, PlayTile(state.turn, _held(state), "L")


def _no_match() -> Refused:
    state = _dealt("mexican_train", 2)
    strange = next(held for held in state.tiles_of(state.turn) if (held, "M") not in legal_plays(state))
    return state, PlayTile(state.turn, strange, "M")


def _sealed(*seeds: bytes) -> GameState:
    """A game whose first deal the server has committed to, with the seeds of the first seats."""
    started = decide(None, StartGame(VARIANTS["block"], 2, 30_000, Seal(bytes(32), b"bound")), 0)
    assert isinstance(started, tuple)
    state = fold(started)
    for seat, seed in enumerate(seeds):
        given = decide(state, GiveSeed(seat, 1, seed), 0)
        assert isinstance(given, tuple)
        state = fold(given, state)
    assert state is not None
    return state


def _seed_not_due() -> Refused:
    return _sealed(), GiveSeed(0, 2, b"early")


def _seed_given() -> Refused:
    return _sealed(b"first"), GiveSeed(0, 1, b"second")


def _seed_used() -> Refused:
    state = _sealed(b"ours", b"theirs")
    order = deal(state, random.Random(1))
    dealt = replace(order, lot_seat=0, seat_seeds=state.standing.seat_seeds, next_seal=Seal(bytes(32), b"bound"))
    events = decide(state, dealt, 0)
    assert isinstance(events, tuple)
    after = fold(events, state)
    assert after is not None
    return after, GiveSeed(0, 2, b"theirs")


CASES = {
    RejectReason.GAME_OVER: _game_over,
    RejectReason.ROUND_OVER: _round_over,
    RejectReason.NOT_YOUR_TURN: _not_your_turn,
    RejectReason.NO_DRAW_IN_VARIANT: _no_draw_in_variant,
    RejectReason.MUST_PLAY: _must_play,
    RejectReason.BONEYARD_RESERVED: _boneyard_reserved,
    RejectReason.TILE_NOT_IN_HAND: _tile_not_in_hand,
    RejectReason.MUST_LEAD_TILE: _must_lead_tile,
    RejectReason.MUST_COVER_DOUBLE: _must_cover_double,
    RejectReason.TRAIN_PRIVATE: _train_private,
    RejectReason.END_NOT_OPEN: _end_not_open,
    RejectReason.NO_MATCH: _no_match,
    RejectReason.SEED_NOT_DUE: _seed_not_due,
    RejectReason.SEED_GIVEN: _seed_given,
    RejectReason.SEED_USED: _seed_used,
}


def test_every_reason_has_a_case_in_the_order_of_the_table() -> None:
    """R-80: the list is closed; what follows is about seeds."""
    assert list(CASES) == list(RejectReason)


@pytest.mark.parametrize("reason", RejectReason)
def test_the_reason_is_given(reason: RejectReason) -> None:
    """R-80: the first reason that applies."""
    state, command = CASES[reason]()

    assert decide(state, command, 0) == Rejection(reason)


@pytest.mark.parametrize(
    ("phase", "reason"), [(Phase.OVER, RejectReason.GAME_OVER), (Phase.DEALING, RejectReason.ROUND_OVER)]
)
def test_a_turn_expires_in_a_running_round_only(phase: Phase, reason: RejectReason) -> None:
    """I-8: a deadline that comes too late changes nothing."""
    assert decide(_ended(phase), ExpireTurn(), 0) == Rejection(reason)


@pytest.mark.parametrize("end", ["", "-", "L", "X", "4", "8", "00", "-1", "M0", "\N{ARABIC-INDIC DIGIT ZERO}"])
def test_a_train_has_one_name(end: str) -> None:
    """R-80: what is not "M" or the digit of a seat is no train, however it may read."""
    state = _dealt("mexican_train", 4)

    assert decide(state, PlayTile(state.turn, _held(state), end), 0) == Rejection(RejectReason.END_NOT_OPEN)


def test_the_covering_tile_is_still_free_to_choose() -> None:
    """R-73: what covers the double is accepted where everything else is refused."""
    state, layout = _in_debt()
    played, train = legal_plays(state)[0]
    events = decide(state, PlayTile(state.turn, played, train), 0)

    assert train == layout.debt_name()
    assert isinstance(events, tuple)
    after = evolve(state, events[0]).layout
    assert isinstance(after, Trains)
    assert after.debt == -1


def test_a_tile_outside_every_set_is_not_in_hand() -> None:
    """R-80: any number may be asked for."""
    state = _dealt("draw")
    for strange in (-1, tile("12-12"), 91, 2**40):
        assert decide(state, PlayTile(state.turn, strange, "-"), 0) == Rejection(RejectReason.TILE_NOT_IN_HAND)


@pytest.mark.parametrize(
    ("state", "command"),
    [
        (_ended(Phase.OVER), GiveSeed(0, 1, b"late")),
        (_dealt("block"), GiveSeed(0, 2, b"uncommitted")),
        (_sealed(), GiveSeed(0, 0, b"long ago")),
    ],
    ids=["game over", "no commitment", "dealt"],
)
def test_a_seed_is_for_the_next_deal_alone(state: GameState, command: GiveSeed) -> None:
    """A seed that the server knew when it committed to its own would prove nothing."""
    refused = decide(state, command, 0)

    assert isinstance(refused, Rejection)
    assert refused.reason in (RejectReason.GAME_OVER, RejectReason.SEED_NOT_DUE)


def test_the_same_seed_again_changes_nothing() -> None:
    """A seed that is sent twice is given once."""
    assert decide(_sealed(b"mine"), GiveSeed(0, 1, b"mine"), 0) == ()
