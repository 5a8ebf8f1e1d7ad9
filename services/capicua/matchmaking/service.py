"""Matchmaking: quick match and tables in one place (implements `ports.Matchmaking`)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from capicua.links.installation import TICKETS, Held
from capicua.matchmaking.quick_match import QuickMatch
from capicua.matchmaking.tables import Tables
from capicua.runtime.clock import Clock
from capicua.runtime.ports import GameActor, ListedTold
from capicua.store.store import Store


class MatchmakingService:
    """Keeper of tickets and waiting tables. `taken`, `lost` and `give` are what the leases report."""

    def __init__(self, actor: GameActor, store: Store, clock: Clock, bot_fill_seconds: float) -> None:
        self._queue = queue = QuickMatch(actor, store, clock, bot_fill_seconds)
        self._tables = tables = Tables(actor, store)
        self._loading: dict[int, asyncio.Task[None]] = {}
        self.enqueue = queue.enqueue
        self.create_table = tables.create_table
        self.create_with_code = tables.create_with_code
        self.join_table = tables.join_table
        self.start_table = tables.start_table
        self.rematch = tables.rematch
        self.leave_table = tables.leave_table
        self.watch_table = tables.watch_table
        self.listing = tables.listing
        self.offers = tables.offers

    @property
    def tickets(self) -> int:
        """How many tickets wait."""
        return len(self._queue)

    @property
    def waiting_tables(self) -> int:
        """How many tables wait for their start."""
        return len(self._tables)

    def on_listed(self, told: ListedTold) -> None:
        """Tell `told` of the tables that the lobby lists, now and after each change."""
        self.listing.follow(partial(told, ""))

    def on_offers(self, told: ListedTold) -> None:
        """Tell `told` of the tables at which somebody is awaited for a rematch, now and after each change."""
        self.offers.follow(partial(told, ""))

    def trust(self, sure: Callable[[], bool]) -> None:
        """Seat people only while `sure()`: nobody else can be the owner of the tickets then."""
        self._queue.sure = sure

    def taken(self, shard: int, held: Held) -> None:
        """Load the tables of a shard; the tickets come by themselves."""
        self._loading[shard] = asyncio.ensure_future(self._tables.load(shard, held))
        if shard == TICKETS:
            self._queue.take()

    def lost(self, shard: int) -> None:
        """Drop the tables of a shard, and the tickets where they are with it."""
        if task := self._loading.pop(shard, None):
            task.cancel()
        self._tables.drop(shard)
        if shard == TICKETS:
            self._queue.drop()

    async def give(self, shards: set[int]) -> None:
        """Drop these shards: all is stored, or kept by the gateways. Who is being seated is seated here."""
        for shard in shards:
            self.lost(shard)
        if TICKETS in shards:
            await self._queue.settled()

    async def ready(self) -> None:
        """Wait until every shard taken so far is loaded."""
        await asyncio.gather(*self._loading.values())
