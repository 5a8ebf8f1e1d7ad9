"""`capicua demo`: a server, a table of guests and a spectator, to see a whole game in seconds."""

from __future__ import annotations

import argparse
import asyncio
import sys
from contextlib import AsyncExitStack

from capicua.bots import play
from capicua.cli.own_server import OwnServer
from capicua.cli.watch import show
from capicua.client import Refused, connect
from capicua.engine import VARIANTS
from capicua.runtime.loop import run as run_loop
from capicua.runtime.settings import count

GUESTS = ("Ana", "Bruno", "Carla", "Dario", "Elena", "Fidel", "Gloria", "Hugo")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "demo",
        help="play and watch a whole game, with a server of its own",
        description="Starts a server, lets guests sign in, find each other and play through the client SDK, "
        "and shows the table as a spectator sees it, play by play. Nothing is left behind.",
        epilog="example: capicua demo --variant draw --seats 3",
    )
    parser.add_argument("--variant", default="block_rounds", help=f"{', '.join(VARIANTS)} (default block_rounds)")
    parser.add_argument("--seats", type=int, default=4, choices=range(2, 9), help="number of guests (default 4)")
    parser.add_argument("--target", type=count, help="target of the game (default the variant's own)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Show a game; 1 if anything fails, with the end of the server's log."""
    try:
        with OwnServer([]) as server:
            try:
                run_loop(_demo(server.address, arguments))
            except Refused as no:
                print(f"capicua: {no}", file=sys.stderr)
                return 1
            except Exception as failure:
                print(f"capicua: the demo failed: {failure}\n{server.log_tail()}", file=sys.stderr)
                return 1
    except RuntimeError as failure:
        print(f"capicua: {failure}", file=sys.stderr)
        return 1
    return 0


async def _demo(address: str, arguments: argparse.Namespace) -> None:
    async with AsyncExitStack() as open_clients:
        guests = [
            await open_clients.enter_async_context(connect(address, name=name)) for name in GUESTS[: arguments.seats]
        ]
        spectator = await open_clients.enter_async_context(connect(address, name="spectator"))
        wishes = (
            guest.quick_match(arguments.variant, seats=arguments.seats, target=arguments.target) for guest in guests
        )
        game_id = (await asyncio.gather(*wishes))[0].game_id
        # Nobody plays before the spectator looks, so that it sees every play.
        watched = await spectator.spectate(game_id)
        seats = [await guest.watch(game_id) for guest in guests]
        await asyncio.gather(show(watched), *map(play, seats))
