"""Tables that wait for their players: those of the shards this process owns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.table_service_pb2 import Assignment, LobbyEntry, Table
from capicua.api.v1.types_pb2 import GameOptions, Seat, TableOptions
from capicua.api.v1.update_pb2 import Refusal
from capicua.links.installation import Held
from capicua.matchmaking.hosts import Hosts
from capicua.matchmaking.rematch import rematch_table, seat_in
from capicua.matchmaking.seating import game_of
from capicua.matchmaking.table_options import check, complete
from capicua.matchmaking.waiting_table import WaitingTable, begun, freed, new_table, seated
from capicua.runtime.ids import CODE_TRIES, clean_code, code_of, new_code, new_code_of, new_id, no_code
from capicua.runtime.listing import Listing
from capicua.runtime.ports import GameActor, TableTold
from capicua.runtime.refusals import refusal, store_away
from capicua.runtime.shard import shard_of
from capicua.store.store import TABLE_SECONDS, Store, StoreUnavailable

logger = structlog.get_logger()

STARTED_SECONDS = 60.0
"""How long a table is known after its start, for those who ask again because an answer was lost."""
REMATCH_SECONDS = 300.0
"""The same of a rematch, for those who come back late and would ask for another one."""
RETRY_SECONDS = 0.5
NO_SEAT = "this id and you at it"


def _not_found(what: str) -> Refusal:
    return refusal(
        reasons.ERROR_REASON_TABLE_NOT_FOUND,
        f"no table that waits has {what}: it may have started or closed; ask its host for a new code",
    )


def _table_id(code: str) -> str:
    return f"{new_id('t', 8)}-{code.lower()}"


def _moved() -> Refusal:
    return refusal(reasons.ERROR_REASON_UNAVAILABLE, "the table has moved: ask again")


class Tables:
    """The tables by code. Every change is stored before anybody is told, so that the next owner has it too."""

    def __init__(self, actor: GameActor, store: Store) -> None:
        self.listing = Listing()
        self.offers = Listing()
        """The tables at which somebody is awaited for a rematch."""
        self._actor = actor
        self._store = store
        self._tables: dict[str, WaitingTable] = {}
        self._rematches: dict[str, WaitingTable] = {}
        """By the id of the finished game, in whose shard the table is too."""
        self._epochs: dict[int, int] = {}
        self._hosts = Hosts(self.leave_table)

    def __len__(self) -> int:
        return sum(not table.started for table in self._tables.values())

    async def load(self, shard: int, held: Held) -> None:
        """Take the tables of a shard that has become ours, and make the games that were about to begin."""
        while True:
            try:
                stored = await self._store.claim_tables(shard, held.epoch)
                break
            except StoreUnavailable as failure:
                logger.warning("tables_not_loaded", shard=shard, error=str(failure))
                await asyncio.sleep(RETRY_SECONDS)
        self._epochs[shard] = held.epoch
        tables = [self._add(WaitingTable.read(data, held.epoch)) for data in stored]
        for table in tables:
            self._list(table)
        # Only when all are there: making a game takes its time, and nobody must miss a table meanwhile.
        for table in tables:
            async with table.lock:
                if table.now.game_id or table.complete:
                    await self._start(table)

    def drop(self, shard: int) -> None:
        """The shard is not ours any more: whoever follows a table of it is sent to the next owner."""
        self._epochs.pop(shard, None)
        for table in [table for table in self._tables.values() if shard_of(table.code) == shard]:
            self._forget(table)
            for _, told in tuple(table.watchers):
                told(_moved())

    async def create_table(self, host: Seat, options: GameOptions, table_options: TableOptions) -> Table | Refusal:
        """A new table with a code no other waiting table has."""
        for _ in range(CODE_TRIES):
            table = await self.create_with_code(host, options, table_options, new_code())
            if table is not None:
                return table
        return no_code()

    async def create_with_code(
        self, host: Seat, options: GameOptions, table_options: TableOptions, code: str
    ) -> Table | Refusal | None:
        """A new table with this code; None where another waiting table has it."""
        checked = check(table_options) or await self._actor.check_options(options)
        if isinstance(checked, Refusal):
            return checked
        epoch = self._epochs.get(shard_of(code))
        if epoch is None:
            return _moved()
        if code in self._tables:
            return None
        now = Table(table_id=_table_id(code), code=code, options=checked.options, table_options=complete(table_options))
        table = self._add(WaitingTable(new_table(now, host), epoch))
        refused = await self._save(table, table.now)
        if refused is not None:
            self._forget(table)
            return refused
        self._list(table)
        return table.message()

    async def join_table(self, player: Seat, code: str, table_id: str = "") -> tuple[Table, int] | Refusal:
        """The first free seat, or the one the player has already, also after the start."""
        clean = clean_code(code_of(table_id) if table_id else code)
        if isinstance(clean, Refusal):
            return clean
        table = self._find(clean, table_id)
        if isinstance(table, Refusal):
            return table
        return await self._sit(table, player)

    async def rematch(self, player: Seat, game_id: str, turned: bool) -> tuple[Table, int] | Refusal:
        """A seat at the table for another game of those of a finished one, which the first to ask makes."""
        game = await self._actor.finished_game(game_id)
        if isinstance(game, Refusal):
            return game
        sat = seat_in(game, player.player_id)
        if isinstance(sat, Refusal):
            return sat
        shard = shard_of(game_id)
        epoch = self._epochs.get(shard)
        if epoch is None:
            return _moved()
        table = self._rematches.get(game_id)
        if table is None:
            code = new_code_of(shard, self._tables)
            if code is None:
                return no_code()
            table = self._add(WaitingTable(rematch_table(game, _table_id(code), code, turned=turned), epoch))
        return await self._sit(table, player)

    async def _sit(self, table: WaitingTable, player: Seat) -> tuple[Table, int] | Refusal:
        async with table.lock:
            seat = table.seat_of(player.player_id)
            if seat is None or seat in table.now.awaited:
                if table.closed:
                    return _moved()
                if table.now.game_id:
                    return refusal(reasons.ERROR_REASON_TABLE_STARTED, "the game of this table has begun")
                seat = table.free_seat() if seat is None else seat
                if seat is None:
                    return refusal(reasons.ERROR_REASON_TABLE_FULL, "every seat of this table is taken")
                refused = await self._save(table, seated(table.now, seat, player))
                if refused is not None:
                    if not table.people:
                        self._forget(table)
                    return refused
                self._tell(table)
            # Asked again, too: what began may not have come to its end.
            if table.complete and (refused := await self._start(table)):
                return refused
            return table.message(), seat

    async def start_table(self, player_id: str, table_id: str) -> Assignment | Refusal:
        """The game; asked again, the same one."""
        table = self._at(player_id, table_id)
        if isinstance(table, Refusal):
            return table
        async with table.lock:
            seat = table.seat_of(player_id)
            if seat is None or table.closed:
                return _not_found(NO_SEAT)
            if seat != table.now.host_seat or seat in table.now.awaited:
                return refusal(reasons.ERROR_REASON_NOT_HOST, "only the host may start: wait for them")
            return await self._start(table) or table.assignment(seat)

    async def leave_table(self, player_id: str, table_id: str) -> Refusal | None:
        """The seat is free, or kept for its player no more; the last to leave closes the table."""
        table = self._at(player_id, table_id)
        if isinstance(table, Refusal):
            return table
        async with table.lock:
            seat = table.seat_of(player_id)
            if seat is None or table.now.game_id or table.closed:
                return _not_found(NO_SEAT)
            refused = await self._save(table, freed(table.now, seat))
            if refused is not None:
                return refused
            for watcher, told in tuple(table.watchers):
                if watcher == player_id:
                    told(_not_found(NO_SEAT))
            if table.people:
                self._tell(table)
            else:
                self._close(table)
        return None

    async def watch_table(self, player_id: str, table_id: str, told: TableTold) -> Callable[[], None] | Refusal:
        """Tell `told` of the table now and after each change."""
        table = self._at(player_id, table_id)
        if isinstance(table, Refusal):
            return table
        told(table.message())
        watcher = (player_id, told)
        table.watchers.append(watcher)
        self._hosts.mind(table)

        def cancel() -> None:
            if watcher in table.watchers:
                table.watchers.remove(watcher)
                self._hosts.mind(table)

        return cancel

    def _tell(self, table: WaitingTable) -> None:
        self._list(table)
        table.tell()

    def _list(self, table: WaitingTable) -> None:
        entry = LobbyEntry(table=table.message())
        for listing, listed in ((self.listing, table.listed), (self.offers, bool(table.now.awaited))):
            if listed and not table.closed:
                listing.put(table.table_id, entry)
            else:
                listing.drop(table.table_id)
        self._hosts.mind(table)

    def _find(self, code: str, table_id: str) -> WaitingTable | Refusal:
        if shard_of(code) not in self._epochs:
            return _moved()
        table = self._tables.get(code)
        if table is None or table_id not in ("", table.table_id):
            return _not_found("this id" if table_id else f"the code {code}")
        return table

    def _at(self, player_id: str, table_id: str) -> WaitingTable | Refusal:
        code = code_of(table_id)
        if shard_of(code) not in self._epochs:
            return _moved()
        table = self._tables.get(code)
        if table is None or table.table_id != table_id or table.seat_of(player_id) is None:
            return _not_found(NO_SEAT)
        return table

    async def _start(self, table: WaitingTable) -> Refusal | None:
        if table.started:
            return None
        before = table.now
        refused = await self._save(table, begun(before, before.game_id or new_id("g")))
        if refused is None:
            now = table.now
            game = game_of(now.game_id, now.table_id, table.places, now.options, now.table_options)
            refused = await self._actor.create_game(game)
        if refused is not None:
            # Whether it was made is unknown only where the actor is away; the next start asks with the same id.
            if refused.reason != reasons.ERROR_REASON_UNAVAILABLE:
                table.now = before
            self._list(table)
            return refused
        table.started = True
        self._tell(table)
        self._close_in(table, REMATCH_SECONDS if table.now.rematch_of else STARTED_SECONDS)
        return None

    async def _save(self, table: WaitingTable, after: Table) -> Refusal | None:
        data = after.SerializeToString()
        try:
            mine = await self._store.save_table(shard_of(table.code), table.table_id, table.epoch, data)
        except StoreUnavailable:
            return store_away()
        if not mine:
            self._forget(table)
            return _moved()
        table.now = after
        return None

    def _add(self, table: WaitingTable) -> WaitingTable:
        self._tables[table.code] = table
        if table.now.rematch_of:
            self._rematches[table.now.rematch_of] = table
        self._close_in(table, TABLE_SECONDS)
        return table

    def _close_in(self, table: WaitingTable, seconds: float) -> None:
        if table.closing is not None:
            table.closing.cancel()
        # One that is not ours any more is its next owner's to close.
        if self._tables.get(table.code) is table:
            table.closing = asyncio.get_running_loop().call_later(seconds, self._close, table)

    def _forget(self, table: WaitingTable) -> None:
        if table.closing is not None:
            table.closing.cancel()
        if self._tables.get(table.code) is table:
            del self._tables[table.code]
        if self._rematches.get(table.now.rematch_of) is table:
            del self._rematches[table.now.rematch_of]
        table.closed = True
        self._list(table)

    def _close(self, table: WaitingTable) -> None:
        self._forget(table)
        self._store.drop_table(shard_of(table.code), table.table_id)
        if not table.started:
            for _, told in tuple(table.watchers):
                told(_not_found("this id"))
