"""Quick match, tables and the lobby."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import nsmallest

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1 import table_service_pb2 as api
from capicua.api.v1.types_pb2 import Seat
from capicua.api.v1.update_pb2 import Refusal
from capicua.gateway.connection import Connection
from capicua.gateway.lobby import Filter
from capicua.gateway.lobby_watchers import LobbyWatchers
from capicua.gateway.players import clean_party
from capicua.gateway.turns import Turns
from capicua.internal.v1.game_actor_service_pb2 import CreateGameRequest
from capicua.runtime.ports import GameActor, Matchmaking
from capicua.runtime.refusals import refusal
from capicua.runtime.transport import Stream

Cancel = Callable[[], None]
DEFAULT_PAGE, MAX_PAGE = 20, 100


class TableEndpoint:
    """TableService: says who is asking, and passes on what comes of it."""

    descriptor = api.DESCRIPTOR.services_by_name["TableService"]
    open_methods: frozenset[str] = frozenset()

    def __init__(self, matchmaking: Matchmaking, actor: GameActor) -> None:
        self._matchmaking = matchmaking
        self._open: set[Connection] = set()
        self._lobby = LobbyWatchers()
        self._turns = Turns()
        matchmaking.on_listed(self._lobby.hear)
        actor.on_listed(self._lobby.hear)

    async def quick_match(self, caller: Seat, request: api.QuickMatchRequest, stream: Stream) -> Refusal | None:
        """A ticket, told about until it becomes a seat."""
        party = clean_party(request.party)
        if isinstance(party, Refusal):
            return party
        request.party = party
        connection = Connection(caller.player_id, stream)
        caller.gives_seed = request.gives_seed

        def told(news: api.Waiting | CreateGameRequest | api.Assignment | Refusal) -> None:
            if isinstance(news, Refusal):
                connection.cut(news)
            elif isinstance(news, api.Waiting):
                connection.send(api.QuickMatchResponse(waiting=news).SerializeToString())
            elif isinstance(news, api.Assignment):
                connection.send(api.QuickMatchResponse(assigned=news).SerializeToString())
                connection.finish()

        return await self._follow(connection, await self._matchmaking.enqueue(caller, request, told))

    async def watch_table(self, caller: Seat, request: api.WatchTableRequest, stream: Stream) -> Refusal | None:
        """A table and each of its changes, to the start of its game."""
        connection = Connection(caller.player_id, stream)

        def told(news: api.Table | Refusal) -> None:
            if isinstance(news, Refusal):
                connection.cut(news)
            else:
                connection.send(api.WatchTableResponse(table=news).SerializeToString())
                if news.game_id:
                    connection.finish()

        cancel = await self._matchmaking.watch_table(caller.player_id, request.table_id, told)
        return await self._follow(connection, cancel)

    async def create_table(self, caller: Seat, request: api.CreateTableRequest) -> api.CreateTableResponse | Refusal:
        """A table with the caller as host."""
        caller.gives_seed = request.gives_seed
        table = await self._matchmaking.create_table(caller, request.options, request.table_options)
        return table if isinstance(table, Refusal) else api.CreateTableResponse(table=table)

    async def join_table(self, caller: Seat, request: api.JoinTableRequest) -> api.JoinTableResponse | Refusal:
        """A seat at the table with this id or code."""
        caller.gives_seed = request.gives_seed
        joined = await self._matchmaking.join_table(caller, request.code, request.table_id)
        return joined if isinstance(joined, Refusal) else api.JoinTableResponse(table=joined[0], seat=joined[1])

    async def start_table(self, caller: Seat, request: api.StartTableRequest) -> api.StartTableResponse | Refusal:
        """The game of the table begins."""
        assignment = await self._matchmaking.start_table(caller.player_id, request.table_id)
        return assignment if isinstance(assignment, Refusal) else api.StartTableResponse(assignment=assignment)

    async def rematch(self, caller: Seat, request: api.RematchRequest) -> api.RematchResponse | Refusal:
        """A seat at the table for another game of those of a finished one."""
        caller.gives_seed = request.gives_seed
        joined = await self._matchmaking.rematch(caller, request.game_id, request.turned)
        return joined if isinstance(joined, Refusal) else api.RematchResponse(table=joined[0], seat=joined[1])

    async def leave_table(self, caller: Seat, request: api.LeaveTableRequest) -> api.LeaveTableResponse | Refusal:
        """The seat is free again."""
        return await self._matchmaking.leave_table(caller.player_id, request.table_id) or api.LeaveTableResponse()

    async def list_tables(self, caller: Seat, request: api.ListTablesRequest) -> api.ListTablesResponse | Refusal:
        """A page of the public tables, in the order of their ids, so that no page depends on the one before."""
        if not 0 <= request.page_size <= MAX_PAGE:
            return refusal(reasons.ERROR_REASON_INVALID_ARGUMENT, f"`page_size` must be 0 to {MAX_PAGE}")
        listed = self._lobby.listed(Filter(request.variant, request.seats))
        tables = {entry.table.table_id: entry.table for entry in listed if entry.HasField("table")}
        size = request.page_size or DEFAULT_PAGE
        ids = nsmallest(size + 1, (table_id for table_id in tables if table_id > request.page_token))
        page = [tables[table_id] for table_id in ids[:size]]
        return api.ListTablesResponse(tables=page, next_page_token=ids[size - 1] if len(ids) > size else "")

    async def watch_lobby(self, caller: Seat, request: api.WatchLobbyRequest, stream: Stream) -> Refusal | None:
        """All that is in the lobby, then its changes."""
        connection = Connection(caller.player_id, stream, turns=self._turns)
        first, cancel = self._lobby.watch(Filter(request.variant, request.seats), connection.send)
        return await self._follow(connection, cancel, first)

    def close(self, going: Refusal) -> None:
        """End every stream."""
        for connection in self._open:
            connection.cut(going)

    async def _follow(
        self, connection: Connection, cancel: Cancel | Refusal, first: Iterable[bytes] = ()
    ) -> Refusal | None:
        if isinstance(cancel, Refusal):
            return cancel
        self._open.add(connection)
        try:
            return await connection.run(first=first)
        finally:
            self._open.discard(connection)
            cancel()
