"""`capicua lobby` and `capicua tables`: which tables can be joined and which games can be watched."""

from __future__ import annotations

import argparse

from capicua.api.v1.game_service_pb2 import GameSummary
from capicua.api.v1.table_service_pb2 import Table
from capicua.client import Added, Changed, Client, connect
from capicua.engine import VARIANTS
from capicua.runtime.loop import run as run_loop
from capicua.runtime.settings import add_server


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the two commands."""
    tables = "public tables with a free seat (join one with capicua play --table ID)"
    for name, games, brief, what in (
        ("tables", False, "list public tables that wait for players", f"{tables}, up to a hundred."),
        (
            "lobby",
            True,
            "list public tables and live games",
            f"{tables} and live games (see one with capicua watch ID), up to a hundred of each.",
        ),
    ):
        epilog = f"example: capicua {name} --variant draw --watch"
        parser = commands.add_parser(name, help=brief, description=f"Lists {what}", epilog=epilog)
        add_server(parser)
        parser.add_argument("--variant", default="", help=f"only this one: {', '.join(VARIANTS)}")
        parser.add_argument("--seats", type=int, default=0, help="only with so many seats")
        parser.add_argument(
            "--watch",
            action="store_true",
            help="go on with each change: + is new, ~ has changed, - is gone (Ctrl-C ends)",
        )
        parser.set_defaults(run=run, games=games)


def run(arguments: argparse.Namespace) -> int:
    """Show the lobby."""
    run_loop(_show(arguments))
    return 0


async def _show(arguments: argparse.Namespace) -> None:
    variant, seats = arguments.variant, arguments.seats
    async with connect(arguments.server, name="visitor", tls=arguments.tls) as client:
        if arguments.watch:
            async for change in client.lobby(variant, seats):
                if isinstance(change.entry, GameSummary) and not arguments.games:
                    continue
                mark = "+" if isinstance(change, Added) else "~" if isinstance(change, Changed) else "-"
                print(mark, line(change.entry), flush=True)
        else:
            await _list(client, variant, seats, games=arguments.games)


async def _list(client: Client, variant: str, seats: int, *, games: bool) -> None:
    tables = (await client.list_tables(variant, seats)).tables
    live = [game for game in await client.games(variant) if seats in (0, game.options.seats)] if games else []
    for listed in (tables, live):
        for entry in listed:
            print(line(entry))
    if not tables and not live:
        nobody = "Nobody waits and nobody plays in public now" if games else "Nobody waits at a public table now"
        print(f"{nobody}. Be the first: capicua play --create --public")


def line(entry: Table | GameSummary) -> str:
    """A table or game in one line."""
    names = ", ".join(seat.name or "(free)" for seat in entry.seats)
    if isinstance(entry, Table):
        return f"table {entry.table_id}  {entry.options.variant}  {names}"
    scores = " : ".join(map(str, entry.scores))
    return f"game {entry.game_id}  {entry.options.variant}  {names}  round {entry.round}  {scores}{_watched(entry)}"


def _watched(game: GameSummary) -> str:
    late = [
        f"{number} {what}"
        for number, what in ((game.table_options.delay_moves, "plays"), (game.table_options.delay_seconds, "s"))
        if number
    ]
    seen = f"  {game.spectators} watch" if game.spectators else ""
    return seen + (f"  shown {' and '.join(late)} late" if late else "")
