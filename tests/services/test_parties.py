"""Parties of two: partners or nothing, and nobody else's word."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.table_service_pb2 import QuickMatchRequest, Waiting
from capicua.api.v1.types_pb2 import GameOptions
from capicua.client import connect
from capicua.store.memory_store import MemoryStore
from kit.eventually import eventually
from kit.gateway import server_here
from kit.hall import Hall, News, reason, seat, seated


@pytest.fixture
async def hall() -> Hall:
    """It is open; bots fill up after 8 seconds."""
    there = Hall(bot_fill=8)
    await there.actor.take_over()
    return there


def with_word(word: str, variant: str = "partners_100", **more: bool) -> QuickMatchRequest:
    return QuickMatchRequest(options=GameOptions(variant=variant), party=word, **more)


def waiting(told: list[News]) -> Waiting:
    assert isinstance(told[-1], Waiting), told[-1]
    return told[-1]


async def test_friends_are_partners(hall: Hall) -> None:
    """Given two who share a word and two strangers between them, the friends sit opposite each other."""
    told = []
    for player, word in (("ana", "luna"), ("sol", ""), ("ben", "luna"), ("mar", "")):
        told.append((await hall.ask(player, with_word(word)))[0])
        assert waiting(told[0]).party == (2 if len(told) > 2 else 1) or seated(told)
    await eventually(lambda: seated(told))
    ana, sol, ben, mar = (seat(each).seat for each in told)

    assert abs(ana - ben) == abs(sol - mar) == 2
    assert len({seat(each).game_id for each in told}) == 1


async def test_a_friend_is_waited_for_and_then_bots_fill_up(hall: Hall) -> None:
    """Alone in a party one is not seated, however long; with the friend both have waited from then on."""
    ana, _ = await hall.ask("ana", with_word("luna"))
    await hall.ask("sol", with_word(""))
    hall.actor.clock.now_ms += 60_000
    hall.queue._look(next(iter(hall.queue._alarms)))
    assert (waiting(ana).party, waiting(ana).bot_fill_ms, waiting(ana).estimate_ms) == (1, 8000, 8000)
    await hall.queue.settled()
    ben, _ = await hall.ask("ben", with_word("luna"))
    assert [(waiting(each).party, waiting(each).bot_fill_ms) for each in (ana, ben)] == [(2, 8000)] * 2
    hall.actor.clock.now_ms += 8000
    hall.queue._look(next(iter(hall.queue._alarms)))
    await eventually(lambda: seated([ana, ben]))

    assert abs(seat(ana).seat - seat(ben).seat) == 2


async def test_a_third_is_refused_and_changes_nothing(hall: Hall) -> None:
    """PARTY_FULL, also for one who waits elsewhere and goes on waiting there; another word or game is no third."""
    ana, _ = await hall.ask("ana", with_word("luna"))
    eva, _ = await hall.ask("eva", with_word(""))
    ben, _ = await hall.ask("ben", with_word("luna"))
    third, _ = await hall.ask("eva", with_word("luna"))
    other_word, _ = await hall.ask("sol", with_word("lunas"))
    other_game, _ = await hall.ask("mar", with_word("luna", "partners_200"))

    assert reason(third) == reasons.ERROR_REASON_PARTY_FULL
    assert [waiting(each).party for each in (ana, ben, eva, other_word, other_game)] == [2, 2, 0, 1, 1]


async def test_the_same_friend_again_is_no_third(hall: Hall) -> None:
    """From another device: the older call ends with SUPERSEDED, the party stays complete."""
    ana, _ = await hall.ask("ana", with_word("luna"))
    ben, _ = await hall.ask("ben", with_word("luna"))
    again, _ = await hall.ask("ben", with_word("luna"))

    assert reason(ben) == reasons.ERROR_REASON_SUPERSEDED
    assert [waiting(each).party for each in (ana, again)] == [2, 2]


async def test_who_is_left_waits_for_a_partner_again(hall: Hall) -> None:
    """Given one of both cancels, the other is told and not seated without a partner; a new one may come."""
    ana, _ = await hall.ask("ana", with_word("luna"))
    _, cancel = await hall.ask("ben", with_word("luna"))
    cancel()
    await eventually(lambda: waiting(ana).party == 1)
    hall.actor.clock.now_ms += 60_000
    hall.queue._pair()
    strangers = [(await hall.ask(player, with_word("")))[0] for player in ("sol", "mar")]
    eva, _ = await hall.ask("eva", with_word("luna"))
    await eventually(lambda: seated([ana, eva, *strangers]))

    assert abs(seat(ana).seat - seat(eva).seat) == 2


@pytest.mark.parametrize("more", [{}, {"any_seats": True}])
async def test_a_game_without_partners_has_no_parties(hall: Hall, more: dict[str, bool]) -> None:
    """PARTY_NOT_POSSIBLE, whatever the number of seats."""
    told, _ = await hall.ask("ana", with_word("luna", "block", **more))

    assert reason(told) == reasons.ERROR_REASON_PARTY_NOT_POSSIBLE


async def test_friends_who_come_again_from_elsewhere_stay_friends(hall: Hall) -> None:
    """Given a new owner of the tickets and a stranger with their word who was quicker: it is the stranger who goes."""
    word = with_word("luna")
    ana, _ = await hall.ask("ana", word)
    ben, _ = await hall.ask("ben", word)
    hall.queue.drop()
    assert [reason(each) for each in (ana, ben)] == [reasons.ERROR_REASON_UNAVAILABLE] * 2
    hall.queue.take()
    ana, _ = await hall.ask("ana", word, waited_ms=2000)
    stranger, _ = await hall.ask("eva", word, waited_ms=10)
    ben, _ = await hall.ask("ben", word, waited_ms=1500)

    assert reason(stranger) == reasons.ERROR_REASON_PARTY_FULL
    assert [(waiting(each).party, waiting(each).bot_fill_ms) for each in (ana, ben)] == [(2, 6500)] * 2


async def test_friends_by_the_sdk() -> None:
    """Given four clients of which two give the same word, they are partners, and told while the friend is missing."""
    async with server_here(MemoryStore()) as here, AsyncExitStack() as stack:
        ana, sol, mar, ben = [
            await stack.enter_async_context(connect(here.address, name=name)) for name in ("Ana", "Sol", "Mar", "Ben")
        ]
        told: list[Waiting] = []
        asking = [asyncio.ensure_future(ana.quick_match("partners_100", party="Luna", waiting=told.append))]
        await eventually(lambda: bool(told))
        asking += [asyncio.ensure_future(each.quick_match("partners_100")) for each in (sol, mar)]
        asking.append(asyncio.ensure_future(ben.quick_match("partners_100", party="luna")))
        seats = await asyncio.gather(*asking)

        assert told[0].party == 1
        assert abs(seats[0].seat - seats[3].seat) == 2
