"""How long ten thousand quick matches of many gateways wait for their seats, by hand: `make bench-match`.

Two matchmakers and two game-actors, each a process, and workers that do what a gateway does with the tickets of its
callers, who are not there: what is measured is pairing and making games. With --kill the matchmaker that has the
tickets dies in the middle. Nobody may be lost or in two games.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing.synchronize import Barrier
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from capicua.api.v1.table_service_pb2 import Assignment, Waiting
from capicua.api.v1.types_pb2 import Seat
from capicua.api.v1.update_pb2 import Refusal
from capicua.cli.local_installation import LocalInstallation
from capicua.internal.v1.game_actor_service_pb2 import CreateGameRequest
from capicua.links.directory import Directory
from capicua.links.installation import TICKETS, per_owner
from capicua.links.link_server import link_token
from capicua.links.remote_actor import RemoteActor
from capicua.links.remote_matchmaking import RemoteMatchmaking
from capicua.runtime.loop import run
from capicua.store.redis_store import open_store
from kit.eventually import until
from kit.match import WISHES, Wait, rated, summary, wait_of, wish_of

COUNTS = {"gateway": 0, "matchmaking": 2, "game-actor": 2, "timer": 1}
READY_SECONDS = 60.0
_begins: list[Barrier] = []
"""In a worker's process: where all wait for each other, for a backlog of tickets would come at once."""


async def work(options: argparse.Namespace, url: str, worker: int) -> tuple[list[Wait], int]:
    """Ask for this worker's players; gives the waits, and how many sit in other games."""
    store, loop = await open_store(url), asyncio.get_running_loop()
    directory = Directory(store)
    await directory.start()
    token = link_token(await store.secret("link"))
    actor = RemoteActor(directory, token)
    matchmaking = RemoteMatchmaking(directory, token, actor)

    async def seat(number: int) -> Wait:
        seated: asyncio.Future[Assignment] = loop.create_future()

        def told(news: Waiting | CreateGameRequest | Assignment | Refusal) -> None:
            if isinstance(news, Refusal):
                seated.set_exception(RuntimeError(news.message))
            elif isinstance(news, Assignment):
                seated.set_result(news)

        began, player_id = time.monotonic(), f"p-{number}"
        await matchmaking.enqueue(Seat(player_id=player_id, name=player_id), wish_of(number, options.weights), told)
        assigned = await seated
        return wait_of(player_id, began, time.monotonic(), assigned)

    await asyncio.to_thread(_begins[0].wait, READY_SECONDS)
    begin, asking = time.monotonic(), list[asyncio.Task[Wait]]()
    for number in range(worker, options.tickets, options.workers):
        await asyncio.sleep(max(0.0, begin + number * options.seconds / options.tickets - time.monotonic()))
        asking.append(asyncio.create_task(seat(number)))
    waits = await asyncio.gather(*asking)
    others = 0
    for wait in waits:
        others += sum(held.game_id != wait.game_id for held in await actor.seats_of(wait.player_id))
    matchmaking.close()
    actor.close()
    directory.stop()
    await store.close()
    return waits, others


def wait_at(begins: Barrier) -> None:
    """Let the worker of this process begin with the others."""
    _begins.append(begins)


def worker_process(options: argparse.Namespace, url: str, worker: int) -> tuple[list[Wait], int]:
    """`work` in a process of its own."""
    return run(work(options, url, worker))


async def kill_matchmaker(installation: LocalInstallation, seconds: float) -> None:
    """End the one that has the tickets, in the middle."""
    await asyncio.sleep(seconds / 2)
    owner = (await installation.table()).shards["matchmaking"][TICKETS].owner
    next(member for member in installation.of("matchmaking") if f"-{member.pid}-" in owner).kill()


async def measure(options: argparse.Namespace, folder: Path) -> None:
    """Ask at an even pace, then say how long it took."""
    quiet = ("--log-level", "warning")
    async with LocalInstallation(folder, counts=COUNTS, masters=1, replicas=0, options=quiet) as installation:
        url, context = installation.cluster.url, multiprocessing.get_context("spawn")

        async def shared() -> bool:
            owners = per_owner(await installation.table(), "matchmaking")
            return "" not in owners and len(owners) == COUNTS["matchmaking"]

        # The first of a role takes all shards, and gives half of them to the second.
        await until(shared, within=30)
        store = await open_store(url)
        await rated(store, [f"p-{number}" for number in range(options.tickets)], options.seed)
        await store.close()
        begins, loop = context.Barrier(options.workers + 1), asyncio.get_running_loop()
        with ProcessPoolExecutor(options.workers, context, wait_at, (begins,)) as pool:
            one = partial(worker_process, options, url)
            working = [loop.run_in_executor(pool, one, worker) for worker in range(options.workers)]
            await asyncio.to_thread(begins.wait, READY_SECONDS)
            if options.kill:
                await kill_matchmaker(installation, options.seconds)
            done: Sequence[tuple[list[Wait], int]] = await asyncio.gather(*working)
        waits = [wait for part, _ in done for wait in part]
        assert sum(others for _, others in done) == 0, "somebody sits in two games"
        print(summary(waits))


async def main(options: argparse.Namespace) -> None:
    """Measure once for each run."""
    for _ in range(options.runs):
        with tempfile.TemporaryDirectory() as folder:
            await measure(options, Path(folder) / "installation")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tickets", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=10, help="in which they are asked for")
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--kill", action="store_true", help="the matchmaker that has the tickets")
    parser.add_argument("--weights", type=float, nargs=3, default=[1, 0, 0], help=f"of {', '.join(WISHES)}")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=1)
    run(main(parser.parse_args()))
