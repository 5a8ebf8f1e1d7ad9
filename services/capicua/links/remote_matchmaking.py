"""Matchmakers in other processes, as if they were one in this (implements `ports.Matchmaking`)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from capicua.api.v1.table_service_pb2 import Assignment, QuickMatchRequest, Table
from capicua.api.v1.types_pb2 import GameOptions, Seat, TableOptions
from capicua.api.v1.update_pb2 import Refusal
from capicua.internal.v1 import matchmaking_service_pb2 as internal
from capicua.internal.v1.game_actor_service_pb2 import CreateGameRequest, PlayerSeat
from capicua.links.directory import Directory
from capicua.links.installation import TICKETS
from capicua.links.router import Router
from capicua.runtime.ids import CODE_TRIES, clean_code, code_of, new_code, no_code
from capicua.runtime.ports import GameActor, ListedTold, TableTold, TicketTold
from capicua.runtime.shard import shard_of

ROLE = "matchmaking"


class RemoteMatchmaking:
    """Keeps the tickets of this process's callers: where a matchmaker dies, the next one gets them with the time
    they have waited and the game that was decided for them. Tables are found by the code in their id."""

    def __init__(self, directory: Directory, token: bytes, actor: GameActor) -> None:
        self._router = Router(directory, ROLE, token)
        self._loop = asyncio.get_running_loop()
        self._seated: dict[str, Callable[[PlayerSeat], None]] = {}
        self.close = self._router.close
        actor.on_seat(self._seat)

    async def enqueue(self, player: Seat, request: QuickMatchRequest, told: TicketTold) -> Callable[[], None] | Refusal:
        """Queue the player. The result cancels."""
        began = self._loop.time()
        decided: CreateGameRequest | None = None

        def ticket() -> bytes:
            return internal.EnqueueRequest(
                player=player,
                options=request.options,
                waited_ms=round((self._loop.time() - began) * 1000),
                party=request.party,
                any_seats=request.any_seats,
                any_target=request.any_target,
                decided=decided,
            ).SerializeToString()

        def finish() -> None:
            routed.cancel()
            if self._seated.get(player.player_id) is seated:
                del self._seated[player.player_id]

        def seated(seat: PlayerSeat) -> None:
            # The matchmaker may have died after it made the game and before it could say so.
            if decided and decided.game_id == seat.game_id:
                finish()
                told(Assignment(game_id=seat.game_id, seat=seat.seat, table_id=seat.table_id))

        def heard(response: bytes, _: int) -> None:
            nonlocal decided
            news = internal.EnqueueResponse.FromString(response)
            if news.HasField("waiting"):
                told(news.waiting)
            elif news.HasField("decided"):
                decided = news.decided
                told(decided)
            else:
                finish()
                told(news.assigned)

        def ended(refused: Refusal | None) -> None:
            if refused is not None:
                finish()
                told(refused)

        routed = self._router.call(TICKETS, "Enqueue", ticket, heard, ended)
        self._seated[player.player_id] = seated
        return finish

    def _seat(self, seat: PlayerSeat) -> None:
        if seated := self._seated.get(seat.player_id):
            seated(seat)

    async def create_table(self, host: Seat, options: GameOptions, table_options: TableOptions) -> Table | Refusal:
        """Make a table with a code that no other waiting table has."""
        for _ in range(CODE_TRIES):
            code = new_code()
            request = internal.CreateTableRequest(host=host, options=options, table_options=table_options, code=code)
            outcome = await self._router.ask(shard_of(code), "CreateTable", request, internal.CreateTableResponse)
            if isinstance(outcome, Refusal):
                return outcome
            if outcome.HasField("table"):
                return outcome.table
        return no_code()

    async def join_table(self, player: Seat, code: str, table_id: str = "") -> tuple[Table, int] | Refusal:
        """Take a seat; gives the table and the seat."""
        clean = clean_code(code_of(table_id) if table_id else code)
        if isinstance(clean, Refusal):
            return clean
        request = internal.JoinTableRequest(player=player, code=clean, table_id=table_id)
        outcome = await self._router.ask(shard_of(clean), "JoinTable", request, internal.JoinTableResponse)
        return outcome if isinstance(outcome, Refusal) else (outcome.table, outcome.seat)

    async def start_table(self, player_id: str, table_id: str) -> Assignment | Refusal:
        """Begin the game."""
        request = internal.StartTableRequest(player_id=player_id, table_id=table_id)
        outcome = await self._router.ask(_shard(table_id), "StartTable", request, internal.StartTableResponse)
        return outcome if isinstance(outcome, Refusal) else outcome.assignment

    async def rematch(self, player: Seat, game_id: str, turned: bool) -> tuple[Table, int] | Refusal:
        """A seat at the table of a rematch, which is in the shard of the finished game."""
        request = internal.RematchRequest(player=player, game_id=game_id, turned=turned)
        outcome = await self._router.ask(shard_of(game_id), "Rematch", request, internal.RematchResponse)
        return outcome if isinstance(outcome, Refusal) else (outcome.table, outcome.seat)

    async def leave_table(self, player_id: str, table_id: str) -> Refusal | None:
        """Give the seat up."""
        request = internal.LeaveTableRequest(player_id=player_id, table_id=table_id)
        outcome = await self._router.ask(_shard(table_id), "LeaveTable", request, internal.LeaveTableResponse)
        return outcome if isinstance(outcome, Refusal) else None

    async def watch_table(self, player_id: str, table_id: str, told: TableTold) -> Callable[[], None] | Refusal:
        """Call `told` with the table now and after each change. The result ends it."""
        data = internal.WatchTableRequest(player_id=player_id, table_id=table_id).SerializeToString()

        def heard(response: bytes, _: int) -> None:
            told(internal.WatchTableResponse.FromString(response).table)

        def ended(refused: Refusal | None) -> None:
            if refused is not None:
                told(refused)

        return self._router.call(_shard(table_id), "WatchTable", lambda: data, heard, ended).cancel

    def on_listed(self, told: ListedTold) -> None:
        """Tell `told` of the tables of every matchmaker that the lobby lists, now and after each change."""

        def heard(address: str, response: bytes) -> None:
            told(address, internal.WatchListedTablesResponse.FromString(response).listed)

        self._router.stand("WatchListedTables", b"", heard, lambda address: told(address, None))

    def on_offers(self, told: ListedTold) -> None:
        """Tell `told` of the tables of every matchmaker at which somebody is awaited, now and after each change."""

        def heard(address: str, response: bytes) -> None:
            told(address, internal.WatchOffersResponse.FromString(response).offered)

        self._router.stand("WatchOffers", b"", heard, lambda address: told(address, None))


def _shard(table_id: str) -> int:
    return shard_of(code_of(table_id))
