"""`capicua ranking`: the best players of a family, or a player and the neighbours."""

from __future__ import annotations

import argparse

from capicua.client import connect
from capicua.engine import VARIANTS
from capicua.game_actor.outcome import family_of
from capicua.runtime.loop import run as run_loop
from capicua.runtime.settings import add_server, count

_FORM = "{:>5}  {:20}  {:>5}  {:>5}  {}"


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "ranking",
        help="show a leaderboard",
        description="Shows the leaderboard of a season, of all variants that ask the same of a player.",
        epilog="example: capicua ranking --variant all_fives",
    )
    help_text = "a variant of the family (default block_rounds)"
    parser.add_argument("--variant", choices=VARIANTS, default="block_rounds", metavar="VARIANT", help=help_text)
    help_text = 'year and quarter, for example "2026-Q3" (default: the season that runs)'
    parser.add_argument("--season", default="", help=help_text)
    parser.add_argument("--player", default="", metavar="ID", help="show the places around this player")
    parser.add_argument("--top", type=count, default=20, metavar="N", help="how many places, up to 100 (default 20)")
    add_server(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print one page."""
    run_loop(_show(arguments))
    return 0


async def _show(arguments: argparse.Namespace) -> None:
    variant = VARIANTS[arguments.variant]
    family = family_of(variant, variant.seats[0])
    async with connect(arguments.server, name="spectator", tls=arguments.tls) as client:
        page = await client.leaderboard(family, season=arguments.season, size=arguments.top, around=arguments.player)
    if not page.ranked:
        print(f"{family}, {page.season}: nobody has a rated game yet.")
        return
    print(f"{family}, {page.season}")
    print(_FORM.format("rank", "name", "grade", "games", "id"))
    for place in page.ranked:
        print(_FORM.format(place.rank, place.name, place.grade, place.games, place.player_id))
