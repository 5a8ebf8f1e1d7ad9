"""Matchmaking as other processes call it: MatchmakingService of capicua.internal.v1 over links."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

import structlog
from google.protobuf.message import Message

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.table_service_pb2 import Assignment, QuickMatchRequest, Table, Waiting
from capicua.api.v1.update_pb2 import Refusal
from capicua.internal.v1 import matchmaking_service_pb2 as internal
from capicua.internal.v1.game_actor_service_pb2 import CreateGameRequest
from capicua.internal.v1.listed_pb2 import Listed
from capicua.links.link_server import Handler, Incoming, unary
from capicua.matchmaking.service import MatchmakingService
from capicua.runtime.refusals import refusal

logger = structlog.get_logger()

Cancel = Callable[[], None] | Refusal


class MatchmakingEndpoint:
    """A handler for each method."""

    def __init__(self, service: MatchmakingService) -> None:
        self._service = service
        self._tasks: set[asyncio.Task[None]] = set()
        self.handlers: dict[str, Handler] = {
            "Enqueue": self._enqueue,
            "WatchTable": self._watch_table,
            "WatchListedTables": self._watch_listed,
            "WatchOffers": self._watch_offers,
            "CreateTable": unary(self._create),
            "JoinTable": unary(self._join),
            "StartTable": unary(self._start),
            "Rematch": unary(self._rematch),
            "LeaveTable": unary(self._leave),
        }

    def _enqueue(self, call: Incoming) -> None:
        request = internal.EnqueueRequest.FromString(call.request)

        def told(news: Waiting | CreateGameRequest | Assignment | Refusal) -> None:
            if isinstance(news, Refusal):
                call.end(news)
            elif isinstance(news, Waiting):
                call.reply(internal.EnqueueResponse(waiting=news).SerializeToString())
            elif isinstance(news, CreateGameRequest):
                call.reply(internal.EnqueueResponse(decided=news).SerializeToString())
            else:
                call.end(internal.EnqueueResponse(assigned=news).SerializeToString())

        wish = QuickMatchRequest(
            options=request.options,
            party=request.party,
            any_seats=request.any_seats,
            any_target=request.any_target,
        )
        decided = request.decided if request.HasField("decided") else None
        self._follow(call, self._service.enqueue(request.player, wish, told, request.waited_ms, decided))

    def _watch_table(self, call: Incoming) -> None:
        request = internal.WatchTableRequest.FromString(call.request)

        def told(news: Table | Refusal) -> None:
            if isinstance(news, Refusal):
                call.end(news)
            else:
                call.reply(internal.WatchTableResponse(table=news).SerializeToString())

        self._follow(call, self._service.watch_table(request.player_id, request.table_id, told))

    def _watch_listed(self, call: Incoming) -> None:
        def told(news: Listed) -> None:
            call.reply(internal.WatchListedTablesResponse(listed=news).SerializeToString())

        call.on_cancel = self._service.listing.follow(told)

    def _watch_offers(self, call: Incoming) -> None:
        def told(news: Listed) -> None:
            call.reply(internal.WatchOffersResponse(offered=news).SerializeToString())

        call.on_cancel = self._service.offers.follow(told)

    def _follow(self, call: Incoming, begin: Coroutine[None, None, Cancel]) -> None:
        gone = False

        def left() -> None:
            nonlocal gone
            gone = True

        async def run() -> None:
            try:
                cancel = await begin
            except Exception:
                logger.exception("call_failed")
                cancel = refusal(reasons.ERROR_REASON_INTERNAL, "the server made a mistake; try again")
            if isinstance(cancel, Refusal):
                call.end(cancel)
            elif gone:
                cancel()
            else:
                call.on_cancel = cancel

        call.on_cancel = left
        task = asyncio.ensure_future(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _create(self, data: bytes) -> Message | Refusal:
        request = internal.CreateTableRequest.FromString(data)
        table = await self._service.create_with_code(request.host, request.options, request.table_options, request.code)
        return table if isinstance(table, Refusal) else internal.CreateTableResponse(table=table)

    async def _join(self, data: bytes) -> Message | Refusal:
        request = internal.JoinTableRequest.FromString(data)
        joined = await self._service.join_table(request.player, request.code, request.table_id)
        return joined if isinstance(joined, Refusal) else internal.JoinTableResponse(table=joined[0], seat=joined[1])

    async def _start(self, data: bytes) -> Message | Refusal:
        request = internal.StartTableRequest.FromString(data)
        assigned = await self._service.start_table(request.player_id, request.table_id)
        return assigned if isinstance(assigned, Refusal) else internal.StartTableResponse(assignment=assigned)

    async def _rematch(self, data: bytes) -> Message | Refusal:
        request = internal.RematchRequest.FromString(data)
        joined = await self._service.rematch(request.player, request.game_id, request.turned)
        return joined if isinstance(joined, Refusal) else internal.RematchResponse(table=joined[0], seat=joined[1])

    async def _leave(self, data: bytes) -> Message | Refusal:
        request = internal.LeaveTableRequest.FromString(data)
        return await self._service.leave_table(request.player_id, request.table_id) or internal.LeaveTableResponse()
