"""A player's connection to a Capicua server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import grpc

from capicua.api.v1 import game_service_pb2 as games
from capicua.api.v1 import rating_service_pb2 as ratings
from capicua.api.v1 import table_service_pb2 as tables
from capicua.api.v1.game_service_pb2_grpc import GameServiceStub
from capicua.api.v1.player_service_pb2 import SignInRequest
from capicua.api.v1.player_service_pb2_grpc import PlayerServiceStub
from capicua.api.v1.rating_service_pb2_grpc import RatingServiceStub
from capicua.api.v1.table_service_pb2_grpc import TableServiceStub
from capicua.api.v1.types_pb2 import GameOptions, TableOptions
from capicua.api.v1.update_pb2 import RematchOffered, SeatAssigned, View
from capicua.client.connection import Connection
from capicua.client.game import Game
from capicua.client.lobby import Change, changes
from capicua.client.refused import Unreachable, typed_errors
from capicua.client.session import Metadata, Session
from capicua.client.stream import follow, reopened

ANSWER_SECONDS = 10.0
"""How long a call with one answer may take."""
_OPTIONS = (
    # A client is a connection: without this all clients of a process would share one.
    ("grpc.use_local_subchannel_pool", 1),
    # A network that swallows everything is found out while there is still time to play.
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    # A ping that gRPC sent for reasons of its own stands in for that of the keepalive, but would be waited for longer.
    ("grpc.http2.ping_timeout_ms", 5_000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 5_000),
)


@asynccontextmanager
async def connect(
    address: str,
    *,
    name: str = "",
    token: str = "",
    patience: float | None = 60.0,
    tls: bool | bytes = False,
    seeds: bool = False,
) -> AsyncIterator[Client]:
    """Sign in under `name`, or come back with the `token` of before.

    `address` is "host:port", or "ip:port,ip:port" for the first that answers. With `tls` the connection is
    encrypted and the server must prove its name: True trusts the authorities that gRPC knows, bytes are those to
    trust instead, in PEM. `patience` is how many seconds without a connection are borne before Unreachable is
    raised, None for any number. With a token, the client is not told its `player_id`, which stays empty.
    With `seeds` every game that is watched from a seat gets a fresh seed for each deal, so that the server cannot
    have chosen it (docs/fair_deal.md); the first deal of a game waits for it.
    Leaving the context closes the client; whoever still waits for something gets Unreachable.
    Raises Unreachable at once if no server answers; Refused: INVALID_NAME for a name that is not 1 to 20 visible
    characters, RATE_LIMITED. A token that is not good is found out by the first call: Unauthenticated.
    """
    target = f"ipv4:{address}" if "," in address else address
    async with _channel(target, tls) as channel:
        player_id = ""
        if not token:
            sign_in: Any = PlayerServiceStub(channel).SignIn
            with typed_errors():
                player = await sign_in(SignInRequest(name=name), timeout=ANSWER_SECONDS)
            player_id, name, token = player.player_id, player.name, player.token
        client = Client(channel, player_id=player_id, name=name, token=token, patience=patience, seeds=seeds)
        try:
            yield client
        finally:
            await client.close()


def _channel(target: str, tls: bool | bytes) -> grpc.aio.Channel:
    if tls is False:
        return grpc.aio.insecure_channel(target, options=_OPTIONS)
    credentials = grpc.ssl_channel_credentials(None if tls is True else tls)
    return grpc.aio.secure_channel(target, credentials, options=_OPTIONS)


class Client:
    """What a signed-in player can do; made by `connect`.

    Every method may raise Unreachable, after 10 seconds where it waits for one answer, and Refused: UNAUTHENTICATED
    and UNAVAILABLE anywhere, RATE_LIMITED where something could be flooded, and the reasons that it names itself.
    Nothing but plays and seeds is sent again by itself.
    """

    def __init__(
        self, channel: grpc.aio.Channel, *, player_id: str, name: str, token: str, patience: float | None, seeds: bool
    ) -> None:
        self.player_id = player_id
        self.name = name
        self.token = token
        self._channel = channel
        self._patience = patience
        self._seeds = seeds
        self._metadata: Metadata = (("authorization", f"Bearer {token}"),)
        self._tables: Any = TableServiceStub(channel)
        self._games: Any = GameServiceStub(channel)
        self._ratings: Any = RatingServiceStub(channel)
        self._session = Session(channel, self._metadata, patience, seeds=seeds)
        self._spectating: dict[Game, asyncio.Task[None]] = {}

    async def quick_match(
        self,
        variant: str = "block_rounds",
        *,
        seats: int | None = None,
        target: int | None = None,
        party: str = "",
        any_seats: bool = False,
        any_target: bool = False,
        waiting: Callable[[tables.Waiting], None] | None = None,
    ) -> tables.Assignment:
        """Queue for a public game and wait for a seat; `waiting` is told how the wish stands.

        Without `seats` it is the variant's smallest number, without `target` its own; with `any_seats` or
        `any_target` every game of the variant will do. Two friends who give the same word as `party`, 4 to 32 visible
        characters, sit as partners; nobody is seated before the friend has come. Cancelling leaves
        the queue; if a game was found in that very moment, `seats` tells it. Raises Refused: UNKNOWN_VARIANT,
        INVALID_OPTIONS, PARTY_FULL, PARTY_NOT_POSSIBLE, INVALID_ARGUMENT for another word, SUPERSEDED by a newer wish
        of the same player.
        """
        options = GameOptions(variant=variant, seats=seats, target=target)
        request = tables.QuickMatchRequest(
            options=options, gives_seed=self._seeds, party=party, any_seats=any_seats, any_target=any_target
        )
        async for response in self._stream(self._tables.QuickMatch, request):
            if response.HasField("assigned"):
                return response.assigned  # type: ignore[no-any-return]
            if waiting is not None:
                waiting(response.waiting)
        raise Unreachable("the server ended the queue without a seat")

    async def create_table(self, options: GameOptions, table_options: TableOptions | None = None) -> tables.Table:
        """Make a table, a private one without `table_options`, and sit down as its host, on seat 0.

        Its `code` is for those who shall join. Raises Refused: UNKNOWN_VARIANT, INVALID_OPTIONS, INVALID_ARGUMENT.
        """
        request = tables.CreateTableRequest(options=options, table_options=table_options, gives_seed=self._seeds)
        response = await self._call(self._tables.CreateTable, request)
        return response.table  # type: ignore[no-any-return]

    async def join_table(self, code: str = "", *, table_id: str = "") -> tables.JoinTableResponse:
        """Sit down at the table with this id, code or link; gives the table and the seat, the same one if sat before.

        Raises Refused: TABLE_NOT_FOUND, TABLE_FULL, TABLE_STARTED, INVALID_ARGUMENT for what is no code.
        """
        request = tables.JoinTableRequest(code=code, table_id=table_id, gives_seed=self._seeds)
        return await self._call(self._tables.JoinTable, request)  # type: ignore[no-any-return]

    async def start_table(self, table_id: str) -> tables.Assignment:
        """Begin the game of a table as its host; bots fill the free seats.

        Raises Refused: TABLE_NOT_FOUND, NOT_HOST.
        """
        response = await self._call(self._tables.StartTable, tables.StartTableRequest(table_id=table_id))
        return response.assignment  # type: ignore[no-any-return]

    async def rematch(self, game_id: str, *, turned: bool = False) -> tables.RematchResponse:
        """Ask for another game with those of a finished one, or agree to it; gives the table and the own seat.

        The first who asks decides by `turned` whether everybody moves on by one seat. The game begins by itself once
        every seat is taken, perhaps with this call: then `table.game_id` is set. Until then `watch_table` shows who
        has agreed (all but `awaited`), and `leave_table` takes the wish back. Raises Refused: GAME_RUNNING,
        GAME_NOT_FOUND, NOT_SEATED also for one who quit, TABLE_STARTED, TABLE_FULL.
        """
        request = tables.RematchRequest(game_id=game_id, turned=turned, gives_seed=self._seeds)
        return await self._call(self._tables.Rematch, request)  # type: ignore[no-any-return]

    async def leave_table(self, table_id: str) -> None:
        """Give up the seat at a table that has not started, or decline a rematch; if the host leaves, the next person
        hosts.

        Raises Refused: TABLE_NOT_FOUND, also after the start.
        """
        await self._call(self._tables.LeaveTable, tables.LeaveTableRequest(table_id=table_id))

    async def watch_table(self, table_id: str) -> AsyncIterator[tables.Table]:
        """The table now and after each change until its game starts: the last one has a `game_id`.

        It is told anew after a broken connection. Raises Refused: TABLE_NOT_FOUND where the player does not sit, or
        no longer.
        """
        request = tables.WatchTableRequest(table_id=table_id)
        open_call = partial(self._tables.WatchTable, request, metadata=self._metadata)
        async for response in reopened(self._channel, open_call, self._patience):
            yield response.table
            if response.table.game_id:
                return

    async def list_tables(self, variant: str = "", seats: int = 0, page_token: str = "") -> tables.ListTablesResponse:
        """Up to 100 public tables that wait for players, by id, and the token of the next page, empty on the last.

        Of one variant or number of seats if they are given.
        """
        request = tables.ListTablesRequest(page_size=100, page_token=page_token, variant=variant, seats=seats)
        return await self._call(self._tables.ListTables, request)  # type: ignore[no-any-return]

    def lobby(self, variant: str = "", seats: int = 0) -> AsyncIterator[Change]:
        """Public tables and live games: all as Added at first, then each change, for ever.

        Of one variant or number of seats if they are given. What was missed while a connection was broken comes as
        changes too.
        """
        request = tables.WatchLobbyRequest(variant=variant, seats=seats)
        open_call = partial(self._tables.WatchLobby, request, metadata=self._metadata)
        return changes(self._channel, open_call, self._patience)

    async def watch(self, game_id: str) -> Game:
        """Follow a game on the session: from the own seat if there is one, to play it.

        A game that is watched already is given as it is, with what was iterated of it. Raises Refused:
        GAME_NOT_FOUND, SPECTATORS_NOT_ALLOWED.
        """
        return await self._session.watch(game_id)

    def unwatch(self, game: Game) -> None:
        """Follow a watched or spectated game no longer; iterating it ends. An own seat is kept, its clock runs."""
        if (spectating := self._spectating.pop(game, None)) is not None:
            spectating.cancel()
        self._session.unwatch(game)

    def seats(self) -> AsyncIterator[SeatAssigned]:
        """Every seat the player holds, then every new one. A seat is told again after a reconnection.

        Any number of tasks may iterate, each over an iterator of its own.
        """
        return self._session.seats()

    @property
    def held_seats(self) -> list[SeatAssigned]:
        """The seats in running games, in the order in which they were told: empty until `watch` or `seats` was used."""
        return list(self._session.held.now.values())

    def offers(self) -> AsyncIterator[RematchOffered]:
        """Every offer of a rematch that the player has not answered, then each change of one.

        An offer names the finished game, the table, and who has agreed. Its `table_id` is empty once there is nothing
        to answer any more. Opens the session; any number of tasks may iterate. Answer with `rematch` or `leave_table`.
        """
        return self._session.offers()

    @property
    def standing_offers(self) -> list[RematchOffered]:
        """The offers of a rematch that the player has not answered: empty until the session is open."""
        return list(self._session.offered.now.values())

    @property
    def connection(self) -> Connection:
        """How the session stands now."""
        return self._session.connection.now

    def connections(self) -> AsyncIterator[Connection]:
        """How the session stands, then each change until it is over, for example to show that it is reconnecting.

        Opens the session. Any number of tasks may iterate, each over an iterator of its own.
        """
        return self._session.connections()

    async def spectate(self, game_id: str) -> Game:
        """Follow the public part of a game, whoever plays it, over a stream of its own.

        Raises Refused: GAME_NOT_FOUND, SPECTATORS_NOT_ALLOWED.
        """
        game = Game(game_id)
        task = asyncio.create_task(self._spectate(game), name=f"capicua spectator of {game_id}")
        self._spectating[game] = task
        task.add_done_callback(lambda _: self._spectating.pop(game, None))
        try:
            await game.begun()
        except BaseException:
            self.unwatch(game)
            raise
        return game

    async def view(self, game_id: str) -> View:
        """The full picture of a game as the player may see it, asked for once.

        Raises Refused: GAME_NOT_FOUND, SPECTATORS_NOT_ALLOWED.
        """
        response = await self._call(self._games.GetView, games.GetViewRequest(game_id=game_id))
        return response.view  # type: ignore[no-any-return]

    async def games(self, variant: str = "") -> list[games.GameSummary]:
        """Up to 100 live public games, newest first; of one variant if it is given."""
        request = games.ListGamesRequest(page_size=100, variant=variant)
        return list((await self._call(self._games.ListGames, request)).games)

    async def record(self, game_id: str) -> str:
        """The record of a finished game in text notation (docs/notation.md).

        Raises Refused: GAME_NOT_FOUND, GAME_RUNNING.
        """
        response = await self._call(self._games.GetRecord, games.GetRecordRequest(game_id=game_id))
        return response.record  # type: ignore[no-any-return]

    async def rating(self, family: str, player_id: str = "") -> ratings.GetRatingResponse:
        """A player's rating in a family ("block", "draw", "fives", "partners", "trains"); one's own by default.

        Raises Refused: INVALID_ARGUMENT for a family that does not exist.
        """
        request = ratings.GetRatingRequest(family=family, player_id=player_id)
        return await self._call(self._ratings.GetRating, request)  # type: ignore[no-any-return]

    async def leaderboard(
        self, family: str, *, season: str = "", size: int = 20, page_token: str = "", around: str = ""
    ) -> ratings.ListLeaderboardResponse:
        """A page of a season's leaderboard, best first: the top of the one that runs now, unless said otherwise.

        `around` is the id of the player that the page is to have in its middle; the `next_page_token` of a page as
        `page_token` gets the next one. `season` is named like "2026-Q3", `size` is 1 to 100. Raises Refused:
        INVALID_ARGUMENT.
        """
        request = ratings.ListLeaderboardRequest(
            family=family, season=season, page_size=size, page_token=page_token, around_player_id=around
        )
        return await self._call(self._ratings.ListLeaderboard, request)  # type: ignore[no-any-return]

    async def close(self) -> None:
        """End the session and everything watched, as leaving `connect` does; no task of the client outlives it."""
        tasks = list(self._spectating.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        await self._session.close()

    async def _spectate(self, game: Game) -> None:
        def call() -> Any:
            if game.finished:
                return None
            request = games.WatchGameRequest(game_id=game.game_id, last_seen_seq=game.arrived_seq)
            return self._games.WatchGame(request, metadata=self._metadata)

        try:
            await follow(self._channel, call, game.take, game.interrupted, self._patience)
        except Exception as failure:
            game.fail(failure)
        except asyncio.CancelledError:
            game.fail(Unreachable("the client was closed"))
            raise

    async def _call(self, method: Any, request: Any) -> Any:
        with typed_errors():
            return await method(request, metadata=self._metadata, timeout=ANSWER_SECONDS)

    async def _stream(self, method: Any, request: Any) -> AsyncIterator[Any]:
        with typed_errors():
            call = method(request, metadata=self._metadata)
            try:
                async for response in call:
                    yield response
            finally:
                call.cancel()
