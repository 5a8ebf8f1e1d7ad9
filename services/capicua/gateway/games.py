"""Playing and watching: sessions, spectators, and the unary twins."""

from __future__ import annotations

import asyncio

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1 import game_service_pb2 as api
from capicua.api.v1.types_pb2 import Seat
from capicua.api.v1.update_pb2 import CommandAnswer, Frame, Refusal, RematchOffered, SeatAssigned
from capicua.gateway.connection import Connection
from capicua.gateway.limits import Limits
from capicua.gateway.offers import Offers
from capicua.gateway.turns import Turns
from capicua.internal.v1.game_actor_service_pb2 import PlayerSeat
from capicua.runtime.clock import Clock
from capicua.runtime.ports import GameActor
from capicua.runtime.refusals import refusal
from capicua.runtime.transport import Stream


def _missing(field: str) -> Refusal:
    return refusal(reasons.ERROR_REASON_INVALID_ARGUMENT, f"`{field}` is missing")


class GameEndpoint:
    """GameService. Holds no game: whatever a viewer gets was made beside the authority (I-7)."""

    descriptor = api.DESCRIPTOR.services_by_name["GameService"]
    open_methods: frozenset[str] = frozenset()

    def __init__(self, actor: GameActor, clock: Clock, limits: Limits) -> None:
        self._actor = actor
        self._limits = limits
        self._clock = clock
        self._sessions: dict[str, Connection] = {}
        self._spectators: set[Connection] = set()
        self._turns = Turns()
        self.offers = Offers(self._tell_offer)
        actor.on_seat(self._tell_seat)

    @property
    def sessions(self) -> int:
        """How many sessions are open."""
        return len(self._sessions)

    async def session(self, caller: Seat, stream: Stream) -> Refusal | None:
        """One player's stream; a newer one of the same player cuts it with SUPERSEDED."""
        connection = Connection(caller.player_id, stream, self._clock())
        if older := self._sessions.get(caller.player_id):
            older.cut(refusal(reasons.ERROR_REASON_SUPERSEDED, "a newer session of the same player took over"))
        self._sessions[caller.player_id] = connection
        try:
            for seat in await self._actor.seats_of(caller.player_id):
                self._tell_seat(seat)
            for offer in self.offers.of(caller.player_id):
                self._tell_offer(caller.player_id, offer)
            return await connection.run(self._read(connection, stream))
        finally:
            for game_id in connection.watched:
                self._actor.unwatch(connection, game_id)
            if self._sessions.get(caller.player_id) is connection:
                del self._sessions[caller.player_id]

    async def _read(self, connection: Connection, stream: Stream) -> None:
        submit, player_id, answer = self._actor.submit, connection.player_id, connection.answer
        while (request := await stream.read()) is not None:
            if isinstance(request, Refusal):
                connection.cut(request)
                return
            kind = request.WhichOneof("request")
            if kind == "command":
                submit(player_id, request.command, answer)
            elif kind == "watch":
                connection.watched.add(request.watch.game_id)
                self._actor.watch(connection, request.watch.game_id, request.watch.last_seen_seq)
            elif kind == "unwatch":
                connection.watched.discard(request.unwatch.game_id)
                self._actor.unwatch(connection, request.unwatch.game_id)
            elif kind == "say":
                self._say(connection, request.say)
            else:
                connection.notice("", _missing("request"))

    def _say(self, connection: Connection, say: api.Say) -> None:
        def done(refused: Refusal | None) -> None:
            if refused is not None:
                connection.not_said(say.game_id, refused)

        if too_often := self._limits.admit("Say", connection.player_id, ""):
            done(too_often)
        else:
            self._actor.say(connection.player_id, say, done)

    async def submit_command(
        self, caller: Seat, request: api.SubmitCommandRequest
    ) -> api.SubmitCommandResponse | Refusal:
        """One command, answered when its events are stored."""
        answered: asyncio.Future[CommandAnswer] = asyncio.get_running_loop().create_future()
        self._actor.submit(caller.player_id, request.command, answered.set_result)
        answer = await answered
        if answer.HasField("refused"):
            return answer.refused
        return api.SubmitCommandResponse(seq=answer.accepted.seq)

    async def watch_game(self, caller: Seat, request: api.WatchGameRequest, stream: Stream) -> Refusal | None:
        """The public part of one game; a player of the game sees no more here than anybody."""
        spectator = _Spectator(Connection("", stream, self._clock(), self._turns))
        self._spectators.add(spectator.connection)
        self._actor.watch(spectator, request.game_id, request.last_seen_seq)
        try:
            return await spectator.connection.run()
        finally:
            self._actor.unwatch(spectator, request.game_id)
            self._spectators.discard(spectator.connection)

    async def get_view(self, caller: Seat, request: api.GetViewRequest) -> api.GetViewResponse | Refusal:
        """The full picture for the caller."""
        view = await self._actor.view(request.game_id, caller.player_id)
        return view if isinstance(view, Refusal) else api.GetViewResponse(view=view)

    async def list_games(self, caller: Seat, request: api.ListGamesRequest) -> api.ListGamesResponse | Refusal:
        """Live public games."""
        if not 0 <= request.page_size <= 100:
            return refusal(reasons.ERROR_REASON_INVALID_ARGUMENT, "`page_size` must be 0 to 100")
        return api.ListGamesResponse(games=await self._actor.live_games(request))

    async def get_record(self, caller: Seat, request: api.GetRecordRequest) -> api.GetRecordResponse | Refusal:
        """The record of a finished game."""
        record = await self._actor.record(request.game_id)
        return record if isinstance(record, Refusal) else api.GetRecordResponse(record=record)

    def close(self, going: Refusal) -> None:
        """End every stream, so that the server can stop at once; clients come back and resume."""
        for connection in (*self._sessions.values(), *self._spectators):
            connection.cut(going)

    def _tell_seat(self, seat: PlayerSeat) -> None:
        if session := self._sessions.get(seat.player_id):
            assigned = SeatAssigned(game_id=seat.game_id, seat=seat.seat, table_id=seat.table_id)
            session.send(api.SessionResponse(frames=[Frame(seat_assigned=assigned)]).SerializeToString())

    def _tell_offer(self, player_id: str, offer: RematchOffered) -> None:
        if session := self._sessions.get(player_id):
            session.send(api.SessionResponse(frames=[Frame(rematch_offered=offer)]).SerializeToString())


class _Spectator:
    """A connection that follows one game without being anybody."""

    __slots__ = ("connection", "hear", "send")
    player_id = ""
    opened_ms = 0

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.send = connection.send
        self.hear = connection.hear

    def notice(self, game_id: str, refused: Refusal) -> None:
        self.connection.cut(refused)

    def ended(self, game_id: str) -> None:
        self.connection.finish()
