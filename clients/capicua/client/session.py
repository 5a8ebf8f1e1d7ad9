"""The session: one stream for all the games a client plays and watches."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any

import grpc

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.game_service_pb2 import Command, Say, SessionRequest, Unwatch, Watch
from capicua.api.v1.game_service_pb2_grpc import GameServiceStub
from capicua.api.v1.update_pb2 import CommandAnswer, Frame, Notice, RematchOffered, SeatAssigned
from capicua.client.connection import Connection, ConnectionState
from capicua.client.game import Game
from capicua.client.refused import Refused, Unreachable, refused
from capicua.client.standing import Standing
from capicua.client.stream import PASSING, delays, follow

WATCH_AGAIN_SECONDS = 1.0
"""The longest wait before a game is watched again that nobody could show."""
Metadata = tuple[tuple[str, str], ...]


class Session:
    """Opened by its first use, and opened again whenever it breaks.

    What must survive a connection is kept here: the games, each with its last seq, and the commands
    without an answer. A new connection first says all of that again, so the outbox may be lost.
    """

    def __init__(self, channel: grpc.aio.Channel, metadata: Metadata, patience: float | None, *, seeds: bool) -> None:
        self._channel = channel
        self._metadata = metadata
        self._patience = patience
        self._seeds = seeds
        self._games: dict[str, Game] = {}
        self._unanswered: dict[str, tuple[Command, asyncio.Future[int]]] = {}
        self._outbox: asyncio.Queue[SessionRequest | None] = asyncio.Queue()
        self.connection = ConnectionState()
        self.held: Standing[SeatAssigned] = Standing()
        """The seats told on this connection whose games are not seen to be over."""
        self.offered: Standing[RematchOffered] = Standing()
        """The offers of a rematch that the player has not answered."""
        self._task: asyncio.Task[None] | None = None
        self._failure: Exception | None = None

    async def watch(self, game_id: str) -> Game:
        """Follow a game; raises Refused if it cannot be followed."""
        self._open()
        game = self._games.get(game_id)
        if game is None:
            game = self._games[game_id] = Game(game_id, self.submit, self._say, seeds=self._seeds)
            self._watch(game)
        try:
            await game.begun()
        except BaseException:
            self._leave(game_id)
            raise
        return game

    def unwatch(self, game: Game) -> None:
        """Follow a game no longer."""
        game.leave()
        if self._games.get(game.game_id) is game:
            self._leave(game.game_id)

    async def submit(self, command: Command) -> int:
        """Send a command until it is answered; gives the seq of its last event, or raises Refused."""
        for wait in delays():
            self._open()
            try:
                return await self._ask(command)
            except Refused as no:
                if no.reason != reasons.ERROR_REASON_UNAVAILABLE:
                    raise
            await asyncio.sleep(wait)
        raise AssertionError("the delays never end")

    async def seats(self) -> AsyncIterator[SeatAssigned]:
        """Every seat the player holds, then each that is told; told again after each reconnection."""
        self._open()
        async for seat in self.held.changes():
            yield seat
        self._open()

    async def offers(self) -> AsyncIterator[RematchOffered]:
        """Every offer of a rematch that stands, then each change."""
        self._open()
        async for offer in self.offered.changes():
            yield offer
        self._open()

    def connections(self) -> AsyncIterator[Connection]:
        """How the session stands, then each change until it is over."""
        self._open()
        return self.connection.changes()

    async def close(self) -> None:
        """End the stream; whoever waits for something gets Unreachable."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
            # Its end refers to us: the connection would stay open until a garbage collection.
            self._task = None
        self._outbox.put_nowait(None)
        giving = [task for game in self._games.values() for task in game.giving]
        self._fail(Unreachable("the client was closed"))
        if giving:
            await asyncio.wait(giving)

    def _open(self) -> None:
        if self._failure is not None:
            raise self._failure
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="capicua session")

    async def _run(self) -> None:
        try:
            await follow(self._channel, self._call, self._take, self._lost, self._patience)
        except Exception as failure:
            self._fail(failure)

    def _call(self) -> Any:
        # The last connection would wait for more for ever.
        self._outbox.put_nowait(None)
        self._outbox = asyncio.Queue()
        # A new connection is told all of them again.
        self.held.now.clear()
        for game_id in tuple(self.offered.now):
            self.offered.drop(game_id, RematchOffered(game_id=game_id))
        for game in self._games.values():
            self._watch(game)
        for command, _ in self._unanswered.values():
            self._outbox.put_nowait(SessionRequest(command=command))
        stub = GameServiceStub(self._channel)
        self.connection.become(Connection.CONNECTED)
        return stub.Session(_drain(self._outbox), metadata=self._metadata)

    def _lost(self) -> None:
        self.connection.become(Connection.RECONNECTING)
        for game in self._games.values():
            game.interrupted()

    def _take(self, frame: Frame) -> bool:
        match frame.WhichOneof("frame"):
            case "update":
                self._tell(frame.update.game_id, frame)
            case "reset":
                self._tell(frame.reset.view.game_id, frame)
            case "answer":
                self._answered(frame.answer)
            case "presence":
                self._tell(frame.presence.game_id, frame)
            case "said":
                self._tell(frame.said.game_id, frame)
            case "seat_assigned":
                self.held.put(frame.seat_assigned.game_id, frame.seat_assigned)
            case "rematch_offered":
                self._offered(frame.rematch_offered)
            case "notice":
                self._noticed(frame.notice)
        return True

    def _tell(self, game_id: str, frame: Frame) -> None:
        game = self._games.get(game_id)
        if game is None:
            return
        if not game.take(frame):
            self._watch(game)
        if game.finished or game.quitted:
            self.held.drop(game_id)
        if game.finished:
            self._leave(game_id)

    def _offered(self, offer: RematchOffered) -> None:
        if offer.table_id:
            self.offered.put(offer.game_id, offer)
        else:
            self.offered.drop(offer.game_id, offer)

    def _answered(self, answer: CommandAnswer) -> None:
        _, answered = self._unanswered.get(answer.request_id, (None, None))
        if answered is None or answered.done():
            return
        if answer.HasField("refused"):
            answered.set_exception(refused(answer.refused))
        else:
            answered.set_result(answer.accepted.seq)

    def _noticed(self, notice: Notice) -> None:
        game = self._games.get(notice.game_id)
        if game is None:
            return
        if notice.say:
            game.talk.take(refused(notice.refusal))
            return
        if notice.refusal.reason in PASSING:
            # The server has been patient already; the game's owner may still come back.
            game.interrupted()
            asyncio.get_running_loop().call_later(random.uniform(0, WATCH_AGAIN_SECONDS), self._watch_again, game)
            return
        del self._games[game.game_id]
        game.fail(refused(notice.refusal))

    def _say(self, say: Say) -> None:
        # Not said again on the next connection: by then it would be out of place.
        self._outbox.put_nowait(SessionRequest(say=say))

    def _watch_again(self, game: Game) -> None:
        if self._games.get(game.game_id) is game:
            self._watch(game)

    def _watch(self, game: Game) -> None:
        watch = Watch(game_id=game.game_id, last_seen_seq=game.arrived_seq)
        self._outbox.put_nowait(SessionRequest(watch=watch))

    def _leave(self, game_id: str) -> None:
        if self._games.pop(game_id, None) is not None:
            self._outbox.put_nowait(SessionRequest(unwatch=Unwatch(game_id=game_id)))

    async def _ask(self, command: Command) -> int:
        answered: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._unanswered[command.request_id] = (command, answered)
        self._outbox.put_nowait(SessionRequest(command=command))
        try:
            return await answered
        finally:
            del self._unanswered[command.request_id]

    def _fail(self, failure: Exception) -> None:
        self._failure = failure
        self.connection.become(Connection.ENDED)
        for game in self._games.values():
            game.fail(failure)
        for _, answered in self._unanswered.values():
            if not answered.done():
                answered.set_exception(failure)
        self.held.end()
        self.offered.end()


async def _drain(outbox: asyncio.Queue[SessionRequest | None]) -> AsyncIterator[SessionRequest]:
    while (request := await outbox.get()) is not None:
        yield request
