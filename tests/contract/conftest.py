"""The stores that must all keep the same contract. The real ones are servers on real sockets."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from capicua.store.embedded_cluster import EmbeddedCluster
from capicua.store.memory_store import MemoryStore
from capicua.store.redis_store import open_store
from capicua.store.store import Store
from kit.cluster import formed_cluster, make_whole
from kit.stores import real_store

ON_CLUSTER = pytest.mark.xdist_group("cluster")
"""All tests that use the cluster run in one process, so that one is enough."""


@pytest.fixture(params=["memory", "redis", pytest.param("cluster", marks=ON_CLUSTER)])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    """A store of each kind."""
    if request.param == "memory":
        yield MemoryStore()
    elif request.param == "redis":
        async with real_store(tmp_path) as url:
            redis = await open_store(url)
            yield redis
            await redis.close()
    else:
        cluster: EmbeddedCluster = request.getfixturevalue("formed")
        await make_whole(cluster)
        sharded = await open_store(cluster.url, replicas=1)
        yield sharded
        await sharded.close()


@pytest.fixture(scope="session")
def formed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedCluster]:
    """A cluster as the test before has left it."""
    with formed_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture
async def cluster(formed: EmbeddedCluster) -> EmbeddedCluster:
    """A cluster that is whole and empty."""
    await make_whole(formed)
    return formed
