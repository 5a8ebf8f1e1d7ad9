"""Private tables that wait for their players."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.table_service_pb2 import Assignment, Table
from capicua.api.v1.types_pb2 import GameOptions, Seat
from capicua.api.v1.update_pb2 import Refusal
from capicua.matchmaking.seating import start_game
from capicua.runtime.ids import clean_code, new_code, new_id
from capicua.runtime.ports import GameActor, TableTold
from capicua.runtime.refusals import refusal

WAITING_TABLE_SECONDS = 30 * 60
"""A table that has not started by then is closed."""


def _not_found(what: str) -> Refusal:
    return refusal(
        reasons.ERROR_REASON_TABLE_NOT_FOUND,
        f"no table that waits has {what}: it may have started or closed; ask its host for a new code",
    )


class _WaitingTable:
    """A table, the people at it in order of arrival, and who watches it."""

    def __init__(self, host: Seat, options: GameOptions, code: str) -> None:
        # The code in it leads every process to the table's owner.
        self.table_id = f"{new_id('t', 8)}-{code.lower()}"
        self.code = code
        self.options = options
        self.people = [host]
        self.watchers: list[tuple[str, TableTold]] = []
        self.assigned: dict[str, Assignment] | None = None
        self.starting: asyncio.Future[dict[str, Assignment] | Refusal] | None = None
        self.closing: asyncio.TimerHandle | None = None

    def seat_of(self, player_id: str) -> int | None:
        return next((i for i, person in enumerate(self.people) if person.player_id == player_id), None)

    def message(self) -> Table:
        game_id = next(iter(self.assigned.values())).game_id if self.assigned else ""
        seats = [Seat(seat=i, player_id=p.player_id, name=p.name) for i, p in enumerate(self.people)]
        seats += [Seat(seat=i) for i in range(len(seats), self.options.seats)]
        # Whoever came first of those who are left hosts.
        return Table(
            table_id=self.table_id,
            code=self.code,
            options=self.options,
            seats=seats,
            host_seat=0,
            game_id=game_id,
        )

    def changed(self) -> None:
        for _, told in tuple(self.watchers):
            told(self.message())


class Tables:
    """The tables by id and by code."""

    def __init__(self, actor: GameActor) -> None:
        self._actor = actor
        self._by_id: dict[str, _WaitingTable] = {}
        self._by_code: dict[str, _WaitingTable] = {}

    async def create_table(self, host: Seat, options: GameOptions) -> Table | Refusal:
        """A new table with a code no other waiting table has."""
        checked = await self._actor.check_options(options)
        if isinstance(checked, Refusal):
            return checked
        code = new_code()
        while code in self._by_code:
            code = new_code()
        return self._create(host, checked.options, code)

    async def create_with_code(self, host: Seat, options: GameOptions, code: str) -> Table | Refusal | None:
        """A new table with this code; None where another waiting table has it."""
        checked = await self._actor.check_options(options)
        if isinstance(checked, Refusal):
            return checked
        return None if code in self._by_code else self._create(host, checked.options, code)

    def _create(self, host: Seat, options: GameOptions, code: str) -> Table:
        table = _WaitingTable(host, options, code)
        self._by_id[table.table_id] = self._by_code[code] = table
        table.closing = asyncio.get_running_loop().call_later(WAITING_TABLE_SECONDS, self._close, table)
        return table.message()

    async def join_table(self, player: Seat, code: str) -> tuple[Table, int] | Refusal:
        """The first free seat, or the one the player has already."""
        clean = clean_code(code)
        if isinstance(clean, Refusal):
            return clean
        table = self._by_code.get(clean)
        if table is None:
            return _not_found(f"the code {clean}")
        seat = table.seat_of(player.player_id)
        if seat is None:
            if len(table.people) >= table.options.seats or table.starting:
                return refusal(reasons.ERROR_REASON_TABLE_FULL, "every seat of this table is taken")
            seat = len(table.people)
            table.people.append(player)
            table.changed()
        return table.message(), seat

    async def start_table(self, player_id: str, table_id: str) -> Assignment | Refusal:
        """The game; asked again, the same one."""
        table = self._by_id.get(table_id)
        seat = table.seat_of(player_id) if table else None
        if table is None or seat is None:
            return _not_found("this id and you at it")
        if seat != 0:
            return refusal(reasons.ERROR_REASON_NOT_HOST, "only the host may start: wait for them")
        if table.starting is None:
            start = start_game(self._actor, table_id, table.people, table.options, public=False)
            table.starting = asyncio.ensure_future(start)
        assigned = await asyncio.shield(table.starting)
        if isinstance(assigned, Refusal):
            table.starting = None
            return assigned
        if table.assigned is None:
            table.assigned = assigned
            table.changed()
            del self._by_code[table.code]
        return assigned[player_id]

    async def leave_table(self, player_id: str, table_id: str) -> Refusal | None:
        """The seat is free; the last to leave closes the table."""
        table = self._by_id.get(table_id)
        seat = table.seat_of(player_id) if table else None
        if table is None or seat is None or table.starting:
            return _not_found("this id and you at it")
        del table.people[seat]
        for watcher, told in tuple(table.watchers):
            if watcher == player_id:
                told(_not_found("this id and you at it"))
        if table.people:
            table.changed()
        else:
            self._close(table)
        return None

    async def watch_table(self, player_id: str, table_id: str, told: TableTold) -> Callable[[], None] | Refusal:
        """Tell `told` of the table now and after each change."""
        table = self._by_id.get(table_id)
        if table is None or table.seat_of(player_id) is None:
            return _not_found("this id and you at it")
        told(table.message())
        watcher = (player_id, told)
        table.watchers.append(watcher)
        return lambda: table.watchers.remove(watcher)

    def _close(self, table: _WaitingTable) -> None:
        if table.closing is not None:
            table.closing.cancel()
        self._by_id.pop(table.table_id, None)
        self._by_code.pop(table.code, None)
        if table.assigned is None:
            for _, told in tuple(table.watchers):
                told(_not_found("this id"))
