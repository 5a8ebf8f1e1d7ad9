"""What can be seen of a server from outside: memory, connections, metrics, and the keys of its store."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar
from urllib.request import urlopen

import psutil
from prometheus_client.parser import text_string_to_metric_families
from redis import Redis
from redis.cluster import RedisCluster

from capicua.cli.local_installation import LocalInstallation
from kit.server import ServerProcess

OPEN = ("capicua_tasks", "capicua_sessions", "capicua_viewers", "capicua_tickets")
"""Figures that come back to what they were when nobody visits any more."""
QUIET_SECONDS = 90
MIB = 1024 * 1024
T = TypeVar("T")


class Vitals(NamedTuple):
    """Of one process: resident bytes, open TCP connections, and its metrics by name, summed over their labels."""

    rss: int
    connections: int
    figures: dict[str, float]


class Patient:
    """A server of one or more processes, by their names, and its store."""

    def __init__(self, processes: dict[str, tuple[int, str]], store: Redis | RedisCluster) -> None:
        self._processes = {name: (psutil.Process(pid), metrics) for name, (pid, metrics) in processes.items()}
        self._store = store

    async def look(self) -> dict[str, Vitals]:
        """The vitals of every process as they are."""
        return await asyncio.to_thread(lambda: {name: _look(*each) for name, each in self._processes.items()})

    def memory(self) -> dict[str, int]:
        """Resident bytes of every process now."""
        return {name: process.memory_info().rss for name, (process, _) in self._processes.items()}

    async def quiet(self, before: dict[str, Vitals], names: tuple[str, ...] = OPEN) -> dict[str, Vitals]:
        """Wait until these figures are no more than they were; gives the vitals then.

        After QUIET_SECONDS it gives them as they are: whoever asked will see what is left over.
        """
        # What is ours must not hold anything of theirs.
        gc.collect()
        return await _wait(self.look, lambda now: not left_over(before, now, names))

    async def reach(self, name: str, least: float) -> dict[str, Vitals]:
        """Wait until a metric, summed over all processes, has come to this; gives the vitals then, or as they are."""
        return await _wait(self.look, lambda now: sum(each.figures.get(name, 0) for each in now.values()) >= least)

    async def keys(self, ignored: tuple[str, ...] = (), before: set[str] | None = None) -> set[str]:
        """What is in the store, but for keys with an ignored part.

        Given those of `before`, once there are no others, or as they are after QUIET_SECONDS.
        """
        return await _wait(lambda: asyncio.to_thread(self._keys, ignored), lambda now: before is None or now <= before)

    def _keys(self, ignored: tuple[str, ...]) -> set[str]:
        keys = (key.decode() for key in self._store.scan_iter(count=1000))
        return {key for key in keys if not any(part in key for part in ignored)}


async def _wait(look: Callable[[], Awaitable[T]], enough: Callable[[T], bool]) -> T:
    end = time.monotonic() + QUIET_SECONDS
    while True:
        now = await look()
        if enough(now) or time.monotonic() > end:
            return now
        await asyncio.sleep(0.1)


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
    return Vitals(process.memory_info().rss, len(process.net_connections("tcp")), figures)
