"""A store in memory: for tests, and the plainest statement of what a store does."""

from __future__ import annotations

import asyncio
import secrets
from bisect import bisect_left

from capicua.runtime.clock import Clock, wall_clock
from capicua.runtime.shard import shard_of
from capicua.store.memory_ratings import MemoryRatings
from capicua.store.store import SeqTaken


class MemoryStore(MemoryRatings):
    """Implements `Store`; forgets everything with the process."""

    def __init__(self, clock: Clock = wall_clock) -> None:
        self._logs: dict[str, list[tuple[int, bytes]]] = {}
        self._running: set[str] = set()
        self._finished: set[str] = set()
        self._snapshots: dict[str, bytes] = {}
        self._tables: dict[int, dict[str, bytes]] = {}
        self._table_epochs: dict[int, int] = {}
        self._secrets: dict[str, bytes] = {}
        self._installation = (0, b"")
        super().__init__(clock)
        self._generation = 0

    def append(self, game_id: str, first_seq: int, entry: bytes) -> asyncio.Future[None]:
        """Write an entry."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        log = self._logs.setdefault(game_id, [])
        if log and log[-1][0] >= first_seq:
            done.set_exception(SeqTaken(f"{game_id} already has seq {first_seq}"))
        else:
            log.append((first_seq, entry))
            done.set_result(None)
        return done

    async def read(self, game_id: str, first_seq: int = 1) -> list[tuple[int, bytes]]:
        """All entries from `first_seq` on."""
        log = self._logs.get(game_id, [])
        return log[bisect_left(log, (first_seq, b"")) :]

    async def entry(self, game_id: str, first_seq: int) -> bytes | None:
        """The entry placed exactly there."""
        found = await self.read(game_id, first_seq)
        return found[0][1] if found and found[0][0] == first_seq else None

    async def confirm(self, game_id: str) -> None:
        """Nobody else has it, so it is durable as it is."""

    def generation(self, game_id: str) -> int:
        """Grows with `lose`."""
        return self._generation

    def lose(self, game_id: str, entries: int) -> None:
        """Forget the newest entries of a game, as a fail-over to a replica that lags behind would."""
        del self._logs[game_id][len(self._logs[game_id]) - entries :]
        self._generation += 1

    def save_snapshot(self, game_id: str, data: bytes) -> None:
        """Keep a snapshot."""
        self._snapshots[game_id] = data

    async def snapshot(self, game_id: str) -> bytes | None:
        """The newest snapshot."""
        return self._snapshots.get(game_id)

    async def add_running(self, game_id: str) -> None:
        """Put a game into the index."""
        self._running.add(game_id)

    async def set_finished(self, game_id: str) -> None:
        """Move a game from one index to the other."""
        self._running.discard(game_id)
        self._finished.add(game_id)
        self._snapshots.pop(game_id, None)

    async def running(self, shard: int) -> set[str]:
        """The index of running games of one shard."""
        return {game_id for game_id in self._running if shard_of(game_id) == shard}

    async def finished(self, shard: int) -> set[str]:
        """The index of finished games of one shard."""
        return {game_id for game_id in self._finished if shard_of(game_id) == shard}

    async def trim(self, game_id: str, end: int, seconds: int = 0) -> bool:
        """Drop a log that ends there; one that is to stay for a while stays as long as the process."""
        log = self._logs.get(game_id)
        if log and log[-1][0] != end:
            return False
        if not seconds:
            self._logs.pop(game_id, None)
        self._finished.discard(game_id)
        return True

    async def save_table(self, shard: int, table_id: str, epoch: int, data: bytes) -> bool:
        """Keep a waiting table, unless a newer owner has claimed those of the shard."""
        if self._table_epochs.get(shard, 0) > epoch:
            return False
        self._tables.setdefault(shard, {})[table_id] = data
        return True

    def drop_table(self, shard: int, table_id: str) -> None:
        """Forget a table."""
        self._tables.get(shard, {}).pop(table_id, None)

    async def claim_tables(self, shard: int, epoch: int) -> list[bytes]:
        """The waiting tables of one shard, which no older owner can write from now on."""
        self._table_epochs[shard] = max(self._table_epochs.get(shard, 0), epoch)
        return list(self._tables.get(shard, {}).values())

    async def secret(self, name: str) -> bytes:
        """32 random bytes, the same ever after."""
        return self._secrets.setdefault(name, secrets.token_bytes(32))

    async def installation(self) -> tuple[int, int, bytes]:
        """The time, and version and bytes of the table of processes."""
        return self._clock(), *self._installation

    async def set_installation(self, version: int, data: bytes) -> bool:
        """Replace the table, unless somebody has done so since."""
        if version != self._installation[0]:
            return False
        self._installation = (version + 1, data)
        return True

    async def close(self) -> None:
        """Nothing is held open."""
