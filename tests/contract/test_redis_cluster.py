"""The link to a cluster: slots on their way, nodes that refuse, and addresses that are wrong."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest
from redis.crc import key_slot

from capicua.runtime.shard import shard_of
from capicua.store import redis_cluster
from capicua.store.embedded_cluster import EmbeddedCluster
from capicua.store.redis_store import RedisStore, open_store
from capicua.store.store import StoreUnavailable
from kit.cluster import master_of

pytestmark = pytest.mark.xdist_group("cluster")
GAME = "g-1"
GRANTED = "+@read +@write +@scripting +@connection +info +time +wait +cluster|slots"
"""What docs/operations.md says that a user must be allowed."""
TAG = f"{{s{shard_of(GAME):03}}}"


@pytest.fixture
async def sharded(cluster: EmbeddedCluster) -> AsyncIterator[RedisStore]:
    """A store on the cluster."""
    store = await open_store(cluster.url)
    yield store
    await store.close()


async def on_every_node(cluster: EmbeddedCluster, *words: str | int) -> None:
    """Give every node the same command."""
    for number in range(len(cluster.ports)):
        await cluster.ask(number, *words)


async def test_a_slot_on_its_way_is_served_where_it_is(cluster: EmbeddedCluster, sharded: RedisStore) -> None:
    """While a slot moves and when it has moved, reads and appends find the key, and nothing is written twice."""
    slot, source = key_slot(TAG.encode()), await master_of(cluster, TAG)
    target = next(number for number in await cluster.masters() if number != source)
    ids = {number: (await cluster.ask(number, "CLUSTER", "MYID")).decode() for number in (source, target)}
    await sharded.append(GAME, 1, b"at the source")
    await cluster.ask(target, "CLUSTER", "SETSLOT", slot, "IMPORTING", ids[source])
    await cluster.ask(source, "CLUSTER", "SETSLOT", slot, "MIGRATING", ids[target])
    key = f"capicua:{TAG}:log:{GAME}"
    await cluster.ask(source, "MIGRATE", "127.0.0.1", cluster.ports[target], key, 0, 5000)
    await sharded.append(GAME, 2, b"asked for at the target")
    during = await sharded.read(GAME)
    for number in (target, *(other for other in await cluster.masters() if other != target)):
        await cluster.ask(number, "CLUSTER", "SETSLOT", slot, "NODE", ids[target])

    assert await sharded.read(GAME) == during == [(1, b"at the source"), (2, b"asked for at the target")]
    await sharded.append(GAME, 3, b"on")


async def test_a_slot_that_comes_to_no_rest_ends_in_a_refusal(
    cluster: EmbeddedCluster, sharded: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node that says ASK for a slot that its target refuses: the call fails after a bounded time."""
    monkeypatch.setattr(redis_cluster, "FOLLOW_SECONDS", 0.1)
    slot, source = key_slot(TAG.encode()), await master_of(cluster, TAG)
    target = next(number for number in await cluster.masters() if number != source)
    target_id = (await cluster.ask(target, "CLUSTER", "MYID")).decode()
    await cluster.ask(source, "CLUSTER", "SETSLOT", slot, "MIGRATING", target_id)
    try:
        with pytest.raises(StoreUnavailable, match=r"MOVED|ASK"):
            await sharded.read(GAME)
    finally:
        await cluster.ask(source, "CLUSTER", "SETSLOT", slot, "STABLE")
    await sharded.append(GAME, 1, b"x")


@pytest.mark.parametrize(
    ("refuse", "allow", "word"),
    [
        ("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0", "OOM"),
        ("CONFIG SET min-replicas-to-write 3", "CONFIG SET min-replicas-to-write 0", "NOREPLICAS"),
        ("ACL SETUSER default -xadd", "ACL SETUSER default +@all", "NOPERM"),
    ],
)
async def test_a_node_that_refuses_acknowledges_nothing(
    cluster: EmbeddedCluster, sharded: RedisStore, refuse: str, allow: str, word: str
) -> None:
    """Full, without replicas, or forbidden: StoreUnavailable with the node's word, and nothing was written."""
    await sharded.append(GAME, 1, b"before")
    await on_every_node(cluster, *refuse.split())
    try:
        with pytest.raises(StoreUnavailable, match=word):
            await sharded.append(GAME, 2, b"refused")
    finally:
        await on_every_node(cluster, *allow.split())

    assert await sharded.read(GAME) == [(1, b"before")]
    await sharded.append(GAME, 2, b"after")


async def test_the_user_of_the_url_is_the_user_on_every_node(cluster: EmbeddedCluster) -> None:
    """A wrong password, or one that may not ask for the map, is a sentence at the start."""
    hosts = cluster.url.partition("://")[2]
    await on_every_node(cluster, "ACL", "SETUSER", "guest", "on", ">p@ss", "~capicua:*", *GRANTED.split())
    await on_every_node(cluster, "ACL", "SETUSER", "stranger", "on", ">p@ss", "+@connection")
    store = await open_store(f"redis+cluster://guest:p%40ss@{hosts}", replicas=1)
    for number in range(30):
        await store.append(f"g-{number}", 1, b"x")
        await store.confirm(f"g-{number}")
        await store.add_running(f"g-{number}")
        await store.set_finished(f"g-{number}")
    version = (await store.installation())[1]
    assert await store.set_installation(version, b"x")
    await store.secret("s")
    await store.close()

    with pytest.raises(RuntimeError, match="WRONGPASS"):
        await open_store(f"redis+cluster://guest:wrong@{hosts}")
    with pytest.raises(RuntimeError, match="NOPERM"):
        await open_store(f"redis+cluster://stranger:p%40ss@{hosts}")


async def test_one_living_node_is_enough_to_find_the_others(cluster: EmbeddedCluster, unused_tcp_port: int) -> None:
    """Hosts of the URL that are gone are passed over; with none left it is one sentence."""
    store = await open_store(f"redis+cluster://127.0.0.1:{unused_tcp_port},127.0.0.1:{cluster.ports[-1]}")
    await asyncio.gather(*(store.append(f"g-{number}", 1, b"x") for number in range(30)))
    await store.close()

    with pytest.raises(StoreUnavailable, match="cannot reach"):
        await open_store(f"redis+cluster://127.0.0.1:{unused_tcp_port}")


HOLDER = """
import asyncio, sys
from pathlib import Path
from capicua.store.embedded_cluster import EmbeddedCluster
cluster = EmbeddedCluster(Path(sys.argv[1]), masters=1, replicas=0)
asyncio.run(cluster.start())
print(*cluster.pids, flush=True)
sys.stdin.read()
"""


def test_its_nodes_end_with_us_even_by_kill_9(tmp_path: Path) -> None:
    """Given our process is killed with -9, no node of its embedded cluster stays behind."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdin is not None
    nodes = [psutil.Process(int(pid)) for pid in holder.stdout.readline().split()]
    assert len(nodes) == 1
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    holder.stdin.close()
    holder.stdout.close()

    assert not psutil.wait_procs(nodes, timeout=5)[1]
