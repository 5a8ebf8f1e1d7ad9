"""`capicua ratings rebuild`: all ratings and leaderboards anew, from the archive."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from capicua.game_actor.rebuild import rebuild
from capicua.runtime.loop import run as run_loop
from capicua.runtime.settings import data_folder
from capicua.store.embedded_store import EmbeddedStore
from capicua.store.open_archive import archive_in, open_archive
from capicua.store.redis_store import open_store
from capicua.store.store import StoreUnavailable


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "ratings",
        help="look after the ratings of players",
        description="Looks after the ratings of players.",
        epilog="example: capicua ratings rebuild",
    )
    again = parser.add_subparsers(title="commands", metavar="COMMAND", required=True).add_parser(
        "rebuild",
        help="rate every archived game again",
        description="Rates every archived game again, in the order in which the games ended, and puts the result in "
        "place of the ratings and leaderboards in the store. Servers with a store of their own may run meanwhile; one "
        "with the embedded store must be stopped. The exit code is 1 if a game cannot be read.",
        epilog="example: capicua ratings rebuild --store redis://store:6379 --archive postgresql://database/capicua",
    )
    environment = os.environ.get
    again.add_argument(
        "--store",
        default=environment("CAPICUA_STORE", ""),
        metavar="URL",
        help="the store (default: the embedded one, or $CAPICUA_STORE)",
    )
    again.add_argument(
        "--data",
        default=environment("CAPICUA_DATA") or data_folder(),
        metavar="FOLDER",
        help="folder of the embedded store (default: the user's data folder, or $CAPICUA_DATA)",
    )
    again.add_argument(
        "--archive",
        default=environment("CAPICUA_ARCHIVE", ""),
        metavar="URL",
        help="the archive (default: that of the data folder, or $CAPICUA_ARCHIVE)",
    )
    again.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Rebuild; 1 if a game cannot be read, or the store or the archive, 2 if there is no archive."""
    folder = Path(arguments.data)
    archive = arguments.archive or archive_in(folder)
    file = Path(archive.removeprefix("sqlite:///"))
    if archive.startswith("sqlite:") and not file.exists():
        print(f"capicua ratings: there is no archive at {file}", file=sys.stderr)
        return 2
    try:
        return run_loop(_rebuild(arguments.store, folder, archive))
    except (OSError, RuntimeError, ValueError, StoreUnavailable) as failure:
        print(f"capicua ratings: {failure}", file=sys.stderr)
        return 1


async def _rebuild(store_url: str, folder: Path, archive_url: str) -> int:
    async with AsyncExitStack() as stack:
        archive = open_archive(archive_url)
        stack.push_async_callback(archive.close)
        store = await open_store(store_url or await stack.enter_async_context(EmbeddedStore(folder)))
        stack.push_async_callback(store.close)
        games, faults = await rebuild(store, archive)
    for game_id, fault in faults.items():
        print(f"{game_id}: {fault}")
    print("rated games: " + ", ".join(f"{family} {count}" for family, count in games.items()))
    return 1 if faults else 0
