"""The embedded cluster: a Redis Cluster of our own on loopback ports, for trials and tests."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from redis.crc import REDIS_CLUSTER_HASH_SLOTS

from capicua.store.local_server import LocalServer, free_ports
from capicua.store.store import StoreUnavailable

FORM_SECONDS = 20.0
NODE_TIMEOUT_MS = 1_000
"""A master that is silent for this long is replaced by a replica."""


class EmbeddedCluster:
    """`masters` masters, each with `replicas` replicas, in `folder`; nodes 0, 1, … are the masters at the start.

    `start` forms it, `close` ends it for good; its nodes never live longer than we do. Needs a folder that was
    used for nothing else before. Whoever is on this machine may use it.
    """

    def __init__(self, folder: Path, masters: int = 3, replicas: int = 1) -> None:
        self._masters = masters
        self._replicas = replicas
        count = masters * (1 + replicas)
        ports = free_ports(2 * count)
        self._bus_ports = ports[count:]
        self._nodes = [LocalServer(folder / f"node-{n}", ports[n], *_options(ports[count + n])) for n in range(count)]

    @property
    def url(self) -> str:
        """What `--store` takes."""
        return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self._nodes)

    @property
    def ports(self) -> list[int]:
        """The port of each node."""
        return [node.port for node in self._nodes]

    @property
    def pids(self) -> list[int]:
        """The process of each node; 0 for one that was killed."""
        return [node.pid for node in self._nodes]

    async def start(self) -> None:
        """Start and form the cluster. Raises RuntimeError if it does not come up."""
        try:
            async with asyncio.timeout(FORM_SECONDS):
                for node in self._nodes:
                    node.start()
                await self._form()
                await self.settle()
        except TimeoutError:
            self.close()
            raise RuntimeError(f"the embedded cluster did not form:\n{self._nodes[0].log_tail()}") from None
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End every node."""
        for node in self._nodes:
            node.kill()

    def kill(self, number: int) -> None:
        """Kill a node as a crash would; it stays away until `restart`."""
        self._nodes[number].kill()

    def restart(self, number: int) -> None:
        """Start a killed node again with what it had written."""
        self._nodes[number].start()

    async def ask(self, number: int, *words: str | int) -> Any:
        """The reply of one node to a command."""
        return await self._nodes[number].ask(*words)

    async def masters(self) -> list[int]:
        """The nodes that are masters now."""
        return [number for number, node in enumerate(self._nodes) if node.pid and await self._is_master(number)]

    async def fail_over(self, number: int) -> None:
        """Make a replica the master of its shards; nothing is lost."""
        await self.ask(number, "CLUSTER", "FAILOVER")
        await self._until(self._is_master, number)

    async def settle(self) -> None:
        """Start what was killed, and wait until every master has its replicas and every node sees all slots."""
        for node in self._nodes:
            if not node.pid:
                node.start()
        for number in range(len(self._nodes)):
            await self._until(self._is_settled, number)

    async def _form(self) -> None:
        numbers = range(len(self._nodes))
        for number in numbers:
            await self._until(self.ask, number, "PING")
            await self.ask(number, "CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        share = REDIS_CLUSTER_HASH_SLOTS // self._masters
        for number in range(self._masters):
            last = REDIS_CLUSTER_HASH_SLOTS if number == self._masters - 1 else (number + 1) * share
            await self.ask(number, "CLUSTER", "ADDSLOTSRANGE", number * share, last - 1)
        for node, bus_port in zip(self._nodes[1:], self._bus_ports[1:], strict=True):
            await self.ask(0, "CLUSTER", "MEET", "127.0.0.1", node.port, bus_port)
        for number in numbers[self._masters :]:
            master = await self.ask(number % self._masters, "CLUSTER", "MYID")
            # Again until it has heard of its master: nodes that are only just met have no name yet.
            await self._until(self.ask, number, "CLUSTER", "REPLICATE", master.decode())

    async def _tells(self, number: int, line: str) -> bool:
        return line in (await self.ask(number, "CLUSTER", "INFO")).decode().splitlines()

    async def _is_master(self, number: int) -> bool:
        return bool((await self.ask(number, "ROLE"))[0] == b"master")

    async def _is_settled(self, number: int) -> bool:
        role = await self.ask(number, "ROLE")
        complete = len(role[2]) == self._replicas if role[0] == b"master" else role[3] == b"connected"
        return complete and await self._tells(number, "cluster_state:ok")

    async def _until(self, ask: Callable[..., Awaitable[Any]], *arguments: int | str) -> None:
        async with asyncio.timeout(FORM_SECONDS):
            while True:
                with contextlib.suppress(StoreUnavailable):
                    if await ask(*arguments):
                        return
                await asyncio.sleep(0.02)


def _options(bus_port: int) -> list[str]:
    return [
        *("--cluster-enabled", "yes"),
        *("--cluster-port", str(bus_port)),
        *("--cluster-node-timeout", str(NODE_TIMEOUT_MS)),
        # A shard whose master is gone stops nobody else, and any replica may take its place.
        *("--cluster-require-full-coverage", "no"),
        *("--cluster-replica-validity-factor", "0"),
        *("--cluster-allow-replica-migration", "no"),
        *("--repl-diskless-sync-delay", "0"),
        *("--appendonly", "yes"),
        *("--save", ""),
    ]
