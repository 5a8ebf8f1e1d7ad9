"""Folding updates gives the view the server would give."""

from __future__ import annotations

import pytest

from capicua.api.v1 import types_pb2 as types
from capicua.api.v1.types_pb2 import GameOptions, OpenEnd, Placement, Play, Seat, Tile
from capicua.api.v1.update_pb2 import (
    ClockRestored,
    GameEnded,
    GameStarted,
    RoundEnded,
    RoundStarted,
    TileDrawn,
    TilePlayed,
    TurnPassed,
    TurnStarted,
    Update,
    View,
)
from capicua.client import UnknownUpdate, apply

OPTIONS = GameOptions(variant="draw", seats=2, target=100, turn_seconds=30)
SEATS = [Seat(seat=0, player_id="p0", name="Ana"), Seat(seat=1, player_id="p1", name="Bo", bot=True)]


def tile(name: str) -> Tile:
    high, low = map(int, name.split("-"))
    return Tile(high=high, low=low)


def ends(**pips: int) -> list[OpenEnd]:
    return [OpenEnd(end=end, pips=value) for end, value in pips.items()]


def fold(view: View, *events: object) -> View:
    """`view` after the events, numbered from the next seq."""
    for event in events:
        update = Update(game_id="g", seq=view.seq + 1)
        name = "".join("_" + c.lower() if c.isupper() else c for c in type(event).__name__)[1:]
        getattr(update, name).CopyFrom(event)
        apply(view, update)
    return view


def dealt(own_seat: int | None = 0) -> View:
    """A round of two seats with two tiles each, seat 0 to lead; seen by `own_seat` or a spectator."""
    view = View(game_id="g") if own_seat is None else View(game_id="g", own_seat=own_seat)
    deal = RoundStarted(round=1, hand_sizes=[2, 2], boneyard_size=3, boneyard_floor=1, opener=0, scores=[0, 0])
    if own_seat == 0:
        deal.hand.extend([tile("6-4"), tile("3-1")])
        deal.forced_lead.CopyFrom(tile("6-4"))
    turn = TurnStarted(seat=0, deadline_ms=5_000)
    if own_seat == 0:
        turn.legal.add(tile=tile("6-4"), end="-")
    return fold(view, GameStarted(options=OPTIONS, seats=SEATS), deal, turn)


LEAD = TilePlayed(
    seat=0,
    play=Play(tile=tile("6-4"), end="-"),
    ends=ends(L=6, R=4),
    count=10,
    points=10,
    scores=[10, 0],
    hand_size=1,
)


def test_a_deal_and_a_turn_are_all_that_a_seat_needs() -> None:
    """The own hand, the forced lead and the legal plays come with the updates (R-143, R-148, R-154)."""
    expected = View(
        game_id="g",
        seq=3,
        state=types.GAME_STATE_RUNNING,
        options=OPTIONS,
        seats=SEATS,
        own_seat=0,
        round=1,
        scores=[0, 0],
        hand_sizes=[2, 2],
        boneyard_size=3,
        boneyard_floor=1,
        opener=0,
        turn=0,
        deadline_ms=5_000,
        hand=[tile("6-4"), tile("3-1")],
        legal=[Play(tile=tile("6-4"), end="-")],
        forced_lead=tile("6-4"),
    )

    assert expected == dealt()


@pytest.mark.parametrize("own_seat", [0, 1, None])
def test_a_play_goes_from_the_hand_to_the_layout(own_seat: int | None) -> None:
    """The tile leaves the own hand, and every viewer sees layout, ends, count and scores (R-149)."""
    view = fold(dealt(own_seat), LEAD)

    assert list(view.layout) == [Placement(seat=0, play=LEAD.play)]
    assert list(view.ends) == ends(L=6, R=4)
    assert (view.count, list(view.scores), list(view.hand_sizes)) == (10, [10, 0], [1, 2])
    assert list(view.hand) == ([tile("3-1")] if own_seat == 0 else [])
    assert not (view.HasField("turn"))
    assert not (view.legal)
    assert not (view.HasField("forced_lead"))


def test_a_drawn_tile_is_kept_by_the_drawer_only() -> None:
    """R-150 and R-151: everybody sees that a seat drew, the drawer alone what."""
    public = TileDrawn(seat=1, hand_size=3, boneyard_size=2)
    own = TileDrawn(seat=1, hand_size=3, boneyard_size=2, tile=tile("5-5"), playable=False)

    other_seat, drawer = fold(dealt(0), public), fold(dealt(1), own)

    assert list(drawer.hand) == [tile("5-5")]
    assert len(other_seat.hand) == 2
    for view in (other_seat, drawer):
        assert (list(view.hand_sizes), view.boneyard_size) == ([2, 3], 2)


def test_a_new_round_clears_the_layout() -> None:
    """Layout, ends, hand and forced lead belong to one round; scores belong to the game."""
    ended = RoundEnded(reason=types.ROUND_END_BLOCKED, winner_side=0, scores=[25, 0], round=1)
    deal = RoundStarted(round=2, hand_sizes=[2, 2], boneyard_size=3, opener=1, scores=[25, 0])
    deal.hand.add(high=2, low=2)

    view = fold(dealt(), LEAD, TurnPassed(seat=1), ended, deal)

    assert (view.round, view.opener, list(view.scores)) == (2, 1, [25, 0])
    assert list(view.hand) == [tile("2-2")]
    assert not (view.layout)
    assert not (view.ends)
    assert not (view.count)
    assert not (view.HasField("forced_lead"))


def test_trains_begin_with_the_engine_tile() -> None:
    """R-69 and R-70: a train for each seat and the Mexican one, all open with the engine tile's number."""
    deal = RoundStarted(round=1, hand_sizes=[15, 15], engine_tile=tile("12-12"), scores=[0, 0])

    view = fold(View(game_id="g"), deal)

    assert list(view.ends) == [OpenEnd(end=end, pips=12) for end in ("0", "1", "M")]


def test_markers_and_debt_are_told_by_plays_and_passes() -> None:
    """R-71 to R-73: a marker after a pass, a debt while a double is open."""
    view = fold(dealt(), TurnPassed(seat=0, markers=["0"], debt="1"))

    assert (list(view.markers), view.debt) == (["0"], "1")


def test_the_end_of_a_game_ends_all_turns() -> None:
    """The winner and the final scores stay; nobody is to act."""
    view = fold(dealt(), GameEnded(winner_side=1, scores=[3, 5]))

    assert (view.state, view.winner_side, list(view.scores)) == (types.GAME_STATE_FINISHED, 1, [3, 5])
    assert not (view.HasField("turn"))
    assert not (view.legal)
    assert not (view.deadline_ms)


def test_a_restored_clock_moves_the_deadline_alone() -> None:
    """Time given back (I-8) leaves the turn and its legal plays as they were."""
    expected = dealt()
    expected.seq += 1
    expected.deadline_ms = 9_000

    assert expected == fold(dealt(), ClockRestored(seat=0, deadline_ms=9_000))


def test_every_kind_of_update_has_a_fold() -> None:
    """An update with an event of any known kind moves a view on; only an unknown kind does not."""
    for field in Update.DESCRIPTOR.oneofs_by_name["event"].fields:
        update = Update(game_id="g", seq=1)
        getattr(update, field.name).SetInParent()
        view = View(game_id="g", hand_sizes=[1], seats=[Seat()])
        apply(view, update)

        assert view.seq == 1

    with pytest.raises(UnknownUpdate):
        apply(View(game_id="g"), Update(game_id="g", seq=1))
