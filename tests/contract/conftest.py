"""The stores that must all keep the same contract. The real one is a server on a real socket."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from capicua.runtime.memory_store import MemoryStore
from capicua.runtime.redis_store import open_store
from capicua.runtime.store import Store
from kit.stores import real_store


@pytest.fixture(params=["memory", "redis"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    """A store of each kind."""
    if request.param == "memory":
        yield MemoryStore()
        return
    async with real_store(tmp_path) as url:
        redis = await open_store(url)
        yield redis
        await redis.close()
