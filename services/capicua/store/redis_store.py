"""The store on a Redis-compatible server, 7 or newer.

A game's log is one stream whose entry ids are the seqs: the server itself refuses a second writer of a seq.
All keys of a game share the hash tag of its shard, so that they lie on one node of a cluster.
"""

from __future__ import annotations

import asyncio
import secrets
from functools import lru_cache

from capicua.runtime.shard import shard_of
from capicua.store.open_link import Link, open_another, open_link
from capicua.store.redis_ratings import RedisRatings
from capicua.store.store import TABLE_SECONDS

PAGE = 1000
_INSTALLATION = "capicua:{meta}:installation"

# KEYS: epoch of the shard's tables, table, index. ARGV: epoch, data, seconds, table id. Replies 1 unless a newer owner
# has claimed the tables.
_SAVE_TABLE = """
if tonumber(redis.call('GET', KEYS[1]) or '0') > tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[2], 'data', ARGV[2])
redis.call('EXPIRE', KEYS[2], ARGV[3])
redis.call('SADD', KEYS[3], ARGV[4])
return 1
"""
# KEYS: epoch of the shard's tables. ARGV: epoch.
_CLAIM_TABLES = """
if tonumber(redis.call('GET', KEYS[1]) or '0') < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[1]) end
return 1
"""
# KEYS: log, index of finished games. ARGV: id of the last entry, seconds, game id. Replies 1 unless the log ends
# elsewhere.
_TRIM = """
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if last and last[1] ~= ARGV[1] then return 0 end
redis.call('EXPIRE', KEYS[1], ARGV[2])
redis.call('SREM', KEYS[2], ARGV[3])
return 1
"""
# The time must be that of the server that keeps the table, also in a cluster.
_READ = """
local t = redis.call('TIME')
local held = redis.call('HMGET', KEYS[1], 'version', 'data')
return {t[1], t[2], held[1] or '0', held[2] or ''}
"""
# ARGV: version, data. Replies 1 if nobody else has written meanwhile.
_WRITE = """
if (redis.call('HGET', KEYS[1], 'version') or '0') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[1] + 1, 'data', ARGV[2])
return 1
"""


@lru_cache(10_000)
def _log(game_id: str) -> str:
    return f"capicua:{{s{shard_of(game_id):03}}}:log:{game_id}"


def _snapshot(game_id: str) -> str:
    return f"capicua:{{s{shard_of(game_id):03}}}:snapshot:{game_id}"


def _table(shard: int, table_id: str) -> str:
    return f"capicua:{{s{shard:03}}}:table:{table_id}"


def _tables(shard: int) -> str:
    return f"capicua:{{s{shard:03}}}:tables"


def _tables_epoch(shard: int) -> str:
    return f"capicua:{{s{shard:03}}}:tables_epoch"


def _running(number: int) -> str:
    return f"capicua:{{s{number:03}}}:running"


def _finished(number: int) -> str:
    return f"capicua:{{s{number:03}}}:finished"


async def open_store(url: str, replicas: int = 0) -> RedisStore:
    """Connect. With `replicas` > 0 a write is acknowledged once so many replicas have it.

    Raises as `open_link` does: StoreUnavailable if nobody answers, RuntimeError if it is no server that will
    do, ValueError if it is no URL of a store.
    """
    link = await open_link(url, replicas)
    if not replicas:
        return RedisStore(link)
    try:
        return RedisStore(link, await open_another(url, replicas))
    except BaseException:
        await link.close()
        raise


