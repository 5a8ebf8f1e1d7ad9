"""Carrying the faults out on a local installation, and making everything whole afterwards."""

from __future__ import annotations

import asyncio
import math
import os
import signal
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from redis.crc import key_slot

from capicua.cli.local_installation import LocalInstallation, Member
from capicua.cli.torture.proxy import Proxy
from capicua.cli.torture.schedule import Fault
from capicua.runtime.shard import SHARDS
from capicua.store.store import StoreUnavailable

STARTS = 20
LATE_SECONDS = 0.1
"""By how much bytes are late during "delay"."""


@dataclass
class Injected:
    """A fault that happened: from when until when (Unix ms), and what it hit."""

    fault: Fault
    at_ms: float
    shards: frozenset[int] = frozenset()
    """Those whose games it hit."""
    table: bool = False
    """Whether it hit the table of processes."""
    over_ms: float = math.inf


class Faults:
    """Of each role one process at least is left alone; the store has one fault at a time."""

    def __init__(self, installation: LocalInstallation, proxies: Sequence[Proxy]) -> None:
        self.injected: list[Injected] = []
        self.skipped: Counter[str] = Counter()
        """Faults that would have left nobody."""
        self._installation = installation
        self._proxies = proxies
        self._hurt: set[str] = set()
        self._store = asyncio.Lock()

    async def run(self, faults: Sequence[Fault]) -> None:
        """Let each begin at its time; return when the last one is over."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        async with asyncio.TaskGroup() as tasks:
            for fault in faults:
                await asyncio.sleep(max(0.0, began + fault.at - loop.time()))
                tasks.create_task(self._inject(fault))

    async def heal(self) -> None:
        """Wait until everything is there and has an owner."""
        await self._installation.cluster.settle()
        await self._installation.settle()

    async def _inject(self, fault: Fault) -> None:
        if fault.role == "store":
            if self._store.locked():
                self.skipped[fault.kind] += 1
                return
            async with self._store:
                await self._hurt_store(fault)
        elif fault.kind in ("cut", "swallow", "delay"):
            await self._hurt_connections(fault, self._proxies[fault.number % len(self._proxies)])
        else:
            await self._hurt_process(fault)

    async def _hurt_process(self, fault: Fault) -> None:
        members = self._installation.of(fault.role)
        whole = [member for member in members if member.name not in self._hurt]
        if not whole or (len(whole) == 1 and len(members) > 1):
            self.skipped[fault.kind] += 1
            return
        member = whole[fault.number % len(whole)]
        self._hurt.add(member.name)
        shards = await self._shards_of(member)
        with self._noted(fault, shards):
            match fault.kind:
                case "kill":
                    member.kill()
                    await asyncio.sleep(fault.seconds)
                    await _start(member)
                case "pause":
                    member.pause()
                    await asyncio.sleep(fault.seconds)
                    member.go_on()
                case "drain":
                    await member.drain()
                    await _start(member)
        self._hurt.discard(member.name)

    async def _hurt_store(self, fault: Fault) -> None:
        cluster = self._installation.cluster
        masters = await cluster.masters()
        node = masters[fault.number % len(masters)]
        shards, table = await self._held_by(node)
        replica = int((await cluster.ask(node, "ROLE"))[2][0][1]) if fault.kind == "fail-over" else 0
        with self._noted(fault, shards, table):
            match fault.kind:
                case "kill-store":
                    cluster.kill(node)
                    await asyncio.sleep(fault.seconds)
                case "pause-store":
                    os.kill(cluster.pids[node], signal.SIGSTOP)
                    await asyncio.sleep(fault.seconds)
                    os.kill(cluster.pids[node], signal.SIGCONT)
                case "fail-over":
                    await cluster.fail_over(cluster.ports.index(replica))
            await cluster.settle()

    async def _hurt_connections(self, fault: Fault, proxy: Proxy) -> None:
        with self._noted(fault):
            match fault.kind:
                case "cut":
                    proxy.cut()
                case "swallow":
                    proxy.swallow()
                case "delay":
                    proxy.delay = LATE_SECONDS
                    await asyncio.sleep(fault.seconds)
                    proxy.delay = 0.0

    @contextmanager
    def _noted(self, fault: Fault, shards: frozenset[int] = frozenset(), table: bool = False) -> Iterator[None]:
        hit = Injected(fault, time.time() * 1000, shards, table)
        self.injected.append(hit)
        yield
        hit.over_ms = time.time() * 1000

    async def _shards_of(self, member: Member) -> frozenset[int]:
        """The shards of games that a process owns; a process has its id in its name."""
        with suppress(StoreUnavailable):
            owned = (await self._installation.table()).shards.get(member.role, ())
            if member.role == "game-actor":
                mark = f"-{member.pid}-"
                return frozenset(number for number, shard in enumerate(owned) if mark in shard.owner)
        return frozenset()

    async def _held_by(self, node: int) -> tuple[frozenset[int], bool]:
        """The shards of games that lie on a node of the store, and whether the table of processes does."""
        cluster = self._installation.cluster
        ranges = [
            (first, last)
            for first, last, (_, port, *_), *_ in await cluster.ask(node, "CLUSTER", "SLOTS")
            if port == cluster.ports[node]
        ]
        slots = {number: key_slot(f"{{s{number:03}}}".encode()) for number in range(SHARDS)}
        held = frozenset(n for n, slot in slots.items() if any(first <= slot <= last for first, last in ranges))
        return held, any(first <= key_slot(b"meta") <= last for first, last in ranges)


async def _start(member: Member) -> None:
    """As often as it takes: where the store is away too, it does not come up."""
    for _ in range(STARTS):
        with suppress(RuntimeError):
            await member.start()
            return
        await asyncio.sleep(0.5)
    raise RuntimeError(f"{member.name} does not start any more; its log is {member.log}")
