"""A real cluster for tests: formed once, whole again at the start of each."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis.crc import key_slot

from capicua.store.embedded_cluster import EmbeddedCluster
from capicua.store.embedded_store import server_binary


@contextmanager
def formed_cluster(folder: Path) -> Iterator[EmbeddedCluster]:
    """Three masters, each with a replica; skipped where there is no server to run."""
    try:
        server_binary()
    except RuntimeError as missing:
        pytest.skip(str(missing))
    cluster = EmbeddedCluster(folder)
    # In a thread, for a test may be the first to ask for it, within its own loop.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, cluster.start()).result()
    try:
        yield cluster
    finally:
        cluster.close()


async def make_whole(cluster: EmbeddedCluster) -> None:
    """Every node up and empty, every master with its replica."""
    await cluster.settle()
    for number in await cluster.masters():
        await cluster.ask(number, "FLUSHALL")


async def master_of(cluster: EmbeddedCluster, key: str) -> int:
    """The node that is the master of a key's slot now."""
    slot = key_slot(key.encode())
    masters = await cluster.masters()
    for first, last, (_, port, *_), *_ in await cluster.ask(masters[0], "CLUSTER", "SLOTS"):
        if first <= slot <= last:
            return cluster.ports.index(port)
    raise AssertionError(f"slot {slot} has no owner")


async def replica_of(cluster: EmbeddedCluster, master: int) -> int:
    """The node that is the replica of a master."""
    role = await cluster.ask(master, "ROLE")
    return cluster.ports.index(int(role[2][0][1]))
