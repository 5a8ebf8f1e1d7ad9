"""Hosts come and go: no table waits for one who is gone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.table_service_pb2 import Assignment, Table
from capicua.api.v1.types_pb2 import GameOptions, TableOptions
from capicua.api.v1.update_pb2 import Refusal
from capicua.matchmaking import hosts
from kit.eventually import eventually
from kit.room import PUBLIC, Room, person

FOUR = GameOptions(variant="block", seats=4)


@pytest.fixture
async def room(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Room]:
    """A host is missed soon."""
    monkeypatch.setattr(hosts, "HOST_SECONDS", 0.03)
    there = Room()
    await there.open()
    yield there
    await there.actor.service.archivist.close()


async def table_of(room: Room, people: int, wishes: TableOptions = PUBLIC) -> Table:
    """A table of four with so many people."""
    table = await room.tables.create_table(person(0), FOUR, wishes)
    assert isinstance(table, Table)
    for number in range(1, people):
        joined = await room.tables.join_table(person(number), table.code)
        assert not isinstance(joined, Refusal)
        table = joined[0]
    return table


async def watch(room: Room, table: Table, number: int) -> tuple[list[Table | Refusal], Callable[[], None]]:
    """What somebody at the table is shown, and how to look away."""
    shown: list[Table | Refusal] = []
    cancel = await room.tables.watch_table(f"p-{number}", table.table_id, shown.append)
    assert not isinstance(cancel, Refusal)
    return shown, cancel


def seats(table: Table | Refusal) -> tuple[int, list[str]]:
    """Who hosts, and who sits where."""
    assert isinstance(table, Table), table
    return table.host_seat, [seat.player_id for seat in table.seats]


async def test_the_next_person_hosts(room: Room) -> None:
    """Given the host leaves, and the next one: everybody keeps the seat, and only who hosts may start."""
    table = await table_of(room, 3)
    shown, _ = await watch(room, table, 2)
    await room.tables.leave_table("p-0", table.table_id)
    assert seats(shown[-1]) == (1, ["", "p-1", "p-2", ""])
    not_yet = await room.tables.start_table("p-2", table.table_id)
    assert isinstance(not_yet, Refusal)
    assert not_yet.reason == reasons.ERROR_REASON_NOT_HOST
    await room.tables.leave_table("p-1", table.table_id)
    assert seats(shown[-1]) == (2, ["", "", "p-2", ""])

    started = await room.tables.start_table("p-2", table.table_id)
    assert isinstance(started, Assignment)
    assert started.seat == 2
    assert [seat.bot for seat in (await room.view(started.game_id)).seats] == [True, True, False, True]


async def test_a_host_who_vanishes_has_left(room: Room) -> None:
    """Given the host looked away, or never looked: who watches hosts, and who comes back has a seat that is free."""
    table = await table_of(room, 3)
    _, cancel = await watch(room, table, 0)
    shown, _ = await watch(room, table, 2)
    cancel()
    # The second one does not watch either.
    await eventually(lambda: seats(shown[-1]) == (2, ["", "", "p-2", ""]))
    back = await room.tables.join_table(person(0), table.code)
    assert not isinstance(back, Refusal)
    assert (back[1], back[0].host_seat) == (0, 2)
    assert isinstance(await room.tables.start_table("p-2", table.table_id), Assignment)


async def test_a_host_who_watches_stays(room: Room) -> None:
    """From any device; and one who is alone, or among people who do not look either, keeps the table as well."""
    table = await table_of(room, 2)
    held = room.tables._tables[table.code]
    alarm = held.hostless
    # Nobody looks: the time is over, and runs again.
    await eventually(lambda: held.hostless is not alarm)
    assert held.host == "p-0"
    _, first = await watch(room, table, 0)
    await watch(room, table, 0)
    await watch(room, table, 1)
    first()
    assert held.hostless is None


async def test_a_rematch_does_not_wait_for_who_asked_for_it(room: Room) -> None:
    """Given the first who asked vanishes, and one has agreed and watches: that one may start with bots."""
    game_id = await room.played(3, 3)
    table = await room.again(0, game_id)
    await room.again(1, game_id)
    shown, _ = await watch(room, table, 1)
    await eventually(lambda: seats(shown[-1]) == (1, ["", "p-1", "p-2"]))

    assert isinstance(await room.tables.start_table("p-1", table.table_id), Assignment)
    assert await room.refused(2, game_id) == reasons.ERROR_REASON_TABLE_STARTED


@settings(max_examples=40)
@given(orders=st.lists(st.tuples(st.booleans(), st.integers(0, 5)), max_size=30))
def test_whatever_people_do_a_table_has_a_host(orders: list[tuple[bool, int]]) -> None:
    """Given any joins and leaves: nobody's seat changes, and the host is one of the people, or all is over."""

    async def act() -> None:
        room = Room()
        await room.open()
        table, sitting = await table_of(room, 1), {0: 0}
        for joins, number in orders:
            if joins:
                joined = await room.tables.join_table(person(number), table.code)
                if not isinstance(joined, Refusal):
                    assert sitting.get(number, joined[1]) == joined[1]
                    sitting[number] = joined[1]
                    table = joined[0]
                else:
                    full = len(sitting) == 4 and number not in sitting
                    assert joined.reason == (
                        reasons.ERROR_REASON_TABLE_FULL if full else reasons.ERROR_REASON_TABLE_NOT_FOUND
                    )
            elif await room.tables.leave_table(f"p-{number}", table.table_id) is None:
                del sitting[number]
            held = room.tables._tables.get(table.code)
            assert (held is None) == (not sitting)
            if held is not None:
                assert held.host in [f"p-{number}" for number in sitting]
                assert {f"p-{number}": seat for number, seat in sitting.items()} == {
                    seat.player_id: seat.seat for seat in held.now.seats if seat.player_id
                }

    asyncio.run(act())
