"""Tables that wait go to the next owner of their shard, all at once."""

from __future__ import annotations

import asyncio
from itertools import product

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.types_pb2 import GameOptions, Seat, TableOptions
from capicua.api.v1.update_pb2 import Refusal
from capicua.links.installation import Held
from capicua.matchmaking.tables import Tables
from capicua.runtime.ids import ALPHABET
from capicua.runtime.shard import shard_of
from capicua.store.memory_store import MemoryStore
from kit.actor import Actor
from kit.eventually import eventually

HOST, GUEST = Seat(player_id="p-0", name="Ana"), Seat(player_id="p-1", name="Ben")
CODES = ["".join(letters).upper() for letters in product(ALPHABET, repeat=4)]


async def test_nobody_misses_a_table_while_the_game_of_another_is_made() -> None:
    """Given two tables of one shard, the first about to begin, and a new owner whose actor takes its time."""
    actor = Actor(MemoryStore())
    await actor.take_over()
    shard = shard_of(CODES[0])
    codes = [code for code in CODES[:2000] if shard_of(code) == shard][:2]
    asked: list[str] = []

    async def never(request: object) -> Refusal | None:
        asked.append("")
        forever: asyncio.Future[Refusal | None] = asyncio.get_running_loop().create_future()
        return await forever

    actor.service.create_game = never  # type: ignore[method-assign]
    before, after = (Tables(actor.service, actor.store) for _ in range(2))
    await before.load(shard, Held(1, 0))
    tables = [await before.create_with_code(HOST, GameOptions(variant="block"), TableOptions(), code) for code in codes]
    assert not any(table is None or isinstance(table, Refusal) for table in tables)
    await before.join_table(GUEST, codes[0])
    starting = asyncio.ensure_future(before.start_table("p-0", tables[0].table_id))  # type: ignore[union-attr]
    await eventually(lambda: len(asked) == 1)
    loading = asyncio.ensure_future(after.load(shard, Held(2, 0)))
    await eventually(lambda: len(asked) == 2)

    assert not isinstance(await after.join_table(GUEST, codes[1]), Refusal)
    for task in (starting, loading):
        task.cancel()


async def test_a_table_is_made_only_where_the_next_owner_finds_it() -> None:
    """Given an owner that slept while its table was being saved, and wakes up after the next one has begun: whoever
    asked for the table is sent on, and is never told of one that nobody can join."""
    actor = Actor(MemoryStore())
    await actor.take_over()
    shard = shard_of(CODES[0])
    before, after = (Tables(actor.service, actor.store) for _ in range(2))
    await before.load(shard, Held(1, 0))
    await after.load(shard, Held(2, 0))

    made = await before.create_with_code(HOST, GameOptions(variant="block"), TableOptions(), CODES[0])
    assert isinstance(made, Refusal)
    assert made.reason == reasons.ERROR_REASON_UNAVAILABLE
    again = await after.create_with_code(HOST, GameOptions(variant="block"), TableOptions(), CODES[0])
    assert not isinstance(again, Refusal)
    assert not isinstance(await after.join_table(GUEST, CODES[0]), Refusal)
