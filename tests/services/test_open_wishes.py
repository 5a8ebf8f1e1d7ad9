"""Wishes that leave something open, and how long they are told that it takes."""

from __future__ import annotations

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.table_service_pb2 import QuickMatchRequest, Waiting
from capicua.api.v1.types_pb2 import GameOptions
from capicua.matchmaking.waits import LATELY_MS, REMEMBERED, Waits
from capicua.store.memory_store import MemoryStore
from kit.eventually import eventually
from kit.gateway import reason_of, server_here
from kit.hall import Hall, News, reason, seat, seated

ANY = QuickMatchRequest(options=GameOptions(variant="block"), any_seats=True)


@pytest.fixture
async def hall() -> Hall:
    """It is open; bots fill up after 8 seconds."""
    there = Hall(bot_fill=8)
    await there.actor.take_over()
    return there


def block(seats: int, target: int | None = None) -> QuickMatchRequest:
    return QuickMatchRequest(options=GameOptions(variant="block", seats=seats, target=target))


def waiting(told: list[News]) -> Waiting:
    assert isinstance(told[-1], Waiting), told[-1]
    return told[-1]


@pytest.mark.parametrize("seats", [2, 3, 4])
async def test_any_number_of_seats_meets_each(hall: Hall, seats: int) -> None:
    """Given all but one who want a table of so many seats, one who takes any makes it full, with its own target."""
    told = [(await hall.ask(f"p-{number}", block(seats)))[0] for number in range(1, seats)]
    told.append((await hall.ask("any", ANY))[0])
    await eventually(lambda: seated(told))
    view = await hall.actor.view("any", seat(told[-1]).game_id)

    assert len(view.seats) == seats


async def test_any_target_meets_each(hall: Hall) -> None:
    """Given one who wants 40 points, one who takes any target plays to 40; a number of seats of one's own is kept."""
    forty, _ = await hall.ask("forty", block(2, 40))
    wish = QuickMatchRequest(options=GameOptions(variant="block", seats=2, target=70), any_target=True)
    four, _ = await hall.ask("four", QuickMatchRequest(options=GameOptions(variant="block", seats=4), any_target=True))
    told, _ = await hall.ask("any", wish)
    await eventually(lambda: seated([forty, told]))
    view = await hall.actor.view("any", seat(told).game_id)

    assert view.options.target == 40
    assert isinstance(four[-1], Waiting)


async def test_bots_come_to_the_smallest_table(hall: Hall) -> None:
    """Given one alone who takes any number of seats, one bot is enough."""
    told, _ = await hall.ask("any", ANY)
    hall.actor.clock.now_ms += 8000
    for key in list(hall.queue._alarms):
        hall.queue._look(key)
    await eventually(lambda: seated([told]))
    view = await hall.actor.view("any", seat(told).game_id)

    assert [player.bot for player in view.seats] == [False, True]


async def test_an_unknown_variant_is_refused(hall: Hall) -> None:
    """A wish that leaves much open must still name something that can be played."""
    told, _ = await hall.ask("any", QuickMatchRequest(options=GameOptions(variant="chess"), any_seats=True))

    assert reason(told) == reasons.ERROR_REASON_UNKNOWN_VARIANT


async def test_the_estimate_is_what_others_waited(hall: Hall) -> None:
    """Nobody knows at first, then half of those before; and never more than the bots take."""
    first, _ = await hall.ask("p-0", block(2))
    assert waiting(first).estimate_ms == waiting(first).bot_fill_ms == 8000
    hall.actor.clock.now_ms += 3000
    other, _ = await hall.ask("p-1", block(2))
    await eventually(lambda: seated([first, other]))
    again, _ = await hall.ask("p-2", block(2))
    elsewhere, _ = await hall.ask("p-3", block(3))

    assert (waiting(again).estimate_ms, waiting(again).bot_fill_ms) == (3000, 8000)
    assert waiting(elsewhere).estimate_ms == 8000


@given(st.lists(st.integers(0, 8000), max_size=60), st.integers(0, 8000))
def test_half_of_those_before_waited_no_longer(before: list[int], waited: int) -> None:
    """By the last who waited as long; who has waited longer than all is told nothing, and what is old is forgotten."""
    waits = Waits()
    waits.seated(b"kind", before, now_ms=1)
    longer = [each - waited for each in before[-REMEMBERED:] if each >= waited]
    estimate = waits.estimate_ms(b"kind", waited, now_ms=LATELY_MS)

    assert (estimate is None) == (not longer)
    if estimate is not None:
        assert 2 * sum(each <= estimate for each in longer) >= len(longer)
        assert estimate in longer
    assert waits.estimate_ms(b"kind", waited, now_ms=LATELY_MS + 1) is None


@pytest.mark.parametrize("word", ["abc", "a" * 33, "lu na", "luna\u200b", "\u2003\u2003\u2003\u2003"])
async def test_a_party_has_a_word_that_can_be_seen(word: str) -> None:
    """INVALID_ARGUMENT for anything else than 4 to 32 visible characters."""
    async with server_here(MemoryStore()) as here:
        request = QuickMatchRequest(options=GameOptions(variant="partners_100"), party=word)
        with pytest.raises(grpc.aio.AioRpcError) as failure:
            await anext(aiter(here.caller("p-1").call("QuickMatch", request)))

    assert reason_of(failure.value) == (grpc.StatusCode.INVALID_ARGUMENT, reasons.ERROR_REASON_INVALID_ARGUMENT)


async def test_a_word_is_of_any_case() -> None:
    """Friends tell each other the word aloud."""
    async with server_here(MemoryStore()) as here:
        calls = [
            here.caller(player).call(
                "QuickMatch", QuickMatchRequest(options=GameOptions(variant="partners_100"), party=word)
            )
            for player, word in (("p-1", "Straße"), ("p-2", "STRASSE"))
        ]
        for call in calls:
            async for news in call:
                if news.waiting.party == 2:
                    break
            else:
                pytest.fail("no friend came")

        for call in calls:
            call.cancel()
