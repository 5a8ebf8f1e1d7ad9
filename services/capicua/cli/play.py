"""`capicua play`: a seat at a table, played line by line in the terminal."""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import re
import sys
import time

from capicua.api.v1.table_service_pb2 import Waiting
from capicua.api.v1.types_pb2 import (
    GAME_STATE_FINISHED,
    TALK_NONE,
    TALK_PHRASES,
    TALK_TEXT,
    TALK_UNSPECIFIED,
    GameOptions,
    Play,
    TableOptions,
)
from capicua.api.v1.update_pb2 import Said, View
from capicua.cli import news, talk, text
from capicua.cli.again import again
from capicua.cli.keyboard import Keyboard
from capicua.cli.language import messages_of, wanted
from capicua.cli.table import host, join
from capicua.cli.verify import check_own
from capicua.client import Game, Refused, connect
from capicua.engine import VARIANTS
from capicua.runtime.ids import BOT_LEVEL, BOT_LEVELS
from capicua.runtime.loop import run as run_loop
from capicua.runtime.settings import add_server

HELP = (
    """\
Type the number of a play, or the tile and the end, for example: 6-4 L
Ends: L and R are the two ends of the line, U and D the short sides of a spinner;
a number is the train of that seat, M the Mexican train. A tile on an empty layout needs no end.
Draws and passes happen by themselves. quit gives your seat to a bot for good, and you have lost; q leaves without a
word, so the others wait until your turns expire; Ctrl-C does so at any time.
"""
    + talk.HELP
)
TALK = {"phrases": TALK_PHRASES, "text": TALK_TEXT, "none": TALK_NONE}
"""What `--talk` may be."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "play",
        help="play a game by hand",
        description="Finds a seat in a public game, where bots take the seats that stay free, or at a "
        "table, and plays it in the terminal. Nothing is kept on disk.",
        epilog="example: capicua play --name Ana --variant draw --seats 3, or with a friend "
        "capicua play --variant partners_100 --party luna",
    )
    add_server(parser)
    parser.add_argument("--name", default="Guest", help="name to show, 1 to 20 characters (default Guest)")
    parser.add_argument("--variant", default="block_rounds", help=f"{', '.join(VARIANTS)} (default block_rounds)")
    parser.add_argument("--seats", type=int, help="number of seats (default the variant's smallest)")
    parser.add_argument(
        "--target",
        type=int,
        metavar="N",
        help="what ends the game, for example 1, 3, 5 or 10 rounds of block_rounds (default the variant's own)",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--party",
        default="",
        metavar="WORD",
        help="be the partner of the friend who gives the same word, 4 to 32 letters",
    )
    where.add_argument("--create", action="store_true", help="make a table and be its host")
    where.add_argument("--code", help="join the table with this code or link (capicua://join/CODE)")
    where.add_argument("--table", metavar="ID", help="join this table of the lobby (see capicua lobby)")
    parser.add_argument("--any-seats", action="store_true", help="be found a seat at a table of any size")
    own = parser.add_argument_group("with --create")
    own.add_argument("--public", action="store_true", help="list the table and its game in the lobby")
    own.add_argument("--no-spectators", action="store_true", help="let nobody else watch the game while it is played")
    own.add_argument("--delay-moves", type=int, default=0, metavar="N", help="spectators see it N plays late, up to 10")
    own.add_argument("--delay-seconds", type=int, default=0, metavar="N", help="and N seconds late, up to 60")
    own.add_argument("--bots", choices=BOT_LEVELS, help=f"how well bots play (default {BOT_LEVEL})")
    own.add_argument("--talk", choices=TALK, help="what the players may say; text not with --public (default phrases)")
    own.add_argument(
        "--overrides",
        default="",
        metavar="JSON",
        help="JSON object of parameters to replace; capicua rules tells what comes of it",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play until nobody wants another game; 2 if others make the rules of the table."""
    for option in ("public", "no_spectators", "delay_moves", "delay_seconds", "bots", "talk", "overrides"):
        if getattr(arguments, option) and not arguments.create:
            print(f"capicua: --{option.replace('_', '-')} is for a table of your own: add --create", file=sys.stderr)
            return 2
    if arguments.any_seats and (arguments.seats or arguments.create or arguments.code or arguments.table):
        print("capicua: --any-seats is for a seat that is found: leave out the table and --seats", file=sys.stderr)
        return 2
    run_loop(_play(arguments))
    return 0


async def _play(arguments: argparse.Namespace) -> None:
    keyboard = Keyboard()
    async with connect(arguments.server, name=arguments.name, tls=arguments.tls, seeds=True) as client:
        if arguments.create:
            options = GameOptions(
                variant=arguments.variant,
                seats=arguments.seats,
                target=arguments.target,
                overrides_json=arguments.overrides,
            )
            table_options = TableOptions(
                public=arguments.public,
                spectators=not arguments.no_spectators,
                delay_moves=arguments.delay_moves,
                delay_seconds=arguments.delay_seconds,
                bots=arguments.bots or "",
                talk=TALK.get(arguments.talk, TALK_UNSPECIFIED),
            )
            game_id = await host(client, options, table_options, keyboard)
        elif arguments.code or arguments.table:
            game_id = await join(client, keyboard, code=arguments.code or "", table_id=arguments.table or "")
        else:
            seat = await client.quick_match(
                arguments.variant,
                seats=arguments.seats,
                target=arguments.target,
                party=arguments.party,
                any_seats=arguments.any_seats,
                waiting=_print_waiting,
            )
            game_id = seat.game_id
        while game_id:
            game = await client.watch(game_id)
            await _Player(game, keyboard).play()
            if game.view.state != GAME_STATE_FINISHED:
                return
            print(await check_own(client, game), flush=True)
            game_id = await again(client, keyboard, game_id)


