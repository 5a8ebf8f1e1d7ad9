"""Who may want a rematch hears of it on the session, wherever it waits."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from capicua.api.v1.update_pb2 import RematchOffered
from capicua.client import Client
from capicua.store.memory_store import MemoryStore
from kit.eventually import eventually
from kit.gateway import ServerHere, server_here
from kit.tables import client_of

GAME = "g-block-3"


@pytest.fixture
async def server() -> AsyncIterator[ServerHere]:
    """A server over gRPC, and a finished game of three."""
    async with server_here(MemoryStore()) as here:
        game_id = await here.actor.start("block", 3)
        await here.actor.play(game_id, 10_000)
        assert game_id == GAME
        yield here


@pytest.fixture
async def clients(server: ServerHere) -> AsyncIterator[list[Client]]:
    """The three who have played it."""
    async with client_of(server, 0) as ana, client_of(server, 1) as ben, client_of(server, 2) as eva:
        yield [ana, ben, eva]


def agreed(offer: RematchOffered) -> list[str]:
    return [seat.player_id for seat in offer.agreed]


async def test_an_offer_is_told_until_it_is_answered(server: ServerHere, clients: list[Client]) -> None:
    """Given two of three agree one after the other, and the last one declines: each hears what is theirs to answer."""
    ana, ben, eva = clients
    for_ben, for_eva = ben.offers(), eva.offers()
    table = (await ana.rematch(GAME)).table
    first = await anext(for_ben)
    assert (first.game_id, first.table_id, agreed(first)) == (GAME, table.table_id, ["p-0"])
    assert await anext(for_eva) == first
    await ben.rematch(GAME)
    assert await anext(for_ben) == RematchOffered(game_id=GAME)
    second = await anext(for_eva)
    assert agreed(second) == ["p-0", "p-1"]
    assert (ben.standing_offers, eva.standing_offers) == ([], [second])

    async with client_of(server, 2) as elsewhere:
        # A newer session is told what stands; it answers from there.
        assert await anext(elsewhere.offers()) == second
        await elsewhere.leave_table(table.table_id)
        await eventually(lambda: not elsewhere.standing_offers)
        assert [seat.name for seat in (await anext(ana.watch_table(table.table_id))).seats][2] == ""


async def test_an_offer_that_is_taken_back_is_told(clients: list[Client]) -> None:
    """The only one who agreed leaves: the others are told that there is nothing to answer."""
    ana, ben, _ = clients
    offers = ben.offers()
    table = (await ana.rematch(GAME)).table
    assert (await anext(offers)).table_id == table.table_id
    await ana.leave_table(table.table_id)
    assert await anext(offers) == RematchOffered(game_id=GAME)


async def test_the_game_is_told_as_a_seat_to_all(clients: list[Client]) -> None:
    """Given everybody agrees, one with another order of seats in mind: all are told the seat in the one game."""
    seats = [client.seats() for client in clients]
    asked = [
        await client.rematch(GAME, turned=turned) for client, turned in zip(clients, (True, False, True), strict=True)
    ]
    told = [await anext(each) for each in seats]

    assert [seat.game_id for seat in told] == [asked[-1].table.game_id] * 3
    assert [seat.seat for seat in told] == [each.seat for each in asked] == [1, 2, 0]