class RedisStore(RedisRatings):
    """Implements `Store`.

    Signs of life go over `signs`. Where moves wait for replicas it is a link of its own: while a replica is missing
    a sign of life would come after all that waits, and later than a lease allows.
    """

    def __init__(self, link: Link, signs: Link | None = None) -> None:
        self._link = link
        self._signs = signs or link

    def append(self, game_id: str, first_seq: int, entry: bytes) -> asyncio.Future[None]:
        """Write an entry: one XADD, nothing else."""
        return self._link.call("XADD", _log(game_id), f"{first_seq}-0", "e", entry)

    async def read(self, game_id: str, first_seq: int = 1) -> list[tuple[int, bytes]]:
        """All entries from `first_seq` on."""
        entries: list[tuple[int, bytes]] = []
        start = first_seq
        while True:
            page = await self._link.call("XRANGE", _log(game_id), f"{start}-0", "+", "COUNT", PAGE)
            entries += [(int(entry_id.partition(b"-")[0]), fields[1]) for entry_id, fields in page]
            if len(page) < PAGE:
                break
            start = entries[-1][0] + 1
        if len(entries) >= PAGE and await self.entry(game_id, entries[0][0]) is None:
            # It was dropped between two pages.
            return []
        return entries

    async def entry(self, game_id: str, first_seq: int) -> bytes | None:
        """The entry placed exactly there."""
        found = await self._link.call("XRANGE", _log(game_id), f"{first_seq}-0", f"{first_seq}-0")
        return found[0][1][1] if found else None

    async def confirm(self, game_id: str) -> None:
        """Make what was read durable: WAIT speaks of what its own connection has written, so something is."""
        if self._link.replicas:
            await self._link.call("SET", f"capicua:{{s{shard_of(game_id):03}}}:confirmed", 1)

    def generation(self, game_id: str) -> int:
        """Grows whenever acknowledged writes may have been lost."""
        return self._link.generation(_log(game_id))

    def save_snapshot(self, game_id: str, data: bytes) -> None:
        """Keep a snapshot."""
        self._link.call("SET", _snapshot(game_id), data).add_done_callback(lambda reply: reply.exception())

    async def snapshot(self, game_id: str) -> bytes | None:
        """The newest snapshot."""
        found: bytes | None = await self._link.call("GET", _snapshot(game_id))
        return found

    async def add_running(self, game_id: str) -> None:
        """Put a game into the index."""
        await self._link.call("SADD", _running(shard_of(game_id)), game_id)

    async def set_finished(self, game_id: str) -> None:
        """Move a game from one index to the other."""
        shard = shard_of(game_id)
        await asyncio.gather(
            self._link.call("SADD", _finished(shard), game_id),
            self._link.call("SREM", _running(shard), game_id),
            self._link.call("DEL", _snapshot(game_id)),
        )

    async def running(self, shard: int) -> set[str]:
        """The index of running games of one shard."""
        return {game_id.decode() for game_id in await self._link.call("SMEMBERS", _running(shard))}

    async def finished(self, shard: int) -> set[str]:
        """The index of finished games of one shard."""
        return {game_id.decode() for game_id in await self._link.call("SMEMBERS", _finished(shard))}

    async def trim(self, game_id: str, end: int, seconds: int = 0) -> bool:
        """Drop a log that ends there."""
        keys = (_log(game_id), _finished(shard_of(game_id)))
        return bool(await self._link.call("EVAL", _TRIM, 2, *keys, f"{end}-0", seconds, game_id))

    async def save_table(self, shard: int, table_id: str, epoch: int, data: bytes) -> bool:
        """Keep a waiting table, unless a newer owner has claimed those of the shard."""
        keys = (_tables_epoch(shard), _table(shard, table_id), _tables(shard))
        return bool(await self._link.call("EVAL", _SAVE_TABLE, 3, *keys, epoch, data, TABLE_SECONDS, table_id))

    def drop_table(self, shard: int, table_id: str) -> None:
        """Forget a table."""
        for forgotten in (
            self._link.call("DEL", _table(shard, table_id)),
            self._link.call("SREM", _tables(shard), table_id),
        ):
            forgotten.add_done_callback(lambda reply: reply.exception())

    async def claim_tables(self, shard: int, epoch: int) -> list[bytes]:
        """The waiting tables of one shard, which no older owner can write from now on; those that have run out leave
        the index."""
        await self._link.call("EVAL", _CLAIM_TABLES, 1, _tables_epoch(shard), epoch)
        found: list[bytes] = []
        for table_id in await self._link.call("SMEMBERS", _tables(shard)):
            (data,) = await self._link.call("HMGET", _table(shard, table_id.decode()), "data")
            if data is None:
                await self._link.call("SREM", _tables(shard), table_id)
            else:
                found.append(data)
        return found

    async def secret(self, name: str) -> bytes:
        """32 random bytes, the same ever after."""
        key = f"capicua:{{meta}}:secret:{name}"
        await self._link.call("SET", key, secrets.token_bytes(32), "NX")
        secret: bytes = await self._link.call("GET", key)
        return secret

    async def installation(self) -> tuple[int, int, bytes]:
        """The server's time, and version and bytes of the table of processes."""
        seconds, us, version, data = await self._signs.call("EVAL_RO", _READ, 1, _INSTALLATION)
        return int(seconds) * 1000 + int(us) // 1000, int(version), data

    async def set_installation(self, version: int, data: bytes) -> bool:
        """Replace the table, unless somebody has done so since."""
        return bool(await self._signs.call("EVAL", _WRITE, 1, _INSTALLATION, version, data))

    async def close(self) -> None:
        """End the connections."""
        for link in {self._link, self._signs}:
            await link.close()
