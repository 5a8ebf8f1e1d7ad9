"""`capicua verify`: check every deal of a finished game, from its record alone."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from capicua.cli.text import counted
from capicua.client import CheckedRound, Client, Game, Unfair, Unreachable, connect, verify
from capicua.engine import Record, parse_record, replay
from capicua.runtime.loop import run as run_loop
from capicua.runtime.settings import add_server


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "verify",
        help="check that nobody chose the deals of a finished game",
        description="Computes every deal and lot of a game again from the seeds in its record, from a file or asked "
        "from a server, compares them with what was dealt, and plays the record by the rules. Says what it found "
        "round by round; exits with 1 and names what does not fit. docs/fair_deal.md says what that proves.",
        epilog="example: capicua verify game.txt",
    )
    parser.add_argument("game", metavar="FILE|GAME", help="record of a game, or id of a finished game")
    add_server(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print what was found out about each round; 1 if something does not fit, or cannot be read."""
    path = Path(arguments.game)
    try:
        text = path.read_text() if path.exists() else run_loop(_ask(arguments))
        checked = verify(text)
        record = parse_record(text)
        replay(record)
    except Unreachable as gone:
        raise Unreachable(f"{arguments.game} is no file, so it was asked for as a game: {gone}") from None
    except (Unfair, OSError, ValueError) as failure:
        print(f"capicua: {arguments.game}: {failure}", file=sys.stderr)
        return 1
    for line in _told(record, checked):
        print(line)
    return 0


async def _ask(arguments: argparse.Namespace) -> str:
    async with connect(arguments.server, name="reader", tls=arguments.tls) as client:
        return await client.record(arguments.game)


def _told(record: Record, checked: Sequence[CheckedRound]) -> list[str]:
    lines = []
    for each in checked:
        if not each.committed:
            found = "cannot be checked: the server had not committed to a seed"
        elif each.seats:
            givers = ", ".join(record.players[seat] for seat in each.seats)
            found = f"dealt from the seeds of the server and of {givers}"
        else:
            found = "dealt from the seed of the server alone"
        lines.append(f"round {each.round}: {found}")
    committed = sum(each.committed for each in checked)
    return [
        *lines,
        f"{committed} of {counted(len(checked), 'deal')} checked and found fair; every play fits the rules.",
    ]


async def check_own(client: Client, game: Game) -> str:
    """What a player is told about the deals of the game just played and watched."""
    try:
        checked = verify(await client.record(game.game_id), game.witness)
    except Unfair as wrong:
        return f"The deals do NOT fit their seeds: {wrong}."
    own = sum(each.own_seed for each in checked)
    return f"All deals fit their seeds; a seed of yours is in {own} of {len(checked)}."
