"""Folding: what one update changes in a view. A client that folds need never ask again.

A view that is moved on update by update equals the one the server would give at the same seq, for a seat
as for a spectator.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from capicua.api.v1 import types_pb2 as types
from capicua.api.v1 import update_pb2 as api
from capicua.api.v1.update_pb2 import Presence, Update, View

MEXICAN_TRAIN = "M"


class UnknownUpdate(ValueError):
    """An update of a kind this client does not know; only a fresh view helps."""


def apply(view: View, update: Update) -> None:
    """Move `view` on by the update with `seq` = `view.seq` + 1, in place.

    Raises UnknownUpdate, with the view untouched, for a kind of event newer than this client.
    """
    kind = update.WhichOneof("event")
    if kind is None:
        raise UnknownUpdate(f"update {update.seq} is of a kind this client does not know")
    _FOLDS[kind](view, getattr(update, kind))
    view.seq = update.seq


def present(view: View, presence: Presence) -> bool:
    """Put into `view` whether a player is there; False if that is no news."""
    dropped = {*view.dropped}
    if presence.connected == (presence.seat not in dropped):
        return False
    view.dropped[:] = sorted(dropped ^ {presence.seat})
    return True


def _game_started(view: View, event: api.GameStarted) -> None:
    view.state = types.GAME_STATE_RUNNING
    view.options.CopyFrom(event.options)
    view.seats.clear()
    view.seats.extend(event.seats)
    view.pairs = event.pairs
    view.next_commitment = event.next_commitment
    view.bots = event.bots
    view.talk = event.talk
    view.scores[:] = [0] * (2 if event.pairs else len(event.seats))


def _round_started(view: View, event: api.RoundStarted) -> None:
    for field in ("layout", "ends", "count", "engine_tile", "markers", "debt", "hand", "forced_lead"):
        view.ClearField(field)
    _nobodys_turn(view)
    view.round = event.round
    view.hand_sizes[:] = event.hand_sizes
    view.boneyard_size = event.boneyard_size
    view.boneyard_floor = event.boneyard_floor
    view.opener = event.opener
    view.scores[:] = event.scores
    view.next_commitment = event.next_commitment
    view.hand.extend(event.hand)
    if event.HasField("forced_lead"):
        view.forced_lead.CopyFrom(event.forced_lead)
    if event.HasField("engine_tile"):
        view.engine_tile.CopyFrom(event.engine_tile)
        # Every train begins with the number of the engine tile.
        for train in (*map(str, range(len(event.hand_sizes))), MEXICAN_TRAIN):
            view.ends.add(end=train, pips=event.engine_tile.high)


def _turn_started(view: View, event: api.TurnStarted) -> None:
    view.turn = event.seat
    view.deadline_ms = event.deadline_ms
    view.legal.clear()
    view.legal.extend(event.legal)


def _tile_played(view: View, event: api.TilePlayed) -> None:
    _nobodys_turn(view)
    view.layout.add(seat=event.seat, play=event.play)
    view.ends.clear()
    view.ends.extend(event.ends)
    view.count = event.count
    view.scores[:] = event.scores
    view.hand_sizes[event.seat] = event.hand_size
    view.markers[:] = event.markers
    view.debt = event.debt
    view.ClearField("forced_lead")
    view.away[:] = sorted({*view.away, event.seat} if event.away else {*view.away} - {event.seat})
    if _own(view, event.seat):
        view.hand.remove(event.play.tile)


def _tile_drawn(view: View, event: api.TileDrawn) -> None:
    view.hand_sizes[event.seat] = event.hand_size
    view.boneyard_size = event.boneyard_size
    if event.HasField("tile"):
        view.hand.append(event.tile)


def _turn_passed(view: View, event: api.TurnPassed) -> None:
    _nobodys_turn(view)
    view.markers[:] = event.markers
    view.debt = event.debt


def _round_ended(view: View, event: api.RoundEnded) -> None:
    _nobodys_turn(view)
    view.scores[:] = event.scores


def _game_ended(view: View, event: api.GameEnded) -> None:
    _nobodys_turn(view)
    view.state = types.GAME_STATE_FINISHED
    view.winner_side = event.winner_side
    view.scores[:] = event.scores


def _clock_restored(view: View, event: api.ClockRestored) -> None:
    view.deadline_ms = event.deadline_ms


def _seed_given(view: View, event: api.SeedGiven) -> None:
    """Nothing changes before the deal, which tells the seed."""


def _seat_quit(view: View, event: api.SeatQuit) -> None:
    view.seats[event.seat].CopyFrom(event.seat_now)
    view.away[:] = [seat for seat in view.away if seat != event.seat]
    view.dropped[:] = [seat for seat in view.dropped if seat != event.seat]
    if _own(view, event.seat):
        # Whoever has left sees no more than anybody.
        for field in ("own_seat", "hand", "legal", "forced_lead"):
            view.ClearField(field)


def _nobodys_turn(view: View) -> None:
    view.ClearField("turn")
    view.ClearField("deadline_ms")
    view.ClearField("legal")


def _own(view: View, seat: int) -> bool:
    return view.HasField("own_seat") and view.own_seat == seat


_FOLDS: dict[str, Callable[[View, Any], None]] = {
    "game_started": _game_started,
    "round_started": _round_started,
    "turn_started": _turn_started,
    "tile_played": _tile_played,
    "tile_drawn": _tile_drawn,
    "turn_passed": _turn_passed,
    "round_ended": _round_ended,
    "game_ended": _game_ended,
    "clock_restored": _clock_restored,
    "seed_given": _seed_given,
    "seat_quit": _seat_quit,
}
