"""How long ten thousand quick matches wait for their seats, by hand: `make bench-match`.

A whole server in a process of its own, on a store of its own, and players of random strength in this one, each with
a stream over gRPC. A wait is from the call to the assignment, whose game has been made by then.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import grpc
import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from capicua.api.v1.table_service_pb2 import Assignment, QuickMatchRequest
from capicua.api.v1.types_pb2 import GameOptions, Seat
from capicua.gateway.tokens import Tokens
from capicua.runtime.loop import run
from capicua.store.ratings import Boards, Rating
from capicua.store.redis_store import open_store
from kit.gateway import Caller
from kit.server import ServerProcess
from kit.stores import real_store

CHANNELS = 50
VARIANT, FAMILY = "block", "block"
WISHES = {
    "two seats": QuickMatchRequest(options=GameOptions(variant=VARIANT, seats=2)),
    "four seats": QuickMatchRequest(options=GameOptions(variant=VARIANT, seats=4)),
    "any": QuickMatchRequest(options=GameOptions(variant=VARIANT), any_seats=True, any_target=True),
}


def strength(chance: random.Random) -> Rating:
    """Of a player with some games behind: most are near the middle."""
    return Rating(chance.gauss(25, 8), 2.0, 30)


async def seat(caller: Caller, request: QuickMatchRequest) -> tuple[float, Assignment]:
    """Wait for a seat; gives the seconds it took."""
    began = time.perf_counter()
    async for news in caller.call("QuickMatch", request, timeout=60):
        if news.HasField("assigned"):
            return time.perf_counter() - began, news.assigned
    raise RuntimeError("the queue ended without a seat")


async def measure(options: argparse.Namespace, url: str, folder: Path) -> None:
    """Ask at an even pace, then say how long it took."""
    store, chance = await open_store(url), random.Random(options.seed)
    ids = [f"p-{number}" for number in range(options.tickets)]
    ratings = {player_id: strength(chance) for player_id in ids}
    version, _ = await store.ratings((), FAMILY)
    await store.replace_ratings(FAMILY, version, Boards(ratings, {}, ()))
    tokens = Tokens(await store.secret("session-tokens"))
    await store.close()
    with ServerProcess(folder, ["--store", url, "--log-level", "warning", "--log-format", "json"]) as server:
        own = [("grpc.use_local_subchannel_pool", 1)]
        channels = [grpc.aio.insecure_channel(server.address, options=own) for _ in range(CHANNELS)]
        callers = [
            Caller(channels[number % CHANNELS], tokens.sign(Seat(player_id=player_id, name=player_id)))
            for number, player_id in enumerate(ids)
        ]
        wishes = chance.choices(list(WISHES.values()), weights=options.weights, k=options.tickets)
        cpu = sum(psutil.Process(server.pid).cpu_times()[:2])
        began, asking = time.perf_counter(), list[asyncio.Task[tuple[float, Assignment]]]()
        for number, (caller, wish) in enumerate(zip(callers, wishes, strict=True)):
            await asyncio.sleep(max(0.0, began + number * options.seconds / options.tickets - time.perf_counter()))
            asking.append(asyncio.create_task(seat(caller, wish)))
        asked = time.perf_counter() - began
        seated = await asyncio.gather(*asking)
        cpu = sum(psutil.Process(server.pid).cpu_times()[:2]) - cpu
        told(seated, asked, cpu)
        for channel in channels:
            await channel.close()


def told(seated: list[tuple[float, Assignment]], asked: float, cpu: float) -> None:
    """Print the figures; AssertionError where two have the same seat."""
    waits = statistics.quantiles((wait for wait, _ in seated), n=100, method="inclusive")
    seats = Counter((assigned.game_id, assigned.seat) for _, assigned in seated)
    assert max(seats.values()) == 1, "two players have the same seat"
    games = len({assigned.game_id for _, assigned in seated})
    print(
        f"{len(seated)} tickets in {asked:.1f} s, {games} games: waited p50 {waits[49] * 1000:.0f} ms, "
        f"p99 {waits[98] * 1000:.0f} ms, most {max(wait for wait, _ in seated) * 1000:.0f} ms, "
        f"CPU of the server {cpu / len(seated) * 1e6:.0f} µs a ticket"
    )


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
