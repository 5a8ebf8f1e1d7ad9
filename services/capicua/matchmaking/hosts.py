"""Hosts who are gone without leaving: their tables must not wait for them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from capicua.api.v1.update_pb2 import Refusal
from capicua.matchmaking.waiting_table import WaitingTable

logger = structlog.get_logger()

HOST_SECONDS = 60.0
"""A host who has not watched the table for so long leaves it, if somebody else who sits there watches."""


class Hosts:
    """Watches over the hosts of tables. `leave` gives up the seat of a player at the table with an id."""

    def __init__(self, leave: Callable[[str, str], Awaitable[Refusal | None]]) -> None:
        self._leave = leave
        self._leaving: set[asyncio.Task[None]] = set()

    def mind(self, table: WaitingTable) -> None:
        """Let the time run in which the host does not watch; to be called after each change of a table."""
        there = table.closed or table.started or table.watched_by(table.host)
        if there and table.hostless is not None:
            table.hostless.cancel()
            table.hostless = None
        elif not there and table.hostless is None:
            later = asyncio.get_running_loop().call_later
            table.hostless = later(HOST_SECONDS, self._look, table, table.host)

    def _look(self, table: WaitingTable, host: str) -> None:
        table.hostless = None
        if table.host == host and any(map(table.watched_by, table.people)):
            task = asyncio.ensure_future(self._remove(table, host))
            self._leaving.add(task)
            task.add_done_callback(self._leaving.discard)
        else:
            self.mind(table)

    async def _remove(self, table: WaitingTable, host: str) -> None:
        if await self._leave(host, table.table_id) is None:
            logger.info("host_gone", table=table.table_id)
        self.mind(table)
