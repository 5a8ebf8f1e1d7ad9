"""What each way of being durable costs: `python tests/contract/speed.py`. Appends/s with 1, 64 and 512 waiting."""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter, process_time

from capicua.runtime.loop import run
from capicua.store.embedded_cluster import EmbeddedCluster
from capicua.store.embedded_store import EmbeddedStore
from capicua.store.redis_store import open_store
from capicua.store.store import Store

WAITING = (1, 64, 512)
SECONDS = 1.0
REPEATS = 5
ENTRY = b"x" * 100


@asynccontextmanager
async def single(folder: Path, durability: str) -> AsyncIterator[Store]:
    """The embedded store."""
    async with EmbeddedStore(folder, durability) as url:
        store = await open_store(url)
        yield store
        await store.close()


@asynccontextmanager
async def cluster(folder: Path, masters: int, replicas: int, wait_for: int) -> AsyncIterator[Store]:
    """An embedded cluster."""
    nodes = EmbeddedCluster(folder, masters, replicas)
    await nodes.start()
    try:
        store = await open_store(nodes.url, wait_for)
        yield store
        await store.close()
    finally:
        nodes.close()


async def rate(store: Store, waiting: int, name: str) -> tuple[float, float]:
    """Appends/s with so many games that each append as soon as they may, and our CPU for one in µs."""
    end = perf_counter() + SECONDS
    done = 0

    async def game(game_id: str) -> None:
        nonlocal done
        seq = 1
        while perf_counter() < end:
            await store.append(game_id, seq, ENTRY)
            seq += 1
        done += seq - 1

    cpu = process_time()
    await asyncio.gather(*(game(f"{name}-{number}") for number in range(waiting)))
    return done / SECONDS, (process_time() - cpu) / done * 1e6


async def main() -> None:
    """Take turns, so that a slow minute of the machine is everybody's."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        async with (
            single(root / "everysec", "everysec") as everysec,
            single(root / "always", "always") as always,
            cluster(root / "pair", 1, 1, 0) as unconfirmed,
            cluster(root / "confirmed", 1, 1, 1) as confirmed,
        ):
            stores = {
                "everysec": everysec,
                "always": always,
                "one master and its replica": unconfirmed,
                "the same, replicas=1": confirmed,
            }
            for waiting in WAITING:
                results: dict[str, list[tuple[float, float]]] = {name: [] for name in stores}
                for repeat in range(REPEATS):
                    for name, store in stores.items():
                        results[name].append(await rate(store, waiting, f"{waiting}-{repeat}"))
                for name, pairs in results.items():
                    rates = sorted(pair[0] for pair in pairs)
                    cpu = statistics.median(pair[1] for pair in pairs)
                    print(
                        f"{name:28} {waiting:4} waiting: {statistics.median(rates):8,.0f}/s "
                        f"({rates[0]:,.0f}–{rates[-1]:,.0f}), {cpu:5.1f} µs of our CPU"
                    )


if __name__ == "__main__":
    sys.exit(run(main()))
