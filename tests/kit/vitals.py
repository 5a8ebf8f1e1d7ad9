"""What can be seen of a server from outside: memory, descriptors, metrics, and the keys of its store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

import psutil
from prometheus_client.parser import text_string_to_metric_families
from redis import Redis
from redis.cluster import RedisCluster

from capicua.cli.local_installation import LocalInstallation
from kit.server import ServerProcess

OPEN = ("capicua_tasks", "capicua_sessions", "capicua_viewers", "capicua_tickets")
"""Figures that come back to what they were when nobody visits any more."""
QUIET_SECONDS = 60
MIB = 1024 * 1024


class Vitals(NamedTuple):
    """Of one process: resident bytes, open file descriptors, and its metrics by name, summed over their labels."""

    rss: int
    descriptors: int
    figures: dict[str, float]


class Patient:
    """A server of one or more processes, by their names, and its store."""

    def __init__(self, processes: dict[str, tuple[int, str]], store: Redis | RedisCluster) -> None:
        self._processes = {name: (psutil.Process(pid), metrics) for name, (pid, metrics) in processes.items()}
        self._store = store

    async def look(self) -> dict[str, Vitals]:
        """The vitals of every process as they are."""
        return await asyncio.to_thread(lambda: {name: _look(*each) for name, each in self._processes.items()})

    async def figure(self, name: str) -> float:
        """One metric, summed over all processes."""
        return sum(each.figures.get(name, 0) for each in (await self.look()).values())

    async def quiet(self, before: dict[str, Vitals], names: tuple[str, ...] = OPEN) -> dict[str, Vitals]:
        """Wait until these figures are no more than they were, as long as that takes; gives the vitals then.

        After QUIET_SECONDS it gives them as they are: whoever asked will see what is left over.
        """
        return await self.until(lambda now: not left_over(before, now, names))

    async def until(self, true: Callable[[dict[str, Vitals]], bool]) -> dict[str, Vitals]:
        """Look until it is true, for QUIET_SECONDS at the most."""
        end = asyncio.get_running_loop().time() + QUIET_SECONDS
        while True:
            now = await self.look()
            if true(now) or asyncio.get_running_loop().time() > end:
                return now
            await asyncio.sleep(0.1)

    async def keys(self) -> set[str]:
        """What is in the store."""
        found = await asyncio.to_thread(lambda: list(self._store.scan_iter(count=1000)))
        return {key.decode() for key in found}

    async def keys_down_to(self, few: set[str]) -> set[str]:
        """Wait until there are no others than these few, for QUIET_SECONDS at the most; gives those there are."""
        end = asyncio.get_running_loop().time() + QUIET_SECONDS
        while (keys := await self.keys()) - few and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.1)
        return keys


def left_over(before: dict[str, Vitals], now: dict[str, Vitals], names: tuple[str, ...] = OPEN) -> dict[str, float]:
    """By how much figures are higher than before, by process and name; those that are not are left out."""
    grown = {
        f"{process} {name}": vitals.figures.get(name, 0) - before[process].figures.get(name, 0)
        for process, vitals in now.items()
        for name in names
    }
    return {name: growth for name, growth in grown.items() if growth > 0}


@contextmanager
def of_server(server: ServerProcess) -> Iterator[Patient]:
    """Look at a server that is everything in one process, with its embedded store."""
    with Redis(unix_socket_path=str(Path(server.data) / "store" / "store.sock")) as store:
        yield Patient({"server": (server.pid, server.metrics)}, store)


@contextmanager
def of_installation(installation: LocalInstallation) -> Iterator[Patient]:
    """Look at every process of an installation, and at its cluster."""
    first = installation.cluster.url.partition("//")[2].partition(",")[0]
    host, _, port = first.rpartition(":")
    processes = {name: (member.pid, member.metrics) for name, member in installation.members.items()}
    with RedisCluster(host=host, port=int(port)) as store:
        yield Patient(processes, store)


def _look(process: psutil.Process, metrics: str) -> Vitals:
    with urlopen(f"http://{metrics}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    figures: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            figures[sample.name] = figures.get(sample.name, 0) + sample.value
    return Vitals(process.memory_info().rss, process.num_fds(), figures)
