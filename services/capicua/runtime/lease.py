"""The lease of the game-actor: one process at a time writes games, and its epoch says which."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog

from capicua.runtime.clock import Clock
from capicua.runtime.store import Store, StoreUnavailable

logger = structlog.get_logger()

TTL_MS = 5_000
RENEW_SECONDS = 1.0


class LeaseHeld(RuntimeError):
    """Another process lives and holds the lease."""


class Lease:
    """Held from `take` to `release` or until it is lost; renewed in the background.

    It keeps two servers from fighting over one store. What keeps a paused one from writing is not this
    clock but the log: the newer owner writes first (I-4).
    """

    def __init__(self, store: Store, owner: str, clock: Clock, epoch: int, gone_since_ms: int) -> None:
        self.epoch = epoch
        self.gone_since_ms = gone_since_ms
        """When the owner before was last known to live (Unix milliseconds); 0 if there was none."""
        self._store = store
        self._owner = owner
        self._clock = clock
        self._lost: Callable[[], object] = lambda: None
        self._task = asyncio.ensure_future(self._keep())

    @classmethod
    async def take(cls, store: Store, owner: str, clock: Clock, wait_seconds: float = TTL_MS / 1000 + 0.5) -> Lease:
        """Take the lease; one of a dead owner runs out within TTL_MS. Raises LeaseHeld if another lives."""
        loop = asyncio.get_running_loop()
        end = loop.time() + wait_seconds
        while True:
            holder, before = await store.hold(owner, clock(), TTL_MS)
            if holder.owner == owner:
                return cls(store, owner, clock, holder.epoch, before.alive_ms if before else 0)
            if loop.time() > end:
                raise LeaseHeld(f"another server ({holder.owner}) plays on this store: stop it first")
            await asyncio.sleep(0.1)

    def on_lost(self, callback: Callable[[], object]) -> None:
        """Say who is to be told if another process takes the lease."""
        self._lost = callback

    async def release(self) -> None:
        """Give the lease up, so that the next owner need not wait."""
        self._task.cancel()
        try:
            await self._store.release(self._owner, self.epoch, self._clock())
        except StoreUnavailable as failure:
            logger.warning("lease_not_released", error=str(failure))

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            try:
                if not await self._store.renew(self._owner, self.epoch, self._clock(), TTL_MS):
                    logger.error("lease_lost", epoch=self.epoch)
                    self._lost()
                    return
            except StoreUnavailable as failure:
                logger.warning("lease_not_renewed", error=str(failure))
