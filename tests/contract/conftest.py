"""The stores that must all keep the same contract. The real one is the embedded server on a real socket."""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from capicua.runtime.embedded_store import EmbeddedStore
from capicua.runtime.memory_store import MemoryStore
from capicua.runtime.redis_store import open_store
from capicua.runtime.store import Store


@pytest.fixture(params=["memory", "redis"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    """An empty store of each kind; CAPICUA_TEST_REDIS_URL names a server to use instead of the embedded one."""
    if request.param == "memory":
        yield MemoryStore()
        return
    url = os.environ.get("CAPICUA_TEST_REDIS_URL")
    if url:
        redis = await open_store(url)
        yield redis
        await redis.close()
        return
    with tempfile.TemporaryDirectory(prefix="capicua-") as folder:
        async with EmbeddedStore(Path(folder)) as embedded:
            redis = await open_store(embedded)
            yield redis
            await redis.close()
