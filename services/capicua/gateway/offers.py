"""Offers of a rematch, and the players who have not answered them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from capicua.api.v1.table_service_pb2 import Table
from capicua.api.v1.update_pb2 import RematchOffered
from capicua.gateway.lobby import Lobby
from capicua.internal.v1.listed_pb2 import Listed

Tell = Callable[[str, RematchOffered], None]


class Offers:
    """The tables of all matchmakers at which somebody is awaited; `tell` hears what each awaited player is to know."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._tables = Lobby()
        self._offers: defaultdict[str, dict[str, RematchOffered]] = defaultdict(dict)
        """By player and table."""
        self._awaited: dict[str, set[str]] = {}
        """The players who have not answered, by table."""

    def hear(self, source: str, news: Listed | None) -> None:
        """Take the news of one matchmaker; None where it is lost."""
        self._tables.hear(source, news)
        for change, entry in self._tables.changes():
            self._changed(entry.table, gone=change.HasField("removed"))

    def of(self, player_id: str) -> list[RematchOffered]:
        """What a player has not answered."""
        return list(self._offers.get(player_id, {}).values())

    def _changed(self, table: Table, *, gone: bool) -> None:
        table_id, game_id = table.table_id, table.rematch_of
        awaited = set() if gone else {table.seats[seat].player_id for seat in table.awaited}
        for player_id in self._awaited.pop(table_id, set()) - awaited:
            del self._offers[player_id][table_id]
            if not self._offers[player_id]:
                del self._offers[player_id]
            self._tell(player_id, RematchOffered(game_id=game_id))
        if awaited:
            self._awaited[table_id] = awaited
        agreed = [s for s in table.seats if s.player_id and not s.bot and s.seat not in table.awaited]
        offer = RematchOffered(game_id=game_id, table_id=table_id, agreed=agreed)
        for player_id in awaited:
            self._offers[player_id][table_id] = offer
            self._tell(player_id, offer)
