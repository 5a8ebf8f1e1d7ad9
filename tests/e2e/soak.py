"""Nothing leaks, a slow reader makes nobody wait, and a crowd at one table does not slow another.

Run by `make soak ARGS="--streams 100000 --games 10000 --spectators 500"`: real server processes, looked at from
outside. Prints a table of figures; the exit status is 1 if a promise was broken.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from capicua.api.v1.types_pb2 import GameOptions
from capicua.bots import play
from capicua.cli.local_installation import LocalInstallation
from capicua.client import connect
from capicua.engine import VARIANTS
from capicua.runtime.archive import archive_in
from kit.server import ServerProcess
from kit.visits import WAYS, Host, visit
from kit.vitals import MIB, OPEN, Patient, Vitals, left_over, of_installation, of_server

FLAT = 1.05
"""How much of its memory a process may have in the end that has done the same for a while before."""
SPARE_DESCRIPTORS = 8
"""Connections that are being closed."""
METRICS = ("--metrics", "127.0.0.1:0")
MOVES = "capicua_moves_total"
PLAYED = ("capicua_games", "capicua_games_to_archive", "capicua_deadlines", *OPEN)
Progress = Callable[[str], None]


class Finding(NamedTuple):
    """What was promised, what was found, and whether that is the same."""

    promise: str
    found: str
    kept: bool


def _memory(before: dict[str, Vitals], after: dict[str, Vitals], flat: float) -> list[Finding]:
    return [
        Finding(
            f"{name}: memory within {flat - 1:.0%}",
            f"{before[name].rss / MIB:.1f} → {vitals.rss / MIB:.1f} MiB ({vitals.rss / before[name].rss - 1:+.1%})",
            vitals.rss <= before[name].rss * flat,
        )
        for name, vitals in after.items()
    ]


def _descriptors(before: dict[str, Vitals], after: dict[str, Vitals]) -> Finding:
    was, now = (sum(vitals.descriptors for vitals in each.values()) for each in (before, after))
    return Finding("no file descriptors left", f"{was} → {now}", now <= was + SPARE_DESCRIPTORS)


def _keys(before: set[str], after: set[str]) -> Finding:
    new = sorted(after - before)
    return Finding("no keys left in the store", f"{len(before)} → {len(after)} {', '.join(new[:3])}", not new)


async def streams(patient: Patient, address: str, count: int, guests: int, say: Progress, flat: float) -> list[Finding]:
    """So many streams of every kind are opened and left in every way, half of them without a goodbye.

    A tenth more is visited before, as a warm-up.
    """
    host = Host(address)
    await host.invite(guests)
    visits, ways = count // guests, len(WAYS)
    resting = before = await patient.look()
    stage, keys = await host.stage(), await patient.keys()
    for number in range(-max(ways, visits // 10), visits):
        if number == 0:
            before = await patient.quiet(resting)
        stage = await host.stage()
        await visit(stage, WAYS[number % ways], number)
        say(f"{max(0, number + 1) * guests} of {count} streams")
    after = await patient.quiet(resting)
    left = left_over(resting, after)
    findings = [
        Finding(f"nothing left of {visits * guests} streams", str(left or "nothing"), not left),
        _descriptors(before, after),
        _keys(keys, {key for key in await patient.keys() if stage.game_id not in key}),
        *_memory(before, after, flat),
    ]
    await host.clear()
    return findings


async def games(patient: Patient, address: str, count: int, at_once: int, say: Progress, flat: float) -> list[Finding]:
    """So many games of every variant from start to end: half at private tables, half quick matches with bots.

    A tenth more is played before, as a warm-up.
    """
    resting, first_keys = await patient.look(), await patient.keys()
    await _play(address, count // 10, at_once, say)
    before = await patient.quiet(resting, PLAYED)
    await _play(address, count, at_once, say)
    after = await patient.quiet(resting, PLAYED)
    left = left_over(resting, after, PLAYED)
    played = sum(after[name].figures.get(MOVES, 0) - before[name].figures.get(MOVES, 0) for name in after)
    return [
        Finding(f"nothing left of {count} games", f"{left or 'nothing'} after {played:.0f} moves", not left),
        _descriptors(before, after),
        _keys(first_keys, await patient.keys_down_to(first_keys)),
        *_memory(before, after, flat),
    ]


async def _play(address: str, count: int, at_once: int, say: Progress) -> None:
    variants, numbers, over = list(VARIANTS), iter(range(count)), 0

    async def play_on() -> None:
        nonlocal over
        for number in numbers:
            variant = variants[number // 2 % len(variants)]
            await (_at_a_table if number % 2 else _quick_match)(address, variant)
            over += 1
            say(f"{over} of {count} games")

    async with asyncio.TaskGroup() as group:
        for _ in range(at_once):
            group.create_task(play_on())


async def _quick_match(address: str, variant: str) -> None:
    async with connect(address, name="Ana") as ana:
        await play(await ana.watch((await ana.quick_match(variant, target=1)).game_id))


async def _at_a_table(address: str, variant: str) -> None:
    async with connect(address, name="Ana") as ana, connect(address, name="Ben") as ben:
        table = await ana.create_table(GameOptions(variant=variant, target=1))
        await ben.join_table(table.code)
        game_id = (await ana.start_table(table.table_id)).game_id
        await asyncio.gather(*[play(await player.watch(game_id)) for player in (ana, ben)])


async def _streams_of_one_process(count: int, guests: int, say: Progress, flat: float = FLAT) -> list[Finding]:
    with tempfile.TemporaryDirectory(prefix="capicua-") as folder:
        options = ["--bot-fill", "600", "--log-format", "json", *METRICS]
        with ServerProcess(Path(folder), options) as server, of_server(server) as patient:
            return await streams(patient, server.address, count, guests, say, flat)


async def _streams_of_an_installation(count: int, guests: int, say: Progress, flat: float = FLAT) -> list[Finding]:
    counts = {"gateway": 1, "game-actor": 1, "timer": 1, "matchmaking": 1}
    with tempfile.TemporaryDirectory(prefix="capicua-") as folder:
        options = ["--bot-fill", "600", "--archive", archive_in(Path(folder)), *METRICS]
        async with LocalInstallation(
            Path(folder) / "run", counts=counts, masters=1, replicas=0, options=options
        ) as installation:
            with of_installation(installation) as patient:
                return await streams(patient, installation.gateways[0], count, guests, say, flat)


async def _games_of_one_process(count: int, at_once: int, say: Progress, flat: float = FLAT) -> list[Finding]:
    with tempfile.TemporaryDirectory(prefix="capicua-") as folder:
        options = ["--bot-fill", "0", "--bot-pause", "0", "--log-format", "json", *METRICS]
        with ServerProcess(Path(folder), options) as server, of_server(server) as patient:
            return await games(patient, server.address, count, at_once, say, flat)


if __name__ == "__main__":
    for stage in (_streams_of_one_process, _streams_of_an_installation, _games_of_one_process)[int(sys.argv[3]) :]:
        for f in asyncio.run(stage(int(sys.argv[1]), int(sys.argv[2]), lambda t: print(t, end="\r", file=sys.stderr))):
            print(f, flush=True)
