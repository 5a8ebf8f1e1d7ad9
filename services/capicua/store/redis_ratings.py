"""Ratings on a Redis-compatible server. All keys of a family share a hash tag, so one script can change them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable, Mapping

import msgspec

from capicua.store.open_link import Link
from capicua.store.ratings import MARKED_SECONDS, Boards, Ranked, Rating
from capicua.store.redis_connection import Argument

Pair = tuple[Argument, Argument]
BATCH = 1000
STAGED_SECONDS = 600
"""How long what a replacement has prepared stays, should nobody finish it."""

# KEYS: version, players, games that were rated, board, seasons.
# ARGV: version, game id, season, then player id, rating and grade of each.
_RATE = """
if redis.call('ZSCORE', KEYS[3], ARGV[2]) then return 1 end
if (redis.call('GET', KEYS[1]) or '0') ~= ARGV[1] then return 0 end
redis.call('INCR', KEYS[1])
redis.call('ZADD', KEYS[3], '+inf', ARGV[2])
redis.call('SADD', KEYS[5], ARGV[3])
for at = 4, #ARGV, 3 do
  redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 1])
  redis.call('ZADD', KEYS[4], ARGV[at + 2], ARGV[at])
end
return 1
"""
# KEYS: games that were rated, each with the second at which it is forgotten. ARGV: game id, seconds to go.
_FORGET = """
local now = tonumber(redis.call('TIME')[1])
redis.call('ZADD', KEYS[1], 'XX', now + tonumber(ARGV[2]), ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
"""
# KEYS: version, players. ARGV: player ids. Replies the version, and the rating of each.
_RATINGS = """
local found = #ARGV > 0 and redis.call('HMGET', KEYS[2], unpack(ARGV)) or {}
return {redis.call('GET', KEYS[1]) or '0', found}
"""
# KEYS: version, games that were rated. Replies the version and the games.
_RATED = """
return {redis.call('GET', KEYS[1]) or '0', redis.call('ZRANGE', KEYS[2], 0, -1)}
"""
# KEYS: version, seasons, games that were rated and those to add, then pairs of a key and what was prepared for it.
# ARGV: version, how the keys of boards begin, then the seasons there are now.
_REPLACE = """
if (redis.call('GET', KEYS[1]) or '0') ~= ARGV[1] then return 0 end
redis.call('INCR', KEYS[1])
for _, season in ipairs(redis.call('SMEMBERS', KEYS[2])) do redis.call('DEL', ARGV[2] .. season) end
redis.call('DEL', KEYS[2])
for at = 3, #ARGV do redis.call('SADD', KEYS[2], ARGV[at]) end
redis.call('ZUNIONSTORE', KEYS[3], 2, KEYS[3], KEYS[4], 'AGGREGATE', 'MAX')
redis.call('DEL', KEYS[4])
for at = 5, #KEYS, 2 do
  redis.call('DEL', KEYS[at])
  if redis.call('EXISTS', KEYS[at + 1]) == 1 then
    redis.call('RENAME', KEYS[at + 1], KEYS[at])
    redis.call('PERSIST', KEYS[at])
  end
end
return 1
"""
# KEYS: board, players. ARGV: first and last position. Replies how many are better than the first, then for each
# place the player id, grade and rating.
_BOARD = """
local page = redis.call('ZRANGE', KEYS[1], ARGV[1], ARGV[2], 'REV', 'WITHSCORES')
if #page == 0 then return {0, {}} end
local places = {}
for at = 1, #page, 2 do
  places[#places + 1] = {page[at], page[at + 1], redis.call('HGET', KEYS[2], page[at])}
end
return {redis.call('ZCOUNT', KEYS[1], '(' .. page[2], '+inf'), places}
"""


def _key(family: str, *what: str) -> str:
    return ":".join((f"capicua:{{ratings-{family}}}", *what))


class RedisRatings:
    """Implements `Ratings`."""

    _link: Link

    async def ratings(self, player_ids: Iterable[str], family: str) -> tuple[int, dict[str, Rating]]:
        """Version and ratings, of one instant."""
        ids = list(player_ids)
        keys = (_key(family, "version"), _key(family, "players"))
        version, found = await self._link.call("EVAL_RO", _RATINGS, 2, *keys, *ids)
        return int(version), {player: _read(data) for player, data in zip(ids, found, strict=True) if data is not None}

    async def rate(self, family: str, version: int, game_id: str, season: str, ratings: Mapping[str, Rating]) -> bool:
        """One script: the mark of the game and all that follows from it."""
        keys = [_key(family, name) for name in ("version", "players", "rated", f"board:{season}", "seasons")]
        given: list[Argument] = [
            part for player, rating in ratings.items() for part in (player, _write(rating), rating.grade)
        ]
        arguments = (version, game_id, season, *given)
        return bool(await self._link.call("EVAL", _RATE, len(keys), *keys, *arguments))

    async def rated(self, family: str) -> tuple[int, set[str]]:
        """Version and marked games, of one instant."""
        keys = (_key(family, "version"), _key(family, "rated"))
        version, games = await self._link.call("EVAL_RO", _RATED, 2, *keys)
        return int(version), {game_id.decode() for game_id in games}

    async def forget_rated(self, family: str, game_id: str) -> None:
        """Later; those whose time has come are forgotten now."""
        await self._link.call("EVAL", _FORGET, 1, _key(family, "rated"), game_id, MARKED_SECONDS)

    async def replace_ratings(self, family: str, version: int, boards: Boards) -> bool:
        """Everything is prepared under other names, and takes the place of what is there in one script."""
        staged = ("staged", secrets.token_hex(8))
        time = await self._link.call("EVAL_RO", "return redis.call('TIME')", 1, _key(family, "version"))
        forgotten = int(time[0]) + MARKED_SECONDS
        wanted: dict[str, tuple[str, list[Pair]]] = {
            "rated": ("ZADD", [(forgotten, game_id) for game_id in boards.game_ids]),
            "players": ("HSET", [(player, _write(rating)) for player, rating in boards.ratings.items()]),
        }
        for season, grades in boards.seasons.items():
            wanted[f"board:{season}"] = ("ZADD", [(grade, player) for player, grade in grades.items()])
        await asyncio.gather(*(self._fill(_key(family, *staged, name), *what) for name, what in wanted.items()))
        pairs = [key for name in wanted for key in (_key(family, name), _key(family, *staged, name))]
        keys = (_key(family, "version"), _key(family, "seasons"), *pairs)
        arguments: tuple[Argument, ...] = (version, _key(family, "board:"), *boards.seasons)
        return bool(await self._link.call("EVAL", _REPLACE, len(keys), *keys, *arguments))

    async def _fill(self, key: str, command: str, pairs: list[Pair]) -> None:
        for first in range(0, len(pairs), BATCH):
            batch = pairs[first : first + BATCH]
            await self._link.call(command, key, *(part for pair in batch for part in pair))
        await self._link.call("EXPIRE", key, STAGED_SECONDS)

    async def leaderboard(self, family: str, season: str, first: int, count: int) -> list[Ranked]:
        """Places with the names of now."""
        keys = (_key(family, f"board:{season}"), _key(family, "players"))
        better, places = await self._link.call("EVAL_RO", _BOARD, 2, *keys, first, first + count - 1)
        ranked: list[Ranked] = []
        for at, (player, grade, data) in enumerate(places):
            tied = bool(ranked) and ranked[-1].grade == int(grade)
            rank = ranked[-1].rank if tied else (first + at if ranked else better) + 1
            rating = _read(data)
            ranked.append(Ranked(rank, player.decode(), int(grade), rating.name, rating.games))
        return ranked

    async def position(self, family: str, season: str, player_id: str) -> int | None:
        """The server counts."""
        found: int | None = await self._link.call("ZREVRANK", _key(family, f"board:{season}"), player_id)
        return found


def _read(data: bytes) -> Rating:
    return msgspec.msgpack.decode(data, type=Rating)


def _write(rating: Rating) -> bytes:
    return msgspec.msgpack.encode(rating)
