"""The logs of all games, read from the store as any administrator could."""

from __future__ import annotations

from typing import Any

from redis.asyncio.cluster import ClusterNode, RedisCluster

from capicua.cli.torture.checker import Log
from capicua.log.v1.entry_pb2 import Entry


async def read_logs(ports: list[int]) -> dict[str, Log]:
    """By game, from the cluster of which nodes listen at these loopback ports."""
    nodes = [ClusterNode("127.0.0.1", port) for port in ports]
    async with RedisCluster(startup_nodes=nodes) as store:
        keys = [key async for key in store.scan_iter(match="capicua:*:log:*", count=1000)]
        return {key.decode().rpartition(":")[2]: _log(await store.xrange(key)) for key in keys}


def _log(entries: Any) -> Log:
    return [(int(entry_id.partition(b"-")[0]), Entry.FromString(fields[b"e"])) for entry_id, fields in entries]
