"""Another game of those who have just played one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import permutations
from pathlib import Path

import pytest

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.game_service_pb2 import GameSummary
from capicua.api.v1.table_service_pb2 import Assignment, Table
from capicua.api.v1.types_pb2 import (
    GAME_STATE_FINISHED,
    GAME_STATE_RUNNING,
    ROUND_END_BLOCKED,
    ROUND_END_DOMINO_OUT,
    ROUND_END_TARGET,
    RoundEnd,
    Seat,
    TableOptions,
)
from capicua.api.v1.update_pb2 import Refusal
from capicua.internal.v1.game_actor_service_pb2 import CreateGameRequest
from capicua.links.installation import Held
from capicua.matchmaking import tables as waiting
from capicua.matchmaking.tables import Tables
from capicua.runtime.refusals import refusal
from capicua.runtime.shard import SHARDS, shard_of
from capicua.store.open_archive import open_archive
from capicua.store.store import StoreUnavailable
from kit.archives import archive_url
from kit.eventually import eventually, until
from kit.room import PUBLIC, Room, person

PRIVATE = TableOptions(spectators=False, delay_moves=2)


@pytest.fixture
async def room() -> AsyncIterator[Room]:
    """Nobody is in it."""
    there = Room()
    await there.open()
    yield there
    await there.actor.service.archivist.close()


def names(table: Table) -> list[str]:
    """Who sits where, "" where the seat is free."""
    return [seat.player_id for seat in table.seats]


@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.parametrize("turned", [False, True])
async def test_it_begins_when_all_have_agreed(room: Room, order: tuple[int, ...], turned: bool) -> None:
    """Given three people and a bot, in whatever order they ask: one fresh game, by the same options, once."""
    game_id = await room.played(3, 4, PRIVATE, turn_seconds=20, target=30)
    first, *rest = order
    table = await room.again(first, game_id, turned)
    assert (table.rematch_of, table.turned, table.game_id) == (game_id, turned, "")
    for number in rest:
        assert not table.game_id
        # Only the first decides who sits where.
        table = await room.again(number, game_id, not turned)
    old, view = await room.view(game_id), await room.actor.view("p-0", table.game_id)
    before = [seat.player_id for seat in old.seats]

    assert names(table) == [seat.player_id for seat in view.seats] == (before[-1:] + before[:-1] if turned else before)
    assert not table.awaited
    assert (view.state, view.round, list(view.scores)) == (GAME_STATE_RUNNING, 1, [0] * 4)
    assert view.options == old.options
    finished = await room.actor.service.finished_game(game_id)
    assert isinstance(finished, GameSummary)
    assert table.table_options == finished.table_options
    assert (table.table_options.spectators, table.table_options.delay_moves) == (False, 2)
    assert [(await room.again(number, game_id)).game_id for number in range(3)] == [table.game_id] * 3


async def test_who_ask_at_once_ask_for_the_same(room: Room) -> None:
    """Given everybody asks at the same moment, several times: one table, one game."""
    game_id = await room.played(4, 4)
    asked = await asyncio.gather(*(room.again(number % 4, game_id, number % 2 == 0) for number in range(20)))

    assert len({table.table_id for table in asked}) == 1
    assert len({table.game_id for table in asked} - {""}) == 1
    assert len([seat for seat in room.actor.service.seats() if seat.player_id == "p-0"]) == 1


async def test_whoever_played_with_bots_alone_plays_on(room: Room) -> None:
    """Bots always agree, and are the same ones; the rematch of a rematch is one more, and the old games stay."""
    games = [await room.played(1, 3)]
    for _ in range(3):
        games.append((await room.again(0, games[-1])).game_id)
        await room.play(games[-1])
    views = [await room.view(game_id) for game_id in games]

    assert len(set(games)) == len(games)
    assert all(view.state == GAME_STATE_FINISHED and view.seats == views[0].seats for view in views)


@pytest.mark.parametrize(
    ("variant", "seats", "ending"),
    [
        ("block", 2, ROUND_END_DOMINO_OUT),
        ("block", 4, ROUND_END_BLOCKED),
        ("fives_four_way", 2, ROUND_END_TARGET),
    ],
)
async def test_a_game_may_end_in_any_way(room: Room, variant: str, seats: int, ending: RoundEnd.ValueType) -> None:
    """Domino out, block or target (R-56 to R-62): play until a game ends so, and its rematch begins."""
    seen = None
    while seen != ending:
        game_id = await room.begin(2, seats, variant=variant)
        eyes = room.actor.watch("", game_id)
        await room.play(game_id)
        seen = [update.round_ended.reason for update in eyes.updates if update.HasField("round_ended")][-1]
    await room.again(0, game_id)

    assert (await room.view((await room.again(1, game_id)).game_id)).state == GAME_STATE_RUNNING


async def test_nobody_need_have_been_there(room: Room) -> None:
    """Given both players let every turn of a game expire: they may want another one."""
    game_id = await room.begin(2)
    while game_id in room.actor.timer.due:
        room.actor.expire(game_id)
        await asyncio.sleep(0)
    await room.again(1, game_id)

    assert (await room.again(0, game_id)).game_id


async def test_who_quit_has_left_for_good(room: Room) -> None:
    """Given one of three quits: the bot of that seat plays again, and the quitter is NOT_SEATED."""
    game_id = await room.begin(3, 3)
    await room.actor.quit("p-1", game_id)
    await room.play(game_id)
    assert await room.refused(1, game_id) == reasons.ERROR_REASON_NOT_SEATED
    await room.again(0, game_id)
    table = await room.again(2, game_id)
    bot = (await room.view(game_id)).seats[1].player_id

    assert [seat.player_id for seat in (await room.view(table.game_id)).seats] == ["p-0", bot, "p-2"]
    asked = await room.tables.rematch(Seat(player_id=bot, name="Bot"), game_id, False)
    assert isinstance(asked, Refusal)
    assert asked.reason == reasons.ERROR_REASON_NOT_FOR_BOTS


async def test_each_closed_door_has_its_reason(room: Room) -> None:
    """A game that runs, an unknown one, one of others, and a rematch that has begun without the player (I-10)."""
    game_id = await room.begin(2)
    assert await room.refused(0, game_id) == reasons.ERROR_REASON_GAME_RUNNING
    assert await room.refused(0, "g-0") == reasons.ERROR_REASON_GAME_NOT_FOUND
    await room.play(game_id)
    assert await room.refused(2, game_id) == reasons.ERROR_REASON_NOT_SEATED
    table = await room.again(0, game_id)
    assert isinstance(await room.tables.start_table("p-1", table.table_id), Refusal)
    started = await room.tables.start_table("p-0", table.table_id)
    assert isinstance(started, Assignment)

    assert [seat.bot for seat in (await room.view(started.game_id)).seats] == [False, True]
    assert await room.refused(1, game_id) == reasons.ERROR_REASON_TABLE_STARTED
    assert (await room.again(0, game_id)).game_id == started.game_id


@pytest.mark.parametrize("wishes", [PUBLIC, PRIVATE])
async def test_a_place_that_is_declined_is_free(room: Room, wishes: TableOptions) -> None:
    """Given one of three declines: all see it, the lobby of a public table too, and the game begins with a newcomer."""
    game_id = await room.played(3, 3, wishes)
    table = await room.again(0, game_id)
    shown: list[Table | Refusal] = []
    await room.tables.watch_table("p-0", table.table_id, shown.append)
    assert await room.tables.leave_table("p-1", table.table_id) is None
    assert isinstance(shown[-1], Table)
    assert (names(shown[-1]), list(shown[-1].awaited)) == (["p-0", "", "p-2"], [2])
    assert bool(room.tables.listing._entries) == wishes.public

    joined = await room.tables.join_table(person(7), table.code)
    assert not isinstance(joined, Refusal)
    assert (joined[1], joined[0].game_id) == (1, "")
    assert await room.refused(1, game_id) == reasons.ERROR_REASON_TABLE_FULL
    table = await room.again(2, game_id)
    view = await room.actor.view("p-7", table.game_id)
    assert names(table) == [seat.player_id for seat in view.seats] == ["p-0", "p-7", "p-2"]


async def test_who_declined_may_think_again(room: Room) -> None:
    """As long as the place is free, and whether or not anybody else is left at the table."""
    game_id = await room.played(2)
    first = await room.again(0, game_id)
    await room.tables.leave_table("p-1", first.table_id)
    assert (await room.again(1, game_id)).game_id

    game_id = await room.played(2)
    first = await room.again(0, game_id)
    # The last of those who agreed closes it, and nobody is awaited any more.
    await room.tables.leave_table("p-0", first.table_id)
    assert not room.tables.offers._entries
    second = await room.again(1, game_id)
    assert (second.table_id != first.table_id, second.host_seat) == (True, 1)
    assert (await room.again(0, game_id)).game_id


async def test_the_host_of_a_rematch_may_leave(room: Room) -> None:
    """The next who agreed hosts, on the same seat, not one who is awaited."""
    game_id = await room.played(4, 4)
    table = await room.again(0, game_id)
    await room.again(3, game_id)
    await room.tables.leave_table("p-0", table.table_id)
    after = room.tables._tables[table.code].message()

    assert (names(after), after.host_seat, list(after.awaited)) == (["", "p-1", "p-2", "p-3"], 3, [1, 2])
    assert isinstance(await room.tables.start_table("p-3", table.table_id), Assignment)


async def test_it_outlives_its_owners(room: Room) -> None:
    """Given the games' owner, and the tables' owner, change between the end, the first who asks, and the last."""
    game_id = await room.played(3, 3)
    await room.move_games()
    first = await room.again(2, game_id, True)
    before = await room.move_tables()
    await room.again(0, game_id)
    await room.move_games()
    await room.move_tables()
    table = await room.again(1, game_id)

    assert table.table_id == first.table_id
    assert names(table) == ["p-2", "p-0", "p-1"]
    assert [(await room.again(number, game_id)).game_id for number in range(3)] == [table.game_id] * 3
    # One that is not the owner any more can change nothing.
    late = await before.rematch(person(1), game_id, False)
    assert isinstance(late, Refusal)
    assert late.reason == reasons.ERROR_REASON_UNAVAILABLE


async def test_one_that_is_complete_begins_at_its_next_owner(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given the owner dies before it can ask for the game, or the actor does not answer: it begins, once."""
    game_id = await room.played(2)
    await room.again(0, game_id)
    create = room.actor.service.create_game
    away = refusal(reasons.ERROR_REASON_UNAVAILABLE, "away")

    async def does_not_answer(request: CreateGameRequest) -> Refusal | None:
        await create(request)
        return away

    monkeypatch.setattr(room.actor.service, "create_game", does_not_answer)
    assert await room.refused(1, game_id) == reasons.ERROR_REASON_UNAVAILABLE
    monkeypatch.setattr(room.actor.service, "create_game", create)
    await room.move_tables()
    tables = [await room.again(number, game_id) for number in range(2)]

    assert tables[0].game_id == tables[1].game_id != ""
    assert len([seat for seat in room.actor.service.seats() if seat.player_id == "p-0"]) == 1


