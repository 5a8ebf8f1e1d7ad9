"""A real installation on this machine: a store of several nodes and every service in processes of its own."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType

from capicua.links.installation import Installation, per_owner
from capicua.links.leases import read_installation
from capicua.runtime.child import Child
from capicua.store.embedded_cluster import EmbeddedCluster
from capicua.store.local_server import free_ports
from capicua.store.redis_store import open_store
from capicua.store.store import StoreUnavailable

COUNTS: Mapping[str, int] = {"gateway": 2, "game-actor": 3, "timer": 2, "matchmaking": 2, "bots": 1}
"""Processes of each role."""
SETTLE_SECONDS = 30.0


class Member:
    """One process of the installation, by a name that it keeps when it is started again."""

    def __init__(self, role: str, number: int, command: Sequence[str], log: Path) -> None:
        self.role = role
        self.name = f"{role}-{number}"
        self.log = log
        self.address = ""
        """Where it listens, once started."""
        self.metrics = ""
        """Where it shows its metrics, once started, if it was told to."""
        self._command = command
        self._child: Child | None = None

    @property
    def pid(self) -> int:
        """Its process; 0 while there is none."""
        return self._child.pid if self._child else 0

    async def start(self) -> None:
        """Start it and wait until it serves. Raises RuntimeError with the end of its log if it does not."""
        self._child = await asyncio.to_thread(Child, self._command, self.log)
        said = await asyncio.to_thread(self._child.line)
        if not said:
            self.kill()
            tail = "\n".join(self.log.read_text(errors="replace").splitlines()[-15:])
            raise RuntimeError(f"{self.name} did not start:\n{tail}")
        where = json.loads(said)
        self.address, self.metrics = where["listening"], where.get("metrics", "")

    def kill(self) -> None:
        """End it as a crash would: kill -9."""
        if self._child is not None:
            self._child.kill()
            self._child = None

    def pause(self) -> None:
        """Stop its every thread (SIGSTOP); connections to it stay open."""
        if self._child is not None:
            self._child.signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it go on after `pause`."""
        if self._child is not None:
            self._child.signal(signal.SIGCONT)

    async def drain(self) -> None:
        """Ask it to stop (SIGTERM) and wait until it has."""
        if self._child is not None:
            self._child.signal(signal.SIGTERM)
            await asyncio.to_thread(self._child.wait)
            self.kill()


class LocalInstallation:
    """`async with LocalInstallation(folder) as installation`: it runs inside the block, never longer than we do.

    `folder` is a new one; logs lie in it. `masters` nodes of the store each have `replicas` replicas, and a move is
    accepted once `wait` of them have it. Gateways listen on `ports`, without them on free ones; `options` are for
    every process. Raises RuntimeError if it does not come up.
    """

    def __init__(
        self,
        folder: Path,
        *,
        counts: Mapping[str, int] = COUNTS,
        masters: int = 3,
        replicas: int = 1,
        wait: int = 0,
        ports: Sequence[int] = (),
        options: Sequence[str] = (),
    ) -> None:
        self.folder = folder
        self.cluster = EmbeddedCluster(folder / "store", masters, replicas)
        self.gateways = [f"127.0.0.1:{port}" for port in ports or free_ports(counts["gateway"])]
        every = ("--store", self.cluster.url, "--replicas", str(wait), "--log-format", "json", *options)
        self.members = {
            member.name: member for role, count in counts.items() for member in self._members(role, count, every)
        }
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> LocalInstallation:
        async with AsyncExitStack() as stack:
            self.folder.mkdir(parents=True, exist_ok=True)
            stack.callback(self.cluster.close)
            await self.cluster.start()
            self._store = await open_store(self.cluster.url)
            stack.push_async_callback(self._store.close)
            for member in self.members.values():
                stack.callback(member.kill)
            await asyncio.gather(*(member.start() for member in self.members.values()))
            await self.settle()
            self._stack = stack.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    def of(self, role: str) -> list[Member]:
        """The processes of a role."""
        return [member for member in self.members.values() if member.role == role]

    async def table(self) -> Installation:
        """The table of processes and shards. Raises StoreUnavailable."""
        return (await read_installation(self._store))[1]

    async def settle(self) -> None:
        """Wait until every shard has an owner that runs. Raises RuntimeError if it takes too long."""
        try:
            async with asyncio.timeout(SETTLE_SECONDS):
                while True:
                    if await self._settled():
                        return
                    await asyncio.sleep(0.1)
        except TimeoutError:
            raise RuntimeError(f"the installation did not settle; its logs are in {self.folder}") from None

    async def _settled(self) -> bool:
        try:
            table = await self.table()
        except StoreUnavailable:
            return False
        for role in {member.role for member in self.members.values()} & {"game-actor", "matchmaking"}:
            # One that was killed is in the table, and its shards are its own, until its lease is over.
            listed = {member.address for member in table.of(role).values()}
            owners = per_owner(table, role)
            if listed != {member.address for member in self.of(role) if member.pid} or not owners or "" in owners:
                return False
        return True

    def _members(self, role: str, count: int, options: Sequence[str]) -> list[Member]:
        command = [sys.executable, "-m", "capicua.cli.main", "serve", role, *options]
        return [
            Member(
                role,
                number,
                [*command, "--listen", self.gateways[number]] if role == "gateway" else command,
                self.folder / f"{role}-{number}.log",
            )
            for number in range(count)
        ]
