"""Membership of this process in the installation, and the shards it holds (I-4)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog

from capicua.links import installation as table
from capicua.links.installation import Beat, Held, Installation, Member
from capicua.runtime.clock import StoreClock
from capicua.runtime.settings import LEASE_SECONDS
from capicua.store.store import Store, StoreUnavailable

logger = structlog.get_logger()

BEATS_PER_LEASE = 6
T = TypeVar("T")


async def read_installation(store: Store) -> tuple[int, Installation]:
    """The store's time (Unix ms), and the installation as it stands."""
    now_ms, _, data = await store.installation()
    return now_ms, Installation.read(data)


class Leases:
    """Says several times a lease that this process lives, and keeps its share of the role's `shards`.

    It looks the moment that another's lease runs out too: the shards of the dead wait for no beat.

    `on_taken` hears of each shard that came, `on_lost` of each that another process has got; a shard that is
    to be handed over is given up when `on_give` has returned. What keeps a process that was paused from
    writing is not this table but the log: the newer owner writes first.
    """

    def __init__(
        self,
        store: Store,
        clock: StoreClock,
        *,
        role: str,
        name: str,
        address: str,
        shards: int = 0,
        seconds: float = LEASE_SECONDS,
        alone: bool = False,
    ) -> None:
        self.held: dict[int, Held] = {}
        self.name = name
        self.role = role
        self.beating = False
        """Whether the store took the last beat."""
        self._store = store
        self._clock = clock
        self._address = address
        self._shards = shards
        self._ttl_ms = round(seconds * 1000)
        self._alone = alone
        self._draining = False
        self._beat_ms = 0
        self._until_ms = 0
        self._next_end_ms = 0
        self._changing = asyncio.Lock()
        self._on_taken: Callable[[int, Held], object] = lambda *_: None
        self._on_lost: Callable[[int], object] = lambda *_: None
        self._on_give: Callable[[set[int]], Awaitable[object]] | None = None
        self._task: asyncio.Task[None] | None = None
        self._giving: asyncio.Task[None] | None = None

    def bind(
        self,
        on_taken: Callable[[int, Held], object],
        on_lost: Callable[[int], object],
        on_give: Callable[[set[int]], Awaitable[object]],
    ) -> None:
        """Say who acts on shards that come and go."""
        self._on_taken, self._on_lost, self._on_give = on_taken, on_lost, on_give

    async def start(self) -> None:
        """Join. Raises Alone where another server wants the store for itself, after waiting for a dead one."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self._ttl_ms / 1000 + 0.5
        while True:
            try:
                await self._say(starting=True)
                break
            except table.Alone:
                if loop.time() > end:
                    raise
                await asyncio.sleep(0.1)
        self._task = asyncio.ensure_future(self._keep())

    def sure(self) -> bool:
        """Whether what is held stays ours for a third of a lease at least, however slow we are."""
        return self._clock() + self._ttl_ms // 3 < self._until_ms

    async def drain(self) -> None:
        """Take nothing more, and hand over all that is held."""
        self._draining = True
        if self._giving is not None:
            self._giving.cancel()
            await asyncio.wait([self._giving])
        await self._hand_over(set(self.held))
        # A beat that was under way may have taken some meanwhile.
        async with self._changing:
            late = set(self.held)
        await self._hand_over(late)

    async def leave(self) -> None:
        """Leave the installation, so that nobody waits for the lease to run out."""
        for task in (self._task, self._giving):
            if task is not None:
                task.cancel()
        try:
            await self._change(lambda t, now: table.leave(t, self.name, now))
        except StoreUnavailable as failure:
            logger.warning("leave_failed", error=str(failure))

    def _beat(self, t: Installation, now_ms: int, *, starting: bool = False) -> Beat:
        self._beat_ms = now_ms
        me = Member(self.role, self._address, now_ms, now_ms + self._ttl_ms, self._draining, self._alone)
        return table.beat(t, self.name, me, now_ms, shards=self._shards, starting=starting)

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(self._pause_seconds())
            # Whether others are dead cannot be told before the store says so.
            self._next_end_ms = 0
            try:
                surplus = await self._say()
                if surplus and not self._draining and (self._giving is None or self._giving.done()):
                    # Finishing what is under way may take longer than a lease: we live meanwhile.
                    self._giving = asyncio.ensure_future(self._give_up(surplus))
            except StoreUnavailable as failure:
                self.beating = False
                logger.warning("beat_failed", error=str(failure))
            except table.Alone as failure:
                logger.error("not_alone", error=str(failure))
            except Exception:
                # Whatever it was, who says nothing is taken for dead.
                logger.exception("beat_failed")

    def _pause_seconds(self) -> float:
        seconds = self._ttl_ms / 1000 / BEATS_PER_LEASE * random.uniform(0.8, 1.0)
        if self._next_end_ms:
            seconds = min(seconds, max(0, self._next_end_ms - self._clock()) / 1000 + 0.001)
        return seconds

    async def _say(self, *, starting: bool = False) -> set[int]:
        """One beat; gives the shards that we have too many."""
        async with self._changing:
            beat = await self._change(lambda t, now: self._beat(t, now, starting=starting))
            self._learn(beat)
        self.beating = True
        return set(sorted(beat.held)[: max(0, beat.surplus)])

    def _learn(self, beat: Beat) -> None:
        self._until_ms = self._beat_ms + self._ttl_ms
        self._next_end_ms = beat.next_end_ms
        before, self.held = self.held, beat.held
        lost = [shard for shard, held in before.items() if beat.held.get(shard, Held(0, 0)).epoch != held.epoch]
        if lost:
            logger.warning("shards_lost", role=self.role, shards=len(lost))
        for shard in lost:
            self._on_lost(shard)
        for shard, held in beat.held.items():
            if shard not in before or before[shard].epoch != held.epoch:
                self._on_taken(shard, held)

    async def _give_up(self, shards: set[int]) -> None:
        """Hand over, however long it takes: shards that nobody plays must not stay ours in the table."""
        while True:
            try:
                await self._hand_over(shards)
                return
            except StoreUnavailable as failure:
                logger.warning("give_failed", error=str(failure))
            except Exception:
                logger.exception("give_failed")
            await asyncio.sleep(self._ttl_ms / 1000 / BEATS_PER_LEASE)

    async def _hand_over(self, shards: set[int]) -> None:
        if not shards:
            return
        if self._on_give is not None:
            await self._on_give(shards)
        async with self._changing:
            await self._change(lambda t, now: table.give(t, self.role, self.name, shards, now))
            self.held = {shard: held for shard, held in self.held.items() if shard not in shards}
        logger.info("shards_given", role=self.role, shards=len(shards))

    async def _change(self, change: Callable[[Installation, int], T]) -> T:
        """Look, change, write; again if somebody else wrote meanwhile."""
        while True:
            now_ms, version, data = await self._store.installation()
            self._clock.set(now_ms)
            changed = Installation.read(data)
            outcome = change(changed, now_ms)
            if await self._store.set_installation(version, changed.written()):
                return outcome
            await asyncio.sleep(random.uniform(0, 0.005))
