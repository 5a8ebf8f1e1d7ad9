"""The store on a Redis-compatible server, 7 or newer.

A game's log is one stream whose entry ids are the seqs: the server itself refuses a second writer of a seq.
All keys of a game share the hash tag of its shard, so that they lie on one node of a cluster.
"""

from __future__ import annotations

import asyncio
import secrets
from zlib import crc32

from capicua.runtime.redis_link import RedisLink, ReplyError
from capicua.runtime.store import FINISHED_SECONDS, Holder, StoreUnavailable

SHARDS = 256
PAGE = 1000
OLDEST_SERVER = 7
_LEASE = "capicua:{meta}:lease"

# One lease, one writer: look, compare and write must be one step of the server.
# KEYS[1] lease hash. ARGV: owner, now, ttl. Replies: new holder, old holder.
_HOLD = """
local held = redis.call('HMGET', KEYS[1], 'owner', 'epoch', 'alive', 'until')
if held[1] and held[1] ~= ARGV[1] and tonumber(ARGV[2]) < tonumber(held[4]) then
  return {held[1], held[2], held[3], held[1], held[2], held[3]}
end
local epoch = (tonumber(held[2]) or 0) + 1
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'epoch', epoch, 'alive', ARGV[2], 'until', ARGV[2] + ARGV[3])
return {ARGV[1], tostring(epoch), ARGV[2], held[1] or '', held[2] or '0', held[3] or '0'}
"""
# ARGV: owner, epoch, now, ttl. Replies 1 if the lease was held.
_RENEW = """
local held = redis.call('HMGET', KEYS[1], 'owner', 'epoch')
if held[1] ~= ARGV[1] or held[2] ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'alive', ARGV[3], 'until', ARGV[3] + ARGV[4])
return 1
"""


def shard(game_id: str) -> int:
    """The shard of a game, 0 to 255, for ever the same."""
    return crc32(game_id.encode()) % SHARDS


def _log(game_id: str) -> str:
    return f"capicua:{{s{shard(game_id):03}}}:log:{game_id}"


def _snapshot(game_id: str) -> str:
    return f"capicua:{{s{shard(game_id):03}}}:snapshot:{game_id}"


def _running(number: int) -> str:
    return f"capicua:{{s{number:03}}}:running"


async def open_store(url: str) -> RedisStore:
    """Connect. Raises StoreUnavailable if nobody answers, RuntimeError if it is no server that will do."""
    link = RedisLink(url)
    try:
        await link.connect()
        about = (await link.call("INFO", "server")).decode()
    except StoreUnavailable as failure:
        await link.close()
        if isinstance(failure, ReplyError):
            raise RuntimeError(f"the store refuses: {failure}") from failure
        raise
    version = next((line[14:] for line in about.splitlines() if line.startswith("redis_version:")), "0")
    if int(version.partition(".")[0]) < OLDEST_SERVER:
        await link.close()
        raise RuntimeError(f"the store is version {version}; Capicua needs {OLDEST_SERVER} or newer")
    return RedisStore(link)


class RedisStore:
    """Implements `Store`."""

    def __init__(self, link: RedisLink) -> None:
        self._link = link

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
                return entries
            start = entries[-1][0] + 1

    async def entry(self, game_id: str, first_seq: int) -> bytes | None:
        """The entry placed exactly there."""
        found = await self._link.call("XRANGE", _log(game_id), f"{first_seq}-0", f"{first_seq}-0")
        return found[0][1][1] if found else None

    def save_snapshot(self, game_id: str, data: bytes) -> None:
        """Keep a snapshot."""
        self._link.call("SET", _snapshot(game_id), data).add_done_callback(lambda reply: reply.exception())

    async def snapshot(self, game_id: str) -> bytes | None:
        """The newest snapshot."""
        found: bytes | None = await self._link.call("GET", _snapshot(game_id))
        return found

    async def add_running(self, game_id: str) -> None:
        """Put a game into the index."""
        await self._link.call("SADD", _running(shard(game_id)), game_id)

    async def set_finished(self, game_id: str) -> None:
        """Take a game out of the index."""
        await asyncio.gather(
            self._link.call("SREM", _running(shard(game_id)), game_id),
            self._link.call("EXPIRE", _log(game_id), FINISHED_SECONDS),
            self._link.call("DEL", _snapshot(game_id)),
        )

    async def running(self) -> set[str]:
        """The index of running games."""
        pages = await asyncio.gather(*(self._link.call("SMEMBERS", _running(number)) for number in range(SHARDS)))
        return {game_id.decode() for page in pages for game_id in page}

    async def secret(self, name: str) -> bytes:
        """32 random bytes, the same ever after."""
        key = f"capicua:{{meta}}:secret:{name}"
        await self._link.call("SET", key, secrets.token_bytes(32), "NX")
        secret: bytes = await self._link.call("GET", key)
        return secret

    async def hold(self, owner: str, now_ms: int, ttl_ms: int) -> tuple[Holder, Holder | None]:
        """Take the lease, unless another lives."""
        reply = await self._link.call("EVAL", _HOLD, 1, _LEASE, owner, now_ms, ttl_ms)
        holder, before = (Holder(who.decode(), int(epoch), int(alive)) for who, epoch, alive in (reply[:3], reply[3:]))
        return holder, before if before.epoch else None

    async def renew(self, owner: str, epoch: int, now_ms: int, ttl_ms: int) -> bool:
        """Say that `owner` lives."""
        return bool(await self._link.call("EVAL", _RENEW, 1, _LEASE, owner, epoch, now_ms, ttl_ms))

    async def release(self, owner: str, epoch: int, now_ms: int) -> None:
        """Give the lease up: from now on nobody lives."""
        # Until 0, not until now: the next owner's clock may be behind.
        await self.renew(owner, epoch, now_ms, -now_ms)

    async def close(self) -> None:
        """End the connection."""
        await self._link.close()
