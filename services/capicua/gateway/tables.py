"""Quick match and private tables."""

from __future__ import annotations

from collections.abc import Callable

from capicua.api.v1 import table_service_pb2 as api
from capicua.api.v1.types_pb2 import Seat
from capicua.api.v1.update_pb2 import Refusal
from capicua.gateway.connection import Connection
from capicua.runtime.ports import Matchmaking
from capicua.runtime.transport import Stream

Cancel = Callable[[], None]


class TableEndpoint:
    """TableService: says who is asking, and passes on what comes of it."""

    descriptor = api.DESCRIPTOR.services_by_name["TableService"]
    open_methods: frozenset[str] = frozenset()

    def __init__(self, matchmaking: Matchmaking) -> None:
        self._matchmaking = matchmaking
        self._open: set[Connection] = set()

    async def quick_match(self, caller: Seat, request: api.QuickMatchRequest, stream: Stream) -> Refusal | None:
        """A ticket, told about until it becomes a seat."""
        connection = Connection(caller.player_id, stream)

        def told(news: api.Waiting | api.Assignment | Refusal) -> None:
            if isinstance(news, Refusal):
                connection.cut(news)
            elif isinstance(news, api.Waiting):
                connection.send(api.QuickMatchResponse(waiting=news).SerializeToString())
            else:
                connection.send(api.QuickMatchResponse(assigned=news).SerializeToString())
                connection.finish()

        return await self._follow(connection, await self._matchmaking.enqueue(caller, request.options, told))

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
        """A private table with the caller as host."""
        table = await self._matchmaking.create_table(caller, request.options)
        return table if isinstance(table, Refusal) else api.CreateTableResponse(table=table)

    async def join_table(self, caller: Seat, request: api.JoinTableRequest) -> api.JoinTableResponse | Refusal:
        """A seat at the table with this code."""
        joined = await self._matchmaking.join_table(caller, request.code)
        return joined if isinstance(joined, Refusal) else api.JoinTableResponse(table=joined[0], seat=joined[1])

    async def start_table(self, caller: Seat, request: api.StartTableRequest) -> api.StartTableResponse | Refusal:
        """The game of the table begins."""
        assignment = await self._matchmaking.start_table(caller.player_id, request.table_id)
        return assignment if isinstance(assignment, Refusal) else api.StartTableResponse(assignment=assignment)

    async def leave_table(self, caller: Seat, request: api.LeaveTableRequest) -> api.LeaveTableResponse | Refusal:
        """The seat is free again."""
        return await self._matchmaking.leave_table(caller.player_id, request.table_id) or api.LeaveTableResponse()

    def close(self, going: Refusal) -> None:
        """End every stream."""
        for connection in self._open:
            connection.cut(going)

    async def _follow(self, connection: Connection, cancel: Cancel | Refusal) -> Refusal | None:
        if isinstance(cancel, Refusal):
            return cancel
        self._open.add(connection)
        try:
            return await connection.run()
        finally:
            self._open.discard(connection)
            cancel()