async def test_who_asks_while_it_is_taken_over_is_in_the_same_game(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given the owner dies before the game has an id: the next one, and whoever asks it meanwhile, make one game."""
    game_id = await room.played(2)
    await room.again(0, game_id)
    save, away = room.store.save_table, True

    async def slow(shard: int, table_id: str, epoch: int, data: bytes) -> bool:
        await asyncio.sleep(0.02)
        if away and Table.FromString(data).game_id:
            raise StoreUnavailable("away")
        return await save(shard, table_id, epoch, data)

    monkeypatch.setattr(room.store, "save_table", slow)
    assert await room.refused(1, game_id) == reasons.ERROR_REASON_UNAVAILABLE
    away, room.tables = False, Tables(room.actor.service, room.store)
    loading = [asyncio.ensure_future(room.tables.load(shard, Held(9, 0))) for shard in range(SHARDS)]
    await eventually(lambda: game_id in room.tables._rematches)
    tables = await asyncio.gather(*(room.again(number % 2, game_id) for number in range(4)))
    await asyncio.gather(*loading)

    assert len({table.game_id for table in tables}) == 1
    assert len([seat for seat in room.actor.service.seats() if seat.player_id == "p-0"]) == 1


async def test_a_game_in_the_archive_has_a_rematch(tmp_path: Path) -> None:
    """Given its log has left the store."""
    archive = open_archive(archive_url("sqlite", tmp_path))
    room = Room(archive=archive)
    await room.open()
    game_id = await room.played(2)

    async def gone() -> bool:
        return not await room.store.read(game_id)

    await until(gone)
    await room.again(0, game_id)
    assert (await room.again(1, game_id)).game_id
    await room.actor.service.archivist.close()
    await archive.close()


async def test_one_that_nobody_answers_is_closed(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """As other tables; then the next who asks makes another one."""
    game_id = await room.played(2)
    monkeypatch.setattr(waiting, "TABLE_SECONDS", 0.05)
    table = await room.again(0, game_id)
    await eventually(lambda: not room.tables._tables.get(table.code))
    assert not room.tables.offers._entries
    assert await room.store.claim_tables(shard_of(table.code), 0) == []
    monkeypatch.undo()

    assert (await room.again(1, game_id)).table_id != table.table_id
    assert (await room.again(0, game_id)).game_id
