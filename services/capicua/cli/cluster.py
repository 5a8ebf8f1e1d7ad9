"""`capicua cluster`: a real installation on this machine, to look at and to play with."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from capicua.cli.local_installation import COUNTS, LocalInstallation
from capicua.runtime.loop import run as run_loop
from capicua.runtime.settings import DEFAULT_ADDRESS, count, data_folder, whole
from capicua.store.store import StoreUnavailable

FIRST_PORT = int(DEFAULT_ADDRESS.rpartition(":")[2])


def running_cluster() -> Path:
    """The file that holds the store's URL of the installation that runs on this machine, while one does."""
    return Path(data_folder()) / "cluster"


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "cluster",
        help="run an installation of many processes on this machine",
        description="Runs a Redis Cluster and every service in processes of its own, as a large installation does on "
        f"many machines, until Ctrl-C. Its gateways take the place of `capicua serve`, on port {FIRST_PORT} and those "
        "after it. `capicua status` looks at it.",
        epilog="example: capicua cluster --game-actor 4",
    )
    parser.add_argument("--data", type=Path, help="new folder for logs and the store (default: one that is removed)")
    for role, number in COUNTS.items():
        parser.add_argument(f"--{role}", type=count, default=number, help=f"processes of it (default {number})")
    parser.add_argument("--masters", type=count, default=3, help="nodes of the store (default 3)")
    parser.add_argument("--replicas", type=whole, default=1, help="replicas of each, which have every move (default 1)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run it until told to stop."""
    with ExitStack() as stack:
        folder = arguments.data or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="capicua-")))
        if folder.exists() and any(folder.iterdir()):
            print(f"capicua cluster: {folder} is not empty: name a new folder with --data", file=sys.stderr)
            return 2
        counts = {role: getattr(arguments, role.replace("-", "_")) for role in COUNTS}
        installation = LocalInstallation(
            folder,
            counts=counts,
            masters=arguments.masters,
            replicas=arguments.replicas,
            wait=arguments.replicas,
            ports=range(FIRST_PORT, FIRST_PORT + counts["gateway"]),
        )
        try:
            run_loop(_run(installation))
        except (OSError, RuntimeError, StoreUnavailable) as failure:
            print(f"capicua cluster: {failure}", file=sys.stderr)
            return 1
    return 0


async def _run(installation: LocalInstallation) -> None:
    stopping = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    note = running_cluster()
    async with installation:
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(installation.cluster.url)
        print(f"{'gateways':10} {', '.join(installation.gateways)}")
        print(f"{'store':10} {installation.cluster.url}")
        print(f"{'logs':10} {installation.folder}", flush=True)
        try:
            await stopping.wait()
        finally:
            note.unlink(missing_ok=True)
