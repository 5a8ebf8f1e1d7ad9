"""Tables from outside: who may sit down where, and why not (I-10)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import cycle, product
from typing import Any

import grpc
import pytest

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1 import game_service_pb2 as games
from capicua.api.v1 import table_service_pb2 as tables
from capicua.api.v1.types_pb2 import GameOptions, TableOptions
from capicua.api.v1.update_pb2 import Refusal
from capicua.client import Added, Changed, Removed, connect
from capicua.links import remote_matchmaking
from capicua.links.installation import Held
from capicua.matchmaking import tables as waiting
from capicua.runtime.ids import ALPHABET, BOT_LEVEL, BOT_LEVELS, new_code_of
from capicua.runtime.shard import SHARDS, shard_of
from capicua.store.memory_store import MemoryStore
from kit.eventually import until
from kit.gateway import Caller, ServerHere, reason_of, server_here
from kit.matchmakers import Matchmakers
from kit.room import person

PUBLIC = TableOptions(public=True)


@pytest.fixture
async def server() -> AsyncIterator[ServerHere]:
    """A server over gRPC."""
    async with server_here(MemoryStore()) as here:
        yield here


async def create(host: Caller, table_options: TableOptions | None = PUBLIC, **options: Any) -> tables.Table:
    """A table of two."""
    wanted = GameOptions(**{"variant": "block", "seats": 2, **options})
    response = await host.call("CreateTable", tables.CreateTableRequest(options=wanted, table_options=table_options))
    table: tables.Table = response.table
    return table


async def join(player: Caller, **table: Any) -> int | reasons.ErrorReason.ValueType:
    """The seat, or the reason why there is none, negative."""
    try:
        return int((await player.call("JoinTable", tables.JoinTableRequest(**table))).seat)
    except grpc.aio.AioRpcError as failure:
        return -reason_of(failure)[1]


async def listed(player: Caller, **wanted: Any) -> list[str]:
    """Ids of the public tables."""
    response = await player.call("ListTables", tables.ListTablesRequest(**wanted))
    return [table.table_id for table in response.tables]


async def test_whatever_leads_to_a_table_leads_to_the_same_seat(server: ServerHere) -> None:
    """Given an id, a code in any case or a link, and a second device: the player has one seat."""
    ana, ben = server.caller("p-ana"), server.caller("p-ben")
    table = await create(ana)
    ways = [
        {"table_id": table.table_id},
        {"code": table.code.lower()},
        {"code": f"capicua://join/{table.code}"},
        {"code": f" CAPICUA://JOIN/{table.code.lower()}/ "},
    ]
    assert [await join(ben, **way) for way in ways] == [1, 1, 1, 1]
    assert [await join(server.caller("p-ben"), **way) for way in ways] == [1, 1, 1, 1]


async def test_each_closed_door_has_its_reason(server: ServerHere) -> None:
    """A full, started, closed or unknown table, and what is no code: each is told apart."""
    ana, ben, late = (server.caller(f"p-{name}") for name in ("ana", "ben", "late"))
    table, closed = await create(ana), await create(ben)
    other = f"t-xxxxxxxx-{table.code.lower()}"
    assert await join(late, table_id=other) == -reasons.ERROR_REASON_TABLE_NOT_FOUND
    assert await join(ben, table_id=table.table_id) == 1
    assert await join(late, table_id=table.table_id) == -reasons.ERROR_REASON_TABLE_FULL
    await ana.call("StartTable", tables.StartTableRequest(table_id=table.table_id))
    assert await join(late, code=table.code) == -reasons.ERROR_REASON_TABLE_STARTED
    assert await join(ben, code=table.code) == 1

    await ben.call("LeaveTable", tables.LeaveTableRequest(table_id=closed.table_id))
    assert await join(late, table_id=closed.table_id) == -reasons.ERROR_REASON_TABLE_NOT_FOUND
    assert await join(late, code="0000") == -reasons.ERROR_REASON_INVALID_ARGUMENT
    assert await join(late, table_id="t") == -reasons.ERROR_REASON_INVALID_ARGUMENT


async def test_what_is_listed_can_be_joined(server: ServerHere) -> None:
    """Public tables are listed while a seat is free, by filter and by page; private ones never are."""
    host, guest = server.caller("p-host"), server.caller("p-guest")
    await create(host, None)
    mine = sorted([(await create(host)).table_id for _ in range(3)])
    three = (await create(host, variant="draw", seats=3)).table_id

    first = await guest.call("ListTables", tables.ListTablesRequest(page_size=2, seats=2))
    assert [table.table_id for table in first.tables] == mine[:2]
    assert await listed(guest, page_size=2, seats=2, page_token=first.next_page_token) == mine[2:]
    assert await listed(guest, variant="draw") == [three]
    assert await listed(guest, variant="draw", seats=2) == []
    assert await join(guest, table_id=mine[0]) == 1
    assert await listed(guest, seats=2) == mine[1:]
    await guest.call("LeaveTable", tables.LeaveTableRequest(table_id=mine[0]))
    assert await listed(guest, seats=2) == mine
    await host.call("StartTable", tables.StartTableRequest(table_id=mine[0]))
    assert await listed(guest, seats=2) == mine[1:]


@pytest.mark.parametrize("wrong", [TableOptions(delay_moves=11), TableOptions(delay_seconds=61)])
async def test_a_delay_has_bounds(server: ServerHere, wrong: TableOptions) -> None:
    """At most ten plays and a minute: more is INVALID_OPTIONS."""
    with pytest.raises(grpc.aio.AioRpcError) as failure:
        await create(server.caller("p-ana"), wrong)
    assert reason_of(failure.value)[1] == reasons.ERROR_REASON_INVALID_OPTIONS


@pytest.mark.parametrize("asked", ["", *BOT_LEVELS])
async def test_bots_play_as_the_table_says(server: ServerHere, asked: str) -> None:
    """The level is shown at the table, and to whoever looks at its game."""
    ana, other = server.caller("p-ana"), server.caller("p-other")
    table = await create(ana, TableOptions(public=True, bots=asked))
    start = await ana.call("StartTable", tables.StartTableRequest(table_id=table.table_id))
    game_id = start.assignment.game_id
    seen = await other.call("GetView", games.GetViewRequest(game_id=game_id))

    assert [table.table_options.bots, seen.view.bots] == [asked or BOT_LEVEL] * 2


async def test_a_level_that_no_bot_has_is_refused(server: ServerHere) -> None:
    """INVALID_OPTIONS names those there are."""
    with pytest.raises(grpc.aio.AioRpcError) as failure:
        await create(server.caller("p-ana"), TableOptions(bots="genius"))
    assert reason_of(failure.value)[1] == reasons.ERROR_REASON_INVALID_OPTIONS
    assert all(level in str(failure.value.details()) for level in BOT_LEVELS)


async def test_a_table_s_wishes_reach_its_game(server: ServerHere) -> None:
    """Given a table nobody may watch: its game refuses WatchGame and GetView of others, and serves its players."""
    ana, other = server.caller("p-ana"), server.caller("p-other")
    table = await create(ana, TableOptions(public=True, spectators=False))
    start = await ana.call("StartTable", tables.StartTableRequest(table_id=table.table_id))
    game_id = start.assignment.game_id
    with pytest.raises(grpc.aio.AioRpcError) as view:
        await other.call("GetView", games.GetViewRequest(game_id=game_id))
    with pytest.raises(grpc.aio.AioRpcError) as watch:
        # A player who asks as a spectator is one.
        await ana.call("WatchGame", games.WatchGameRequest(game_id=game_id)).read()

    expected = (grpc.StatusCode.PERMISSION_DENIED, reasons.ERROR_REASON_SPECTATORS_NOT_ALLOWED)
    assert reason_of(view.value) == reason_of(watch.value) == expected
    assert (await ana.call("GetView", games.GetViewRequest(game_id=game_id))).view.own_seat == 0


async def test_the_lobby_is_watched_from_table_to_game(server: ServerHere) -> None:
    """Given somebody watches by the SDK: a table comes, fills, and its game takes its place, with who watches."""
    host, guest = server.caller("p-host"), server.caller("p-guest")
    async with connect(server.address, name="Looker") as client:
        news = client.lobby(variant="block", seats=2)
        table = await create(host)
        await create(host, variant="draw")
        added = await anext(news)
        assert isinstance(added, Added)
        assert added.entry.table_id == table.table_id  # type: ignore[union-attr]

        await guest.call("JoinTable", tables.JoinTableRequest(table_id=table.table_id))
        assert isinstance(await anext(news), Removed)
        start = await host.call("StartTable", tables.StartTableRequest(table_id=table.table_id))
        game = await anext(news)
        assert isinstance(game, Added)
        assert game.entry.game_id == start.assignment.game_id

        await client.spectate(start.assignment.game_id)
        watched = await anext(news)
        assert isinstance(watched, Changed)
        assert watched.entry.spectators == 1  # type: ignore[union-attr]
        assert [page.table_id for page in (await client.list_tables("block")).tables] == []


async def test_a_table_that_nobody_comes_to_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who watches it is told; nothing of it is kept, here or in the store."""
    monkeypatch.setattr(waiting, "TABLE_SECONDS", 0.05)
    store = MemoryStore()
    async with server_here(store) as server:
        ana = server.caller("p-ana")
        table = await create(ana)
        watching = ana.call("WatchTable", tables.WatchTableRequest(table_id=table.table_id))
        assert (await watching.read()).table == table
        with pytest.raises(grpc.aio.AioRpcError) as failure:
            await watching.read()

        assert reason_of(failure.value)[1] == reasons.ERROR_REASON_TABLE_NOT_FOUND
        assert await listed(ana) == []
        assert await store.claim_tables(shard_of(table.code), 0) == []
        assert await join(ana, code=table.code) == -reasons.ERROR_REASON_TABLE_NOT_FOUND


