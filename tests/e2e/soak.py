"""Nothing leaks, a slow reader makes nobody wait, and a crowd at one table does not slow another.

Run by `make soak ARGS="--streams 100000 --games 10000 --spectators 500"`: real server processes, looked at from
outside. Prints a table of figures; the exit status is 1 if a promise was broken.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import reduce
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from capicua.api.v1.game_service_pb2 import Watch
from capicua.api.v1.types_pb2 import GameOptions
from capicua.bots import play
from capicua.cli.local_installation import LocalInstallation
from capicua.client import Client, Game, connect
from capicua.engine import VARIANTS
from capicua.runtime.ids import BOTS
from capicua.runtime.loop import run
from capicua.store.open_archive import archive_in
from kit.crowd import crowd
from kit.eventually import eventually
from kit.installation import Player, Session
from kit.server import ServerProcess
from kit.slow_reader import SlowReader
from kit.visits import WAYS, Host, begin, channel_to, move, sign_in, visit
from kit.vitals import MIB, OPEN, Patient, Vitals, left_over, of_installation, of_server

FLAT = 1.05
"""How much of its memory a process may have in the end that has done the same for a while before."""
CLOSING = 8
"""Connections that are being closed."""
METRICS = ("--metrics", "127.0.0.1:0")
SLOW_READER_BYTES = 1024 * 1024
"""A message that is being written, as much again that waits, and what the wire holds."""
MOVES = "capicua_moves_total"
HOST_OWNS = (":table", ":running", ":finished")
"""Keys of the host's tables and games; new games would show by their logs."""
PLAYED = ("capicua_games", "capicua_games_to_archive", "capicua_deadlines", *OPEN)
NOBODY_PAIRED = ("--bot-fill", "600")
Progress = Callable[[str], None]


class Finding(NamedTuple):
    """What was promised, what was found, and whether that is the same."""

    promise: str
    found: str
    kept: bool


def _memory(before: dict[str, int], after: dict[str, int], flat: float) -> list[Finding]:
    return [
        Finding(
            f"{name}: memory of the second half within {flat - 1:.0%} of the first",
            f"{before[name] / MIB:.1f} → {rss / MIB:.1f} MiB ({rss / before[name] - 1:+.1%})",
            rss <= before[name] * flat,
        )
        for name, rss in after.items()
    ]


