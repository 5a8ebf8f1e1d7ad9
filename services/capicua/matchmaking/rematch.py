"""Another game of those who have just played one."""

from __future__ import annotations

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.game_service_pb2 import GameSummary
from capicua.api.v1.table_service_pb2 import Table
from capicua.api.v1.types_pb2 import Seat
from capicua.api.v1.update_pb2 import Refusal
from capicua.matchmaking.table_options import complete
from capicua.matchmaking.waiting_table import new_table
from capicua.runtime.refusals import refusal


def seat_in(game: GameSummary, player_id: str) -> Seat | Refusal:
    """Where a player sat when a game ended, who may ask for another one.

    Who quit has left for good: the bot of that seat plays again.
    """
    seat = next((seat for seat in game.seats if seat.player_id == player_id), None)
    if seat is None:
        return refusal(reasons.ERROR_REASON_NOT_SEATED, "you had no seat in this game when it ended")
    if seat.bot:
        return refusal(reasons.ERROR_REASON_NOT_FOR_BOTS, "bots always agree: only people ask for a rematch")
    return seat


def rematch_table(game: GameSummary, table_id: str, code: str, *, turned: bool) -> Table:
    """A table for those of a finished game, with the same options, where every person is awaited."""
    table = new_table(
        Table(
            table_id=table_id,
            code=code,
            options=game.options,
            table_options=complete(game.table_options),
            rematch_of=game.game_id,
            turned=turned,
        )
    )
    for old in game.seats:
        seat = (old.seat + turned) % len(game.seats)
        table.seats[seat].CopyFrom(Seat(seat=seat, player_id=old.player_id, name=old.name, bot=old.bot))
    table.awaited.extend(seat.seat for seat in table.seats if not seat.bot)
    return table
