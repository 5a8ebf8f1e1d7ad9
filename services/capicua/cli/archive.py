"""`capicua archive verify`: whether every archived game is whole."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from capicua.game_actor.history import fold
from capicua.runtime.loop import run as run_loop
from capicua.runtime.settings import data_folder
from capicua.store.archive import Archive, ArchiveAway, ArchiveDamaged
from capicua.store.open_archive import archive_in, open_archive

PAGE = 500


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "archive",
        help="check the archive of finished games",
        description="Looks after the archive of finished games.",
        epilog="example: capicua archive verify",
    )
    verify = parser.add_subparsers(title="commands", metavar="COMMAND", required=True).add_parser(
        "verify",
        help="read every archived game and say which are damaged",
        description="Reads every archived game, compares its bytes with their digest, and plays its log through the "
        "engine to the end of the game. Servers may run meanwhile. The exit code is 1 if a game is damaged.",
        epilog="example: capicua archive verify --archive postgresql://capicua@database/capicua",
    )
    verify.add_argument(
        "--archive",
        default=os.environ.get("CAPICUA_ARCHIVE") or archive_in(Path(data_folder())),
        metavar="URL",
        help="the archive (default: that of the user's data folder, or $CAPICUA_ARCHIVE)",
    )
    verify.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check every game; 1 if one is damaged or the archive cannot be read, 2 if there is none."""
    file = Path(arguments.archive.removeprefix("sqlite:///"))
    if arguments.archive.startswith("sqlite:") and not file.exists():
        # Opening it would make it.
        print(f"capicua archive: there is no archive at {file}", file=sys.stderr)
        return 2
    try:
        return run_loop(_verify(open_archive(arguments.archive)))
    except (ArchiveAway, RuntimeError, ValueError) as failure:
        print(f"capicua archive: {failure}", file=sys.stderr)
        return 1


async def _verify(archive: Archive) -> int:
    games = damaged = 0
    last = ""
    try:
        while page := await archive.ids(last, PAGE):
            last = page[-1]
            for game_id in page:
                games += 1
                if fault := await _fault(archive, game_id):
                    damaged += 1
                    print(f"{game_id}: {fault}")
    finally:
        await archive.close()
    print(f"{games} games: {games - damaged} whole, {damaged} damaged")
    return 1 if damaged else 0


async def _fault(archive: Archive, game_id: str) -> str:
    """What is wrong with an archived game; empty if nothing is."""
    try:
        history = await fold(await archive.entries(game_id))
    except ArchiveDamaged as damage:
        return str(damage)
    except ArchiveAway:
        raise
    except Exception as failure:
        return f"its log cannot be read by this version: {failure or type(failure).__name__}"
    return "" if history.complete else "its log does not lead to the end of the game"
