"""Quick match: nobody is forgotten, whatever the clocks say."""

from __future__ import annotations

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.table_service_pb2 import Assignment, Waiting
from capicua.api.v1.types_pb2 import GameOptions, Seat
from capicua.api.v1.update_pb2 import Refusal
from capicua.matchmaking.quick_match import QuickMatch
from capicua.store.memory_store import MemoryStore
from kit.actor import Actor
from kit.eventually import eventually

News = Waiting | Assignment | Refusal


async def test_an_alarm_that_rings_early_rings_again() -> None:
    """Given our clock is behind the loop's, bots still fill up: the wait may be longer, never endless."""
    actor = Actor(MemoryStore())
    await actor.take_over()
    queue = QuickMatch(actor.service, actor.clock, bot_fill_seconds=0.01)
    told: list[list[News]] = [[] for _ in range(20)]
    for number, news in enumerate(told):
        await queue.enqueue(Seat(player_id=f"p-{number}"), GameOptions(variant="block", target=number + 1), news.append)
    # The loop's clock goes on by itself, ours stands still: the alarms ring, too early for us.
    await eventually(lambda: all(len(news) > 2 for news in told))
    assert not any(isinstance(news[-1], Assignment) for news in told)
    actor.clock.now_ms += 10

    await eventually(lambda: all(isinstance(news[-1], Assignment) for news in told))


async def test_two_who_want_the_same_meet_and_a_second_tap_replaces_the_first() -> None:
    """One ticket a player: the older call ends with SUPERSEDED, and nobody is matched with themselves."""
    actor = Actor(MemoryStore())
    await actor.take_over()
    queue = QuickMatch(actor.service, actor.clock, bot_fill_seconds=60)
    first: list[News] = []
    second: list[News] = []
    other: list[News] = []
    await queue.enqueue(Seat(player_id="p-1"), GameOptions(variant="block"), first.append)
    await queue.enqueue(Seat(player_id="p-1"), GameOptions(variant="block"), second.append)
    assert isinstance(first[-1], Refusal)
    assert first[-1].reason == reasons.ERROR_REASON_SUPERSEDED
    await queue.enqueue(Seat(player_id="p-2"), GameOptions(variant="block", seats=2), other.append)
    await eventually(lambda: isinstance(second[-1], Assignment) and isinstance(other[-1], Assignment))

    seats = {news[-1].seat for news in (second, other) if isinstance(news[-1], Assignment)}
    assert seats == {0, 1}
