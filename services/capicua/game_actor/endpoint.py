"""The game-actor as other processes call it: GameActorService of capicua.internal.v1 over links."""

from __future__ import annotations

from google.protobuf.message import Message

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.update_pb2 import CommandAnswer, Refusal
from capicua.game_actor.deadlines import Deadlines
from capicua.game_actor.service import GameActorService
from capicua.internal.v1 import game_actor_service_pb2 as internal
from capicua.internal.v1.listed_pb2 import Listed
from capicua.links.link_server import Handler, Incoming, unary


class _RemoteViewer:
    """A viewer at the other end of a link."""

    __slots__ = ("_call", "hear", "opened_ms", "player_id", "send")

    def __init__(self, call: Incoming, player_id: str, opened_ms: int) -> None:
        self._call = call
        self.player_id = player_id
        self.opened_ms = opened_ms
        self.send = call.reply
        self.hear = call.reply

    def notice(self, game_id: str, refused: Refusal) -> None:
        self._call.end(refused)

    def ended(self, game_id: str) -> None:
        self._call.end()


class ActorEndpoint:
    """A handler for each method."""

    def __init__(self, service: GameActorService, deadlines: Deadlines) -> None:
        self._service = service
        self._deadlines = deadlines
        self._seat_watchers: set[Incoming] = set()
        service.on_seat(self._tell_seat)
        self.handlers: dict[str, Handler] = {
            "SubmitCommand": self._submit,
            "Say": self._say,
            "WatchGame": self._watch,
            "WatchSeats": self._watch_seats,
            "WatchListedGames": self._watch_listed,
            "WatchDeadlines": deadlines.follow,
            "ExpireTurn": self._expire,
            "CreateGame": unary(self._create),
            "CheckOptions": unary(self._check),
            "GetView": unary(self._view),
            "GetRecord": unary(self._record),
            "GetFinished": unary(self._finished),
            "ListGames": unary(self._games),
            "ListSeats": unary(self._seats),
            "GetStats": unary(self._stats),
        }

    def _submit(self, call: Incoming) -> None:
        request = internal.SubmitCommandRequest.FromString(call.request)

        def answered(answer: CommandAnswer) -> None:
            if answer.refused.reason == reasons.ERROR_REASON_UNAVAILABLE:
                # The caller knows whom else to ask.
                call.end(answer.refused)
            else:
                response = internal.SubmitCommandResponse()
                response.answer.CopyFrom(answer)
                call.end(response.SerializeToString())

        self._service.submit(request.player_id, request.command, answered)

    def _say(self, call: Incoming) -> None:
        request = internal.SayRequest.FromString(call.request)
        said = internal.SayResponse().SerializeToString()
        self._service.say(request.player_id, request.say, lambda refused: call.end(refused or said))

    def _watch(self, call: Incoming) -> None:
        request = internal.WatchGameRequest.FromString(call.request)
        viewer = _RemoteViewer(call, request.player_id, request.opened_ms)
        call.on_cancel = lambda: self._service.unwatch(viewer, request.game_id)
        self._service.watch(viewer, request.game_id, request.last_seen_seq)

    def _watch_seats(self, call: Incoming) -> None:
        # What began before the caller found us would never be told otherwise.
        call.reply(internal.WatchSeatsResponse(seats=self._service.seats()).SerializeToString())
        self._seat_watchers.add(call)
        call.on_cancel = lambda: self._seat_watchers.discard(call)

    def _tell_seat(self, seat: internal.PlayerSeat) -> None:
        data = internal.WatchSeatsResponse(seats=[seat]).SerializeToString()
        for call in self._seat_watchers:
            call.reply(data)

    def _watch_listed(self, call: Incoming) -> None:
        def told(news: Listed) -> None:
            call.reply(internal.WatchListedGamesResponse(listed=news).SerializeToString())

        call.on_cancel = self._service.listing.follow(told)

    def _expire(self, call: Incoming) -> None:
        self._deadlines.look(internal.ExpireTurnRequest.FromString(call.request).game_id)
        call.end(internal.ExpireTurnResponse().SerializeToString())

    async def _create(self, data: bytes) -> Message | Refusal:
        refused = await self._service.create_game(internal.CreateGameRequest.FromString(data))
        return refused or internal.CreateGameResponse()

    async def _check(self, data: bytes) -> Message | Refusal:
        return await self._service.check_options(internal.CheckOptionsRequest.FromString(data).options)

    async def _view(self, data: bytes) -> Message | Refusal:
        request = internal.GetViewRequest.FromString(data)
        view = await self._service.view(request.game_id, request.player_id)
        return view if isinstance(view, Refusal) else internal.GetViewResponse(view=view)

    async def _record(self, data: bytes) -> Message | Refusal:
        record = await self._service.record(internal.GetRecordRequest.FromString(data).game_id)
        return record if isinstance(record, Refusal) else internal.GetRecordResponse(record=record)

    async def _finished(self, data: bytes) -> Message | Refusal:
        game = await self._service.finished_game(internal.GetFinishedRequest.FromString(data).game_id)
        return game if isinstance(game, Refusal) else internal.GetFinishedResponse(game=game)

    async def _games(self, data: bytes) -> Message:
        request = internal.ListGamesRequest.FromString(data).request
        return internal.ListGamesResponse(games=await self._service.live_games(request))

    async def _seats(self, data: bytes) -> Message:
        request = internal.ListSeatsRequest.FromString(data)
        return internal.ListSeatsResponse(seats=await self._service.seats_of(request.player_id))

    async def _stats(self, data: bytes) -> Message:
        return self._service.stats()
