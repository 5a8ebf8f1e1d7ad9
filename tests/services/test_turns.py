"""A crowd is told in turns, so that what else there is to do comes in between."""

from __future__ import annotations

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st

from capicua.gateway.turns import LEAST_AT_ONCE, PARTS, Turns


@settings(max_examples=20)
@given(st.integers(0, 3 * LEAST_AT_ONCE * PARTS), st.integers(0, 50))
def test_all_wake_in_order_and_few_at_once(count: int, gone: int) -> None:
    """Whatever the size of the crowd and however many leave while they wait, no turn of the loop wakes many."""

    async def crowd() -> None:
        loop, turns = asyncio.get_running_loop(), Turns()
        sleepers = [loop.create_future() for _ in range(count)]
        woken: list[int] = []
        for number, sleeper in enumerate(sleepers):
            turns.wake(sleeper)
            if number < gone:
                sleeper.cancel()
        staying = sleepers[gone:]
        before = 0
        while not all(sleeper.done() for sleeper in staying):
            await asyncio.sleep(0)
            done = sum(sleeper.done() for sleeper in staying)
            woken.append(done - before)
            assert all(sleeper.done() for sleeper in staying[:done])
            before = done

        assert max(woken, default=0) <= max(LEAST_AT_ONCE, count // PARTS)

    asyncio.run(crowd())


async def test_who_comes_later_is_woken_too() -> None:
    """Also where the crowd before has just been told."""
    turns = Turns()
    for _ in range(3):
        sleeper = asyncio.get_running_loop().create_future()
        turns.wake(sleeper)
        async with asyncio.timeout(1):
            await sleeper
