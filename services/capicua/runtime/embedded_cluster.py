"""The embedded cluster: a Redis Cluster of our own on loopback ports, for trials and tests."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import socket
import subprocess
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from redis.crc import REDIS_CLUSTER_HASH_SLOTS

from capicua.runtime.embedded_store import server_binary
from capicua.runtime.redis_link import RedisLink
from capicua.runtime.store import StoreUnavailable

FORM_SECONDS = 20.0
NODE_TIMEOUT_MS = 1_000
"""A master that is silent for this long is replaced by a replica."""
PORTS = range(10_000, 32_000)
"""Below those that systems give to outgoing connections: a node that is started again finds its port free."""

# A shell stands by each server: it says which process that is, and ends it when our end of a pipe closes,
# however we ended. It does not start it again: a node that was killed shall stay so.
_WATCHDOG = """
"$@" & echo $!
read -r _
kill -KILL $! 2>/dev/null
"""


class EmbeddedCluster:
    """`masters` masters, each with `replicas` replicas, in `folder`; nodes 0, 1, … are the masters at the start.

    `start` forms it, `close` ends it for good; its nodes never live longer than we do. Needs a folder that was
    used for nothing else before.
    """

    def __init__(self, folder: Path, masters: int = 3, replicas: int = 1) -> None:
        folder = folder.resolve()
        self._masters = masters
        self._replicas = replicas
        count = masters * (1 + replicas)
        ports = _free_ports(2 * count)
        self._nodes = [_Node(folder / f"node-{n}", ports[n], ports[count + n]) for n in range(count)]

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
            node.end()

    def kill(self, number: int) -> None:
        """Kill a node as a crash would; it stays away until `restart`."""
        self._nodes[number].end()

    def restart(self, number: int) -> None:
        """Start a killed node again with what it had written."""
        self._nodes[number].start()

    async def ask(self, number: int, *words: str | int) -> Any:
        """The reply of one node to a command."""
        return await self._nodes[number].ask(*words)

    async def fail_over(self, number: int) -> None:
        """Make a replica the master of its shards; nothing is lost."""
        await self.ask(number, "CLUSTER", "FAILOVER")
        await self._until(lambda: self._is_master(number))

    async def settle(self) -> None:
        """Start what was killed, and wait until every master has its replicas and every node sees all slots."""
        for node in self._nodes:
            if not node.pid:
                node.start()
        for number in range(len(self._nodes)):
            await self._until(lambda: self._is_settled(number))  # noqa: B023 - awaited before the next number

    async def _form(self) -> None:
        numbers = range(len(self._nodes))
        for number in numbers:
            await self._until(lambda: self.ask(number, "PING"))  # noqa: B023
            await self.ask(number, "CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        share = REDIS_CLUSTER_HASH_SLOTS // self._masters
        for number in range(self._masters):
            last = REDIS_CLUSTER_HASH_SLOTS if number == self._masters - 1 else (number + 1) * share
            await self.ask(number, "CLUSTER", "ADDSLOTSRANGE", number * share, last - 1)
        for node in self._nodes[1:]:
            await self.ask(0, "CLUSTER", "MEET", "127.0.0.1", node.port, node.bus_port)
        for number in numbers:
            await self._until(lambda: self._tells(number, f"cluster_known_nodes:{len(numbers)}"))  # noqa: B023
        for number in numbers[self._masters :]:
            master = await self.ask(number % self._masters, "CLUSTER", "MYID")
            await self.ask(number, "CLUSTER", "REPLICATE", master.decode())

    async def _tells(self, number: int, line: str) -> bool:
        return line in (await self.ask(number, "CLUSTER", "INFO")).decode().splitlines()

    async def _is_master(self, number: int) -> bool:
        return bool((await self.ask(number, "ROLE"))[0] == b"master")

    async def _is_settled(self, number: int) -> bool:
        role = await self.ask(number, "ROLE")
        complete = len(role[2]) == self._replicas if role[0] == b"master" else role[3] == b"connected"
        return complete and await self._tells(number, "cluster_state:ok")

    async def _until(self, ask: Callable[[], Awaitable[Any]]) -> None:
        async with asyncio.timeout(FORM_SECONDS):
            while True:
                with contextlib.suppress(StoreUnavailable):
                    if await ask():
                        return
                await asyncio.sleep(0.02)


class _Node:
    """One server, and the shell that ends it with us."""

    def __init__(self, folder: Path, port: int, bus_port: int) -> None:
        self.folder = folder
        self.port = port
        self.bus_port = bus_port
        self.pid = 0
        self._pipe = 0
        self._shell: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        theirs, self._pipe = os.pipe()
        try:
            self._shell = subprocess.Popen(
                ["/bin/sh", "-c", _WATCHDOG, "capicua-node", *self._command()],
                stdin=theirs,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        finally:
            os.close(theirs)
        assert self._shell.stdout is not None
        self.pid = int(self._shell.stdout.readline())

    def end(self) -> None:
        if self._shell is None:
            return
        os.close(self._pipe)
        self._shell.wait()
        assert self._shell.stdout is not None
        self._shell.stdout.close()
        with contextlib.suppress(ProcessLookupError):
            # Only where the shell was killed is anybody of its session left.
            os.killpg(self._shell.pid, signal.SIGKILL)
        self._shell, self.pid = None, 0

    async def ask(self, *words: str | int) -> Any:
        link = RedisLink(f"redis://127.0.0.1:{self.port}")
        try:
            await link.connect()
            return await link.call(*words)
        finally:
            await link.close()

    def log_tail(self) -> str:
        log = self.folder / "server.log"
        return "\n".join(log.read_text(errors="replace").splitlines()[-15:]) if log.exists() else "(no log)"

    def _command(self) -> list[str]:
        return [
            server_binary(),
            *("--bind", "127.0.0.1"),
            *("--port", str(self.port)),
            *("--cluster-enabled", "yes"),
            *("--cluster-port", str(self.bus_port)),
            *("--cluster-node-timeout", str(NODE_TIMEOUT_MS)),
            # A shard whose master is gone stops nobody else, and any replica may take its place.
            *("--cluster-require-full-coverage", "no"),
            *("--cluster-replica-validity-factor", "0"),
            *("--cluster-allow-replica-migration", "no"),
            *("--repl-diskless-sync-delay", "0"),
            *("--dir", str(self.folder)),
            *("--appendonly", "yes"),
            *("--save", ""),
            *("--logfile", str(self.folder / "server.log")),
            *("--daemonize", "no"),
        ]


def _free_ports(count: int) -> list[int]:
    free: list[int] = []
    for port in random.sample(PORTS, len(PORTS)):
        if len(free) == count:
            break
        with socket.socket() as trial, contextlib.suppress(OSError):
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(("127.0.0.1", port))
            free.append(port)
    return free
