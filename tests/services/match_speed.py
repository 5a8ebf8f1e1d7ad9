"""How long ten thousand quick matches wait for their seats at a whole server, by hand: `make bench-match`.

The server is a process of its own, on a store of its own. Players of random strength are in this one, each with a
stream over gRPC. A wait is from the call to the assignment, whose game has been made by then.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

import grpc
import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from capicua.api.v1.table_service_pb2 import QuickMatchRequest
from capicua.api.v1.types_pb2 import Seat
from capicua.gateway.tokens import Tokens
from capicua.runtime.loop import run
from capicua.store.redis_store import open_store
from kit.gateway import Caller
from kit.match import WISHES, Wait, rated, summary, wait_of, wish_of
from kit.server import ServerProcess
from kit.stores import real_store

CHANNELS = 50


async def seat(player_id: str, caller: Caller, request: QuickMatchRequest) -> Wait:
    """Wait for a seat."""
    began = time.perf_counter()
    async for news in caller.call("QuickMatch", request, timeout=60):
        if news.HasField("assigned"):
            return wait_of(player_id, began, time.perf_counter(), news.assigned)
    raise RuntimeError("the queue ended without a seat")


async def measure(options: argparse.Namespace, url: str, folder: Path) -> None:
    """Ask at an even pace, then say how long it took."""
    store = await open_store(url)
    ids = [f"p-{number}" for number in range(options.tickets)]
    await rated(store, ids, options.seed)
    tokens = Tokens(await store.secret("session-tokens"))
    await store.close()
    with ServerProcess(folder, ["--store", url, "--log-level", "warning", "--log-format", "json"]) as server:
        own = [("grpc.use_local_subchannel_pool", 1)]
        channels = [grpc.aio.insecure_channel(server.address, options=own) for _ in range(CHANNELS)]
        callers = [
            Caller(channels[number % CHANNELS], tokens.sign(Seat(player_id=player_id, name=player_id)))
            for number, player_id in enumerate(ids)
        ]
        cpu = sum(psutil.Process(server.pid).cpu_times()[:2])
        began, asking = time.perf_counter(), list[asyncio.Task[Wait]]()
        for number, player_id in enumerate(ids):
            await asyncio.sleep(max(0.0, began + number * options.seconds / options.tickets - time.perf_counter()))
            wish = wish_of(number, options.weights)
            asking.append(asyncio.create_task(seat(player_id, callers[number], wish)))
        waits = await asyncio.gather(*asking)
        cpu = sum(psutil.Process(server.pid).cpu_times()[:2]) - cpu
        print(f"{summary(waits)}, CPU of the server {cpu / len(waits) * 1e6:.0f} µs a ticket")
        for channel in channels:
            await channel.close()


async def main(options: argparse.Namespace) -> None:
    """Measure once for each run."""
    for _ in range(options.runs):
        with tempfile.TemporaryDirectory() as folder:
            async with real_store(Path(folder)) as url:
                await measure(options, url, Path(folder))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tickets", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=10, help="in which they are asked for")
    parser.add_argument("--weights", type=float, nargs=3, default=[1, 0, 0], help=f"of {', '.join(WISHES)}")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=1)
    run(main(parser.parse_args()))
