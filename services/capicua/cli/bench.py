"""`capicua bench`: load on a running server or on one of its own, and what it costs."""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from capicua.cli.bench_load import Load
from capicua.cli.local_installation import LocalInstallation
from capicua.cli.own_server import OwnServer
from capicua.engine import VARIANTS
from capicua.runtime.settings import address, count, seconds


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "bench",
        help="put load on a server and print what it costs",
        description="Every seat is a client with its own connection, in a process apart from the server, and "
        "plays a legal tile as soon as it is its turn. While it runs, every viewer is checked for gaps, doubles "
        "and hidden tiles.",
        epilog="example: capicua bench --tables 50 --seconds 10",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--server",
        type=address,
        metavar="ADDRESS",
        help="a running server of this machine (default: start one)",
    )
    where.add_argument(
        "--split",
        type=count,
        metavar="N",
        help="start N gateways and N game-actors in processes of their own, instead of one process for all",
    )
    parser.add_argument("--tables", type=count, default=50, help="tables that play at once (default 50)")
    parser.add_argument("--seats", type=int, default=2, choices=range(2, 9), help="seats of each table (default 2)")
    parser.add_argument("--variant", default="block", help=f"{', '.join(VARIANTS)} (default block)")
    parser.add_argument("--seconds", type=seconds, default=10.0, help="how long to measure (default 10)")
    parser.add_argument("--spectators", type=int, default=0, help="spectators of the first table (default 0)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the choice of plays (default 1)")
    parser.add_argument("--json", action="store_true", help="print the figures as one JSON object")
    parser.set_defaults(run=run)


class Served(NamedTuple):
    """What the load is put on."""

    addresses: list[str]
    processes: list[psutil.Process]
    store: list[psutil.Process]


def run(arguments: argparse.Namespace) -> int:
    """Measure and print; 1 if any viewer saw a fault."""
    if arguments.split:
        figures = asyncio.run(_measure_split(arguments))
    elif arguments.server:
        figures = _measure(arguments, _one(arguments.server, _server_process(arguments.server)))
    else:
        with OwnServer(["--log-format", "json"]) as server:
            figures = _measure(arguments, _one(server.address, psutil.Process(server.pid)))
    if arguments.json:
        print(json.dumps(figures))
    else:
        _print(figures)
    return 1 if figures["faults"] else 0


def _server_process(address: str) -> psutil.Process:
    port = int(address.rpartition(":")[2])
    for connection in psutil.net_connections("tcp"):
        listens = connection.status == psutil.CONN_LISTEN and connection.laddr[1:2] == (port,)
        if listens and connection.pid:
            return psutil.Process(connection.pid)
    raise SystemExit(f"no process of this machine that you may look at listens on port {port}")


def _one(address: str, server: psutil.Process) -> Served:
    return Served([address], [server], server.children(recursive=True))


async def _measure_split(arguments: argparse.Namespace) -> dict[str, Any]:
    counts = {"gateway": arguments.split, "game-actor": arguments.split, "timer": 1, "matchmaking": 1}
    with tempfile.TemporaryDirectory(prefix="capicua-") as folder:
        async with LocalInstallation(Path(folder) / "installation", counts=counts, masters=1, replicas=0) as all_of_it:
            processes = [psutil.Process(member.pid) for member in all_of_it.members.values()]
            store = [psutil.Process(pid) for pid in all_of_it.cluster.pids]
            return await asyncio.to_thread(_measure, arguments, Served(all_of_it.gateways, processes, store))


def _cpu(processes: list[psutil.Process]) -> float:
    times = [process.cpu_times() for process in processes]
    return sum(t.user + t.system for t in times)


def _rss(served: Served) -> int:
    return sum(process.memory_info().rss for process in (*served.processes, *served.store))


def _measure(arguments: argparse.Namespace, served: Served) -> dict[str, Any]:
    load = Load(
        addresses=served.addresses,
        variant=arguments.variant,
        seats=arguments.seats,
        tables=arguments.tables,
        seconds=arguments.seconds,
        spectators=arguments.spectators,
        seed=arguments.seed,
    )
    rss_before = _rss(served)
    command = [sys.executable, "-m", "capicua.cli.bench_load", json.dumps(asdict(load))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as loader:
        assert loader.stdout is not None
        if not loader.stdout.readline():
            raise SystemExit("the load could not be set up; see above")
        process_before, store_before = _cpu(served.processes), _cpu(served.store)
        seen = json.loads(loader.stdout.readline() or "{}")
        process_after, store_after = _cpu(served.processes), _cpu(served.store)
        rss_after = _rss(served)
    if not seen:
        raise SystemExit("the load ended before its time; see above")
    moves, seconds = seen["moves"], seen["seconds"]
    latencies = sorted(seen["latencies_ms"]) or [0.0]
    per_1000 = 1000 / max(1, moves)
    return {
        "processes": len(served.processes),
        "tables": load.tables,
        "seats": load.seats,
        "variant": load.variant,
        "spectators": load.spectators,
        "seconds": round(seconds, 2),
        "moves_per_second": round(moves / seconds, 1),
        "deliveries_per_second": round(seen["deliveries"] / seconds, 1),
        "move_ms_p50": round(statistics.median(latencies), 3),
        "move_ms_p99": round(latencies[int(len(latencies) * 0.99) - 1], 3),
        "server_cpu_seconds_per_1000_moves": round((process_after - process_before) * per_1000, 4),
        "store_cpu_seconds_per_1000_moves": round((store_after - store_before) * per_1000, 4),
        "all_cpu_seconds_per_1000_moves": round(
            (process_after - process_before + store_after - store_before) * per_1000, 4
        ),
        "rss_kib_per_table": round((rss_after - rss_before) / 1024 / load.tables, 1),
        "faults": seen["faults"],
    }


def _print(figures: dict[str, Any]) -> None:
    for name, value in figures.items():
        if name != "faults":
            print(f"{name.replace('_', ' '):36} {value}")
    faults = figures["faults"]
    print(f"{'faults':36} {len(faults)}")
    for fault in faults[:10]:
        print(f"  {fault}", file=sys.stderr)
