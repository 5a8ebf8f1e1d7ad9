"""The lease: one server at a time on one store, and a new one learns how long nobody played (I-4, I-8)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from capicua.runtime import lease as module
from capicua.runtime.lease import TTL_MS, Lease, LeaseHeld
from capicua.runtime.memory_store import MemoryStore
from capicua.runtime.store import StoreUnavailable
from kit.actor import HandClock
from kit.eventually import eventually


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Renew as fast as the loop turns: time is the clock's alone."""
    monkeypatch.setattr(module, "RENEW_SECONDS", 0)


class FlakyStore(MemoryStore):
    """Answers renewals with StoreUnavailable while it is away."""

    def __init__(self) -> None:
        super().__init__()
        self.away = False
        self.asked = 0

    async def renew(self, owner: str, epoch: int, now_ms: int, ttl_ms: int) -> bool:
        """Say that `owner` lives."""
        self.asked += 1
        if self.away:
            raise StoreUnavailable("away")
        return await super().renew(owner, epoch, now_ms, ttl_ms)


async def renewed(store: FlakyStore) -> None:
    """Wait for a renewal that began after this call."""
    asked = store.asked
    await eventually(lambda: store.asked > asked + 1)


async def refused(take: Callable[[], Awaitable[Lease]]) -> str:
    """The words with which a lease is refused."""
    with pytest.raises(LeaseHeld) as failure:
        await take()
    return str(failure.value)


async def test_a_living_owner_is_named_and_left_alone() -> None:
    """However much time passes: as long as it renews, nobody else gets in."""
    store, clock = FlakyStore(), HandClock()
    first = await Lease.take(store, "one", clock)
    for _ in range(5):
        clock.now_ms += TTL_MS - 1
        await renewed(store)
        assert "one" in await refused(lambda: Lease.take(store, "two", clock, wait_seconds=0))
    await first.release()


async def test_a_dead_owner_is_waited_out_and_its_end_is_known() -> None:
    """Given an owner that was killed, the next one waits until its lease runs out, with a higher epoch."""
    store, clock = FlakyStore(), HandClock()
    first = await Lease.take(store, "one", clock)
    clock.now_ms += 700
    await renewed(store)
    store.away = True
    died = clock.now_ms
    clock.now_ms = died + TTL_MS - 1
    waiting = asyncio.create_task(Lease.take(store, "two", clock))
    await asyncio.sleep(0)
    clock.now_ms = died + TTL_MS
    second = await waiting

    assert second.epoch == first.epoch + 1
    assert second.gone_since_ms == died
    await first.release()
    assert "two" in await refused(lambda: Lease.take(store, "three", clock, wait_seconds=0))
    store.away = False
    await second.release()


async def test_an_owner_that_was_replaced_is_told_once() -> None:
    """Given a pause longer than the lease, and another owner meanwhile: the first stops by itself."""
    store, clock = FlakyStore(), HandClock()
    first = await Lease.take(store, "one", clock)
    told: list[str] = []
    first.on_lost(lambda: told.append("lost"))
    store.away = True
    clock.now_ms += TTL_MS
    second = await Lease.take(store, "two", clock)
    store.away = False
    await eventually(lambda: bool(told))
    await first.release()

    assert told == ["lost"]
    assert "two" in await refused(lambda: Lease.take(store, "three", clock, wait_seconds=0))
    await second.release()


async def test_a_store_that_was_away_costs_no_lease() -> None:
    """Given nobody else came meanwhile, the owner goes on, however long it took."""
    store, clock = FlakyStore(), HandClock()
    lease = await Lease.take(store, "one", clock)
    told: list[str] = []
    lease.on_lost(lambda: told.append("lost"))
    store.away = True
    clock.now_ms += 10 * TTL_MS
    await renewed(store)
    store.away = False
    await renewed(store)

    assert not told
    assert "one" in await refused(lambda: Lease.take(store, "two", clock, wait_seconds=0))
    await lease.release()


async def test_a_lease_given_up_is_free_at_once() -> None:
    """After a clean stop nobody waits, and the time since is known. A store that is away is no reason to fail."""
    store, clock = FlakyStore(), HandClock()
    await (await Lease.take(store, "one", clock)).release()
    clock.now_ms += 60_000
    second = await Lease.take(store, "two", clock, wait_seconds=0)
    assert second.gone_since_ms == clock.now_ms - 60_000
    store.away = True
    await second.release()

    asked = store.asked
    for _ in range(3):
        await asyncio.sleep(0)
    assert store.asked == asked, "nobody renews what was given up"