def _higher(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    return {name: max(one.get(name, 0), rss) for name, rss in other.items()}


def _left(resting: dict[str, Vitals], after: dict[str, Vitals], names: tuple[str, ...], of: str) -> list[Finding]:
    left = left_over(resting, after, names)
    was, now = (sum(vitals.connections for vitals in each.values()) for each in (resting, after))
    return [
        Finding(f"nothing is left of {of}", ", ".join(f"{name} +{more:g}" for name, more in left.items()), not left),
        Finding("nor any connection", f"{was} → {now}", now <= was + CLOSING),
    ]


def _keys(before: set[str], after: set[str]) -> Finding:
    new = sorted(after - before)
    return Finding("nor anything in the store", f"{len(new)} new keys {', '.join(new[:3])}".rstrip(), not new)


async def streams(patient: Patient, address: str, count: int, guests: int, say: Progress, flat: float) -> list[Finding]:
    """So many streams of every kind are opened and left in every way, half of them without a goodbye.

    A tenth more is opened before, as a warm-up. Memory rises and falls with garbage and as caches fill, so the most
    of the first half is compared with the most of the second: a leak goes on.
    """
    host = Host(address)
    await host.invite(guests)
    visits, ways = count // guests, len(WAYS)
    tenth = max(ways, visits // 10)
    resting, keys = await patient.look(), await patient.keys(HOST_OWNS)
    warm, last = dict[str, int](), dict[str, int]()
    stage, rested = await host.stage(), resting
    for number in range(-tenth, visits):
        await visit(stage, WAYS[number % ways], number)
        say(f"{max(0, number + 1) * guests} of {count} streams")
        if number == 0:
            rested = await patient.quiet(resting)
        if number < visits // 2:
            warm = _higher(warm, patient.memory())
        else:
            last = _higher(last, patient.memory())
        stage = await host.stage()
    after = await patient.quiet(resting)
    ignored = (*HOST_OWNS, stage.game_id)
    findings = [
        *_left(rested, after, OPEN, f"{visits * guests:,} streams"),
        _keys(keys, await patient.keys(ignored, keys)),
        *_memory(warm, last, flat),
    ]
    await host.clear()
    return findings


async def games(patient: Patient, address: str, count: int, at_once: int, say: Progress, flat: float) -> list[Finding]:
    """So many games of every variant from start to end: half at private tables, half quick matches with bots.

    A tenth more is played before, as a warm-up; `count` of 1,000 or more also waits for the tables to be forgotten.
    """
    ignored = () if count >= 1000 else (":table",)
    # The bots are visitors who stay.
    resting, keys = await patient.reach("capicua_sessions", len(BOTS)), await patient.keys(ignored)
    memories: list[dict[str, int]] = []

    def over() -> None:
        memories.append(patient.memory())
        say(f"{max(0, len(memories) - tenth)} of {count} games")

    tenth = max(at_once, count // 10)
    await _play(address, tenth, at_once, over)
    rested = await patient.quiet(resting, PLAYED)
    await _play(address, count, at_once, over)
    half = len(memories) // 2
    warm, last = (reduce(_higher, part) for part in (memories[:half], memories[half:]))
    after = await patient.quiet(resting, PLAYED)
    moves = sum(vitals.figures[MOVES] for vitals in after.values())
    return [
        *_left(rested, after, PLAYED, f"{count:,} games, {moves:,.0f} moves"),
        _keys(keys, await patient.keys(ignored, keys)),
        *_memory(warm, last, flat),
    ]


async def _play(address: str, count: int, at_once: int, over: Callable[[], None]) -> None:
    variants, numbers = list(VARIANTS), iter(range(count))

    async def play_on() -> None:
        for number in numbers:
            variant = variants[number // 2 % len(variants)]
            await (_at_a_table if number % 2 else _quick_match)(address, variant)
            over()

    async with asyncio.TaskGroup() as group:
        for _ in range(at_once):
            group.create_task(play_on())


async def _quick_match(address: str, variant: str) -> None:
    async with connect(address, name="Ana") as ana:
        game_id = (await ana.quick_match(variant, target=1)).game_id
        await play(await ana.watch(game_id), "greedy")


async def _at_a_table(address: str, variant: str) -> None:
    async with connect(address, name="Ana") as ana, connect(address, name="Ben") as ben:
        table = await ana.create_table(GameOptions(variant=variant, target=1))
        await ben.join_table(table.code)
        game_id = (await ana.start_table(table.table_id)).game_id
        await asyncio.gather(*[play(await player.watch(game_id), "greedy") for player in (ana, ben)])


async def slow_readers(patient: Patient, address: str, count: int) -> list[Finding]:
    """So many sessions ask and do not read: each is cut with RESYNC and resumes without a gap, in bounded memory.

    Meanwhile a spectator who reads sees every move of the same game at once.
    """
    async with channel_to(address) as channel:
        players = [await sign_in(channel, name) for name in ("Ana", "Ben", "Eve")]
        game_id = await begin(players[:2], target=10_000)
        reader = Session(players[2])
        await reader.say(watch=Watch(game_id=game_id))
        slow = [SlowReader(address, await sign_in(channel, f"Slow {number}"), game_id) for number in range(count)]
        before = sum(patient.memory().values())
        await asyncio.gather(*[each.ask() for each in slow])
        cut = await patient.reach("capicua_calls_refused_total", count)
        grown = sum(patient.memory().values()) - before
        seen_after = [await _seen_after(players[:2], game_id, reader) for _ in range(5)]
        newest = reader.seqs()[-1]
        resumed = [await each.resume(newest) for each in slow]
        reader.close()
    refused = sum(vitals.figures.get("capicua_calls_refused_total", 0) for vitals in cut.values())
    return [
        Finding(
            f"{count} slow readers are cut with RESYNC", f"{refused:.0f} cut, {sum(resumed)} resumed", all(resumed)
        ),
        Finding("who reads sees a move at once", f"after {max(seen_after) * 1000:.0f} ms", max(seen_after) < 1),
        Finding(
            f"{SLOW_READER_BYTES // 1024} KiB for each of them",
            f"{grown / count / 1024:.0f} KiB",
            grown < count * SLOW_READER_BYTES,
        ),
    ]


async def _seen_after(players: list[Player], game_id: str, reader: Session) -> float:
    began = time.perf_counter()
    seq = await move(players, game_id)
    await eventually(lambda: reader.seqs()[-1] >= seq, within=30)
    return time.perf_counter() - began


async def storm(address: str, spectators: int, seconds: float, rounds: int, say: Progress) -> list[Finding]:
    """So many spectators of one table, a fifth of whom do not read, do not slow another table.

    Its moves are timed with and without them in turn, while the watched table plays on as people do.
    """
    took: list[float] = []

    def p99() -> float:
        result = statistics.quantiles(took, n=100)[-1] * 1000
        took.clear()
        return result

    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(connect(address, name=f"Player {number}")) for number in range(4)]
        watched, measured = [await _endless(pair) for pair in (clients[:2], clients[2:])]
        for games, pause, note in ((watched, 0.2, list[float]()), (measured, 0.01, took)):
            for game in games:
                stack.callback(asyncio.ensure_future(_play_on(game, pause, note)).cancel)
        await asyncio.sleep(seconds)
        alone, arriving, crowded, told = list[float](), list[float](), list[float](), 0.0
        for number in range(rounds):
            took.clear()
            await asyncio.sleep(seconds)
            alone.append(p99())
            others = spectators // 5
            async with crowd(address, clients[0].token, watched[0].game_id, spectators - others, others) as there:
                arriving.append(p99())
                before, began = await there.messages(), time.perf_counter()
                await asyncio.sleep(seconds)
                crowded.append(p99())
                told = (await there.messages() - before) / (time.perf_counter() - began)
            say(f"round {number + 1} of {rounds}: p99 {alone[-1]:.1f} → {crowded[-1]:.1f} ms")
    # Whatever else the machine does only adds to the time, so the best round says most.
    was, first, now = (min(each) for each in (alone, arriving, crowded))
    return [
        Finding(
            f"{spectators} spectators do not double the p99 elsewhere",
            f"{was:.1f} → {now:.1f} ms with {told:,.0f} updates/s, {first:.1f} ms while they come",
            now <= 2 * was,
        )
    ]


async def _play_on(game: Game, pause: float, took: list[float]) -> None:
    """Play for ever, with pauses of so many seconds on average, and note how long each move took to be accepted."""
    chance = random.Random(game.seat)
    async for _ in game:
        if game.my_turn and game.view.legal:
            await asyncio.sleep(chance.expovariate(1 / pause))
            began = time.perf_counter()
            await game.play(game.view.legal[0].tile, game.view.legal[0].end)
            took.append(time.perf_counter() - began)


async def _endless(pair: list[Client]) -> list[Game]:
    """A game without end at a table of two."""
    options = GameOptions(variant="block", seats=2, target=10_000, turn_seconds=120)
    table = await pair[0].create_table(options)
    await pair[1].join_table(table.code)
    game_id = (await pair[0].start_table(table.table_id)).game_id
    return [await client.watch(game_id) for client in pair]


@contextmanager
def one_process(*options: str) -> Iterator[tuple[str, Patient]]:
    """The address of a server that is everything in one process, and a look at it."""
    with tempfile.TemporaryDirectory(prefix="capicua-") as folder:
        every = ["--log-format", "json", "--bot-pause", "0", *METRICS, *options]
        with ServerProcess(Path(folder), every) as server, of_server(server) as patient:
            yield server.address, patient


@asynccontextmanager
async def several_processes() -> AsyncIterator[tuple[str, Patient]]:
    """The address of the gateway of an installation with one process for each service, and a look at all of them."""
    counts = dict.fromkeys(("gateway", "game-actor", "timer", "matchmaking"), 1)
    with tempfile.TemporaryDirectory(prefix="capicua-") as folder:
        archive = ["--archive", archive_in(Path(folder))]
        every = LocalInstallation(
            Path(folder) / "run", counts=counts, masters=1, replicas=0, options=[*NOBODY_PAIRED, *archive, *METRICS]
        )
        async with every as installation:
            with of_installation(installation) as patient:
                yield installation.gateways[0], patient


async def soak(wanted: argparse.Namespace, say: Progress) -> AsyncIterator[list[Finding]]:
    """Every stage in turn at the wanted size; a size of 0 leaves it out."""
    if wanted.streams:
        with one_process(*NOBODY_PAIRED) as (address, patient):
            yield await streams(patient, address, wanted.streams, wanted.guests, say, FLAT)
        async with several_processes() as (address, patient):
            yield await streams(patient, address, wanted.streams, wanted.guests, say, FLAT)
    if wanted.games:
        with one_process("--bot-fill", "0") as (address, patient):
            yield await games(patient, address, wanted.games, wanted.at_once, say, FLAT)
    if wanted.slow_readers:
        with one_process() as (address, patient):
            yield await slow_readers(patient, address, wanted.slow_readers)
    if wanted.spectators:
        with one_process() as (address, _):
            yield await storm(address, wanted.spectators, wanted.seconds, wanted.rounds, say)


async def main() -> int:
    """Soak, print each finding when it is known; 1 if a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=10_000, help="on one process, and again on several")
    parser.add_argument("--guests", type=int, default=500, help="streams that are open at once")
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--at-once", type=int, default=10, help="games that are played at once")
    parser.add_argument("--slow-readers", type=int, default=20)
    parser.add_argument("--spectators", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5, help="times the spectators come and go")
    parser.add_argument("--seconds", type=float, default=5, help="that moves are timed with and without them")
    kept = True

    def say(progress: str) -> None:
        print(f"{progress:60}", end="\r", file=sys.stderr, flush=True)

    async for findings in soak(parser.parse_args(), say):
        for finding in findings:
            print(f"{'kept' if finding.kept else 'BROKEN':8}{finding.promise:60}{finding.found}", flush=True)
            kept &= finding.kept
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(run(main()))
