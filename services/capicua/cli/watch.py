"""`capicua watch`: spectate a game in the terminal."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys

from capicua.api.v1.game_service_pb2 import GameSummary
from capicua.cli import news
from capicua.cli.language import messages_of, wanted
from capicua.cli.talk import Talker
from capicua.client import Added, Client, Game, connect
from capicua.runtime.loop import run as run_loop
from capicua.runtime.settings import add_server


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "watch",
        help="spectate a live game",
        description="Shows a live game play by play to its end, as a spectator sees it.",
        epilog="example: capicua watch --server 127.0.0.1:7600",
    )
    parser.add_argument(
        "game", nargs="?", metavar="GAME", help="id of the game (see capicua lobby; default the newest)"
    )
    add_server(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Show one game to its end."""
    run_loop(_watch(arguments.server, arguments.game, arguments.tls))
    return 0


async def show(game: Game) -> None:
    """Print a game as it is iterated, and what the players say, to its end."""
    await asyncio.gather(_look(game), _listen(game))


async def _look(game: Game) -> None:
    async for item in game:
        if told := news.tell(game.view, item):
            print(told, flush=True)


async def _listen(game: Game) -> None:
    talker = Talker(game, messages_of(wanted(os.environ)))
    async for heard in game.talk:
        print(talker.tell(heard), flush=True)


async def _watch(server: str, game_id: str | None, tls: bool) -> None:
    async with connect(server, name="spectator", tls=tls) as client:
        await show(await client.spectate(game_id or await _newest(client)))


async def _newest(client: Client) -> str:
    if games := await client.games():
        return games[0].game_id
    print("No public game is being played: waiting for one (Ctrl-C to stop).", file=sys.stderr)
    async for change in client.lobby():
        if isinstance(change, Added) and isinstance(change.entry, GameSummary):
            return change.entry.game_id
    raise AssertionError("the lobby never ends")
