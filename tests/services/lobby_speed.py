"""What watching the lobby costs the server, by hand: `python tests/services/lobby_speed.py`.

CPU of the server's process for a second of changes, without and with watchers, who are in another process.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import sys
import time
from multiprocessing.synchronize import Event
from pathlib import Path

import grpc

sys.path.insert(0, str(Path(__file__).parents[1]))

from capicua.api.v1 import table_service_pb2 as tables
from capicua.api.v1.types_pb2 import GameOptions, TableOptions
from capicua.runtime.loop import run
from capicua.store.memory_store import MemoryStore
from kit.gateway import Caller, ServerHere, server_here

CHANNELS = 50
PER_PLAYER = 10


def watch(address: str, tokens: list[str], ready: Event, stop: Event) -> None:
    """Watch the lobby once for each token, in a process of its own."""

    async def one(caller: Caller, complete: asyncio.Queue[None]) -> None:
        async for response in caller.call("WatchLobby", tables.WatchLobbyRequest(), timeout=1_000):
            if response.complete:
                complete.put_nowait(None)

    async def all_of_them() -> None:
        channels = [
            grpc.aio.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)]) for _ in range(CHANNELS)
        ]
        complete: asyncio.Queue[None] = asyncio.Queue()
        watching = [
            asyncio.ensure_future(one(Caller(channels[n % CHANNELS], token), complete))
            for n, token in enumerate(tokens)
        ]
        for _ in tokens:
            await complete.get()
        ready.set()
        await asyncio.to_thread(stop.wait)
        for task in watching:
            task.cancel()

    run(all_of_them())


def batched(hosts: list[Caller]) -> list[list[Caller]]:
    """A hundred at once, so that making tables does not take long."""
    return [hosts[first : first + 100] for first in range(0, len(hosts), 100)]


async def change(server: ServerHere, listed: list[tables.Table], rate: int, seconds: float) -> float:
    """Seats are taken and given up at `rate` a second; gives the CPU seconds of this process for each second."""
    began, cpu = time.monotonic(), time.process_time()
    for number in range(round(rate * seconds)):
        await asyncio.sleep(max(0.0, began + number / rate - time.monotonic()))
        table_id = listed[number // 2 % len(listed)].table_id
        guest = server.caller(f"p-guest-{number // 2}")
        if number % 2:
            await guest.call("LeaveTable", tables.LeaveTableRequest(table_id=table_id))
        else:
            await guest.call("JoinTable", tables.JoinTableRequest(table_id=table_id))
    return (time.process_time() - cpu) / (time.monotonic() - began)


async def measure(options: argparse.Namespace) -> None:
    """Make the tables, then print both figures."""
    async with server_here(MemoryStore()) as server:
        request = tables.CreateTableRequest(options=GameOptions(seats=4), table_options=TableOptions(public=True))
        hosts = [server.caller(f"p-host-{number // PER_PLAYER}") for number in range(options.tables)]
        created = [
            await asyncio.gather(*(host.call("CreateTable", request, 60) for host in part)) for part in batched(hosts)
        ]
        listed = [response.table for part in created for response in part]
        alone = await change(server, listed, options.rate, options.seconds)

        context = multiprocessing.get_context("spawn")
        ready, stop = context.Event(), context.Event()
        tokens = [
            server.caller(f"p-{number}").metadata[0][1].removeprefix("Bearer ") for number in range(options.watchers)
        ]
        process = context.Process(target=watch, args=(server.address, tokens, ready, stop))
        began, cpu = time.monotonic(), time.process_time()
        process.start()
        await asyncio.to_thread(ready.wait)
        print(
            f"{options.watchers} snapshots of {options.tables} tables: {time.process_time() - cpu:.2f} s of CPU, "
            f"{time.monotonic() - began:.1f} s"
        )
        watched = await change(server, listed, options.rate, options.seconds)
        stop.set()
        await asyncio.to_thread(process.join)
        print(
            f"CPU a second at {options.rate} changes/s: {alone * 1000:.1f} ms alone, {watched * 1000:.1f} ms watched, "
            f"so {(watched - alone) * 1000:.1f} ms for {options.watchers} watchers"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=5_000)
    parser.add_argument("--watchers", type=int, default=1_000)
    parser.add_argument("--rate", type=int, default=20, help="changes a second")
    parser.add_argument("--seconds", type=float, default=20)
    run(measure(parser.parse_args()))
