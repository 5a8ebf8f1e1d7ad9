"""`capicua torture`: break everything while people play, and prove that nothing was lost."""

from __future__ import annotations

import argparse
import asyncio
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

from capicua.cli.torture.report import keep, report
from capicua.cli.torture.run import Plan, torture
from capicua.cli.torture.schedule import KINDS, schedule
from capicua.runtime.settings import LEASE_SECONDS, count, seconds, whole


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "torture",
        help="break an installation while people play, and check that nothing is lost",
        description="Runs many processes and a Redis Cluster on this machine, lets clients play short games, and "
        "meanwhile kills, pauses and drains processes, kills nodes of the store and cuts connections. In the end "
        "every client's transcript is compared with the log of every game. The exit code is 1 if any promise was "
        "broken.",
        epilog="example: capicua torture --minutes 2 --seed 7",
    )
    parser.add_argument("--minutes", type=seconds, default=1.0, help="how long faults happen (default 1)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the faults and of the play (default 1)")
    parser.add_argument("--faults", type=_kinds, default=KINDS, help=f"some of {','.join(KINDS)} (default all)")
    parser.add_argument("--tables", type=count, default=10, help="tables that play at once (default 10)")
    parser.add_argument("--replicas", type=whole, default=1, help="replicas that must have a move (default 1)")
    parser.add_argument(
        "--lease", type=seconds, default=LEASE_SECONDS, help="seconds until others take over (default 2)"
    )
    parser.add_argument("--report", type=Path, metavar="FILE", help="put the report there too")
    parser.set_defaults(run=run)


def _kinds(text: str) -> tuple[str, ...]:
    kinds = tuple(text.split(","))
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        raise argparse.ArgumentTypeError(f"{unknown[0]!r} is no fault; there are {', '.join(KINDS)}")
    return kinds


def run(arguments: argparse.Namespace) -> int:
    """Run, report, and keep the logs if anything was wrong."""
    length = arguments.minutes * 60
    plan = Plan(
        seed=arguments.seed,
        seconds=length,
        faults=schedule(arguments.seed, length, arguments.faults, arguments.lease),
        tables=arguments.tables,
        wait=arguments.replicas,
        lease=arguments.lease,
    )
    folder = Path(tempfile.mkdtemp(prefix="capicua-torture-"))
    try:
        outcome = asyncio.run(torture(plan, folder))
    except RuntimeError as failure:
        print(f"capicua torture: {failure}", file=sys.stderr)
        return 1
    text = report(outcome, shlex.join(["capicua", *sys.argv[1:]]))
    print(text, end="")
    if arguments.report:
        keep(text, arguments.report)
    if outcome.violations:
        print(f"capicua torture: promises were broken; logs are in {folder}", file=sys.stderr)
        return 1
    shutil.rmtree(folder)
    return 0