async def test_a_started_table_is_soon_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once nobody can have missed an answer any more it is gone, here and from the store, and its game goes on."""
    monkeypatch.setattr(waiting, "STARTED_SECONDS", 0.05)
    store = MemoryStore()
    async with server_here(store) as server:
        ana = server.caller("p-ana")
        table = await create(ana)
        start = tables.StartTableRequest(table_id=table.table_id)
        game_id = (await ana.call("StartTable", start)).assignment.game_id
        assert (await ana.call("StartTable", start)).assignment.game_id == game_id

        async def gone() -> bool:
            return await store.claim_tables(shard_of(table.code), 0) == []

        await until(gone)
        assert await join(ana, code=table.code) == -reasons.ERROR_REASON_TABLE_NOT_FOUND
        assert (await ana.call("GetView", games.GetViewRequest(game_id=game_id))).view.game_id == game_id


async def test_table_game_and_view_know_a_player_by_one_name(server: ServerHere) -> None:
    """Given two of one name at a table, the later has a number, in the lobby's table and in the game alike."""
    first, second = server.caller("p-ana", "Ana"), server.caller("p-ann", "ana")
    table = await create(first)
    joined = await second.call("JoinTable", tables.JoinTableRequest(code=table.code))
    started = await first.call("StartTable", tables.StartTableRequest(table_id=table.table_id))
    view = (await second.call("GetView", games.GetViewRequest(game_id=started.assignment.game_id))).view

    assert [seat.name for seat in joined.table.seats] == [seat.name for seat in view.seats] == ["Ana", "ana 2"]