def _print_waiting(waiting: Waiting) -> None:
    if waiting.party == 1:
        print("Waiting for your friend, who gives the same word.", flush=True)
        return
    likely, seconds = (math.ceil(wait / 1000) for wait in (waiting.estimate_ms, waiting.bot_fill_ms))
    soon = f"likely {likely} s, and " if likely < seconds else ""
    print(f"Waiting: {waiting.waiting} of {waiting.seats} seats; {soon}bots join in {seconds} s.", flush=True)


class _Player:
    """The person at the keyboard and the seat they play."""

    def __init__(self, game: Game, keyboard: Keyboard) -> None:
        self._game = game
        self._keyboard = keyboard
        self._talker = talk.Talker(game, messages_of(wanted(os.environ)))
        # A person may talk at any time; a script is read when something is asked.
        self._person = sys.stdin.isatty()
        self._decided_seq = 0
        """The seq at which the last play was made: until the game goes on there is nothing to ask."""

    async def play(self) -> None:
        """Show the game and ask for each play, to the end of the game or of the input."""
        game = self._game
        # Nobody is asked before they have seen the table.
        print(news.tell(game.view, await game.__anext__()), flush=True)
        typed: asyncio.Task[str | None] | None = None
        heard: asyncio.Task[Said | Refused] | None = asyncio.create_task(game.talk.__anext__())
        item = asyncio.create_task(game.__anext__())
        asked = False
        try:
            while True:
                if self._to_ask() and not asked:
                    self._ask()
                asked = self._to_ask()
                if typed is None and (asked or self._person):
                    typed = asyncio.create_task(self._keyboard.line())
                waiting = [task for task in (item, heard, typed) if task is not None]
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                if item.done():
                    try:
                        told = news.tell(game.view, item.result())
                    except StopAsyncIteration:
                        return
                    if told:
                        self._tell(told, asked)
                        asked = False
                    item = asyncio.create_task(game.__anext__())
                elif heard is not None and heard.done():
                    try:
                        self._tell(self._talker.tell(heard.result()), asked)
                        asked = False
                        heard = asyncio.create_task(game.talk.__anext__())
                    except StopAsyncIteration:
                        heard = None
                elif typed is not None:
                    line, typed = typed.result(), None
                    if line in (None, "q"):
                        print("You left: your seat is played without you.", flush=True)
                        return
                    if line != "quit":
                        await self._do(line or "")
                    elif await self._quit():
                        return
                    asked = False
        finally:
            for task in (item, heard, typed):
                if task is not None:
                    task.cancel()

    def _tell(self, told: str, asked: bool) -> None:
        """Tell news, on a line of their own where a question waits for its answer on this one."""
        print(f"\n{told}" if asked and self._person else told, flush=True)

    def _to_ask(self) -> bool:
        view = self._game.view
        return self._game.my_turn and bool(view.legal) and view.seq != self._decided_seq

    def _ask(self) -> None:
        view = self._game.view
        if view.HasField("engine_tile"):
            # Plays show one train each; to choose one needs them all.
            print(text.indented(text.layout(view)))
        print(f"Your tiles: {text.tiles(view.hand)}")
        print("  " + "   ".join(f"{n}) {text.play(play)}" for n, play in enumerate(view.legal, 1)))
        left = max(0, view.deadline_ms / 1000 - time.time())
        print(f"Your turn, {left:.0f} s (a number, ? for help, q or quit to leave): ", end="", flush=True)
        if not sys.stdin.isatty():
            print(flush=True)

    async def _quit(self) -> bool:
        """Leave the seat for good; False where the game was over before."""
        try:
            await self._game.quit()
        except Refused as no:
            print(f"You could not quit: {no}", flush=True)
            return False
        print("You have quit: a bot has your seat from now on.", flush=True)
        return True

    async def _do(self, line: str) -> None:
        if line == "?":
            print(HELP, flush=True)
            return
        if (answer := self._talker.do(line)) is not None:
            if answer:
                print(answer, flush=True)
            return
        if not self._to_ask():
            print("It is not your turn.", flush=True)
            return
        chosen = parse_play(line, self._game.view)
        if isinstance(chosen, str):
            print(chosen, flush=True)
            return
        self._decided_seq = self._game.view.seq
        try:
            await self._game.play(chosen.tile, chosen.end)
        except Refused as no:
            print(f"Not played: {no}", flush=True)


def parse_play(line: str, view: View) -> Play | str:
    """The legal play that `line` means, or what is wrong with it.

    `line` is a number from 1 of `view.legal`, or a tile such as "6-4", either half first, with the end
    where the tile fits more than one.
    """
    if line.isdecimal():
        if 1 <= int(line) <= len(view.legal):
            return view.legal[int(line) - 1]
        return f"Type a number from 1 to {len(view.legal)}."
    if not (match := re.fullmatch(r"(\d+)-(\d+)(?:\s*@?\s*(\S+))?", line)):
        return "Type a number, or a tile and an end such as 6-4 L; ? for help."
    halves = {int(match[1]), int(match[2])}
    fitting = [play for play in view.legal if {play.tile.high, play.tile.low} == halves]
    if end := match[3]:
        fitting = [play for play in fitting if play.end == end.upper()]
    if not fitting:
        return f"{line} is not one of your legal plays."
    if len(fitting) > 1:
        return f"At which end: {', '.join(play.end for play in fitting)}?"
    return fitting[0]
