"""Who does what in the installation, as last read from the store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog

from capicua.links.installation import Installation
from capicua.links.leases import read_installation
from capicua.store.store import Store, StoreUnavailable

logger = structlog.get_logger()

LOOK_SECONDS = 0.25


class Directory:
    """Reads the table of processes four times a second; `installation` is how it stood then."""

    def __init__(self, store: Store) -> None:
        self.installation = Installation()
        self._store = store
        self._listeners: list[Callable[[], None]] = []
        self._task: asyncio.Task[None] | None = None

    def on_look(self, listener: Callable[[], None]) -> None:
        """Call `listener` after each look."""
        self._listeners.append(listener)

    async def start(self) -> None:
        """Look for the first time. Raises StoreUnavailable."""
        await self._look()
        self._task = asyncio.ensure_future(self._keep())

    def stop(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self._look()
            except StoreUnavailable as failure:
                # As it was is the best guess; whoever has moved will say so.
                logger.warning("look_failed", error=str(failure))

    async def _look(self) -> None:
        _, self.installation = await read_installation(self._store)
        for listener in self._listeners:
            listener()