@pytest.mark.parametrize("linked", [False, True], ids=["in this process", "over links"])
async def test_no_code_is_given_twice(monkeypatch: pytest.MonkeyPatch, linked: bool) -> None:
    """Given nearly every code is in use: who finds none is refused at once, and nobody's table is taken away."""
    codes = ["AAAA", "AAAB", "AAAC"]
    module = remote_matchmaking if linked else waiting
    monkeypatch.setattr(module, "new_code", cycle(codes).__next__)
    matchmakers = Matchmakers(bot_fill=60)
    await matchmakers.start(1)
    service = await matchmakers.take_tickets("first")
    for code in codes:
        service.taken(shard_of(code), Held(1, 0))
    await service.ready()
    keeper = matchmakers.gateways[0] if linked else service
    made = [await keeper.create_table(person(n), GameOptions(variant="block"), PUBLIC) for n in range(5)]
    held = [table for table in made if isinstance(table, tables.Table)]
    refused = [each.reason for each in made if isinstance(each, Refusal)]

    assert sorted(table.code for table in held) == codes
    assert refused == [reasons.ERROR_REASON_UNAVAILABLE] * 2
    await keeper.leave_table("p-1", held[1].table_id)
    assert isinstance(await keeper.create_table(person(7), GameOptions(variant="block"), PUBLIC), tables.Table)
    await matchmakers.stop()


@pytest.mark.parametrize("shard", [0, 77, SHARDS - 1])
def test_a_code_of_a_shard_leads_to_it_and_is_free(shard: int) -> None:
    """Also where half of them are taken; where all are, there is none."""
    mine = [code for letters in product(ALPHABET.upper(), repeat=4) if shard_of(code := "".join(letters)) == shard]
    free = mine[::2]
    taken = set(mine) - set(free)

    assert {new_code_of(shard, taken) for _ in range(20)} < set(free)
    assert new_code_of(shard, set(mine)) is None


async def test_who_hangs_up_leaves_nothing_half_done() -> None:
    """Given a host who hangs up while the game is being stored: it begins, and the others at the table hear of it."""
    store = MemoryStore()
    append, stored, asked = store.append, asyncio.Event(), asyncio.Event()

    async def late(game_id: str, first_seq: int, entry: bytes) -> None:
        asked.set()
        await stored.wait()
        await append(game_id, first_seq, entry)

    store.append = lambda *entry: asyncio.ensure_future(late(*entry))  # type: ignore[method-assign]
    async with server_here(store) as server:
        host, guest = server.caller("p-0"), server.caller("p-1")
        table = await create(host, variant="block", seats=2)
        await join(guest, code=table.code)
        watch = guest.call("WatchTable", tables.WatchTableRequest(table_id=table.table_id))
        await watch.read()
        starting = host.call("StartTable", tables.StartTableRequest(table_id=table.table_id))
        await asked.wait()
        starting.cancel()
        # What the host did is known to the server once it has answered something that was asked later.
        await host.call("ListGames", games.ListGamesRequest())
        stored.set()

        game_id = (await watch.read()).table.game_id
        assert [seat.game_id for seat in await server.actor.service.seats_of("p-1")] == [game_id]
