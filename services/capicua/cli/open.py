"""`capicua open`, or `capicua` alone in a terminal: the full-screen client."""

from __future__ import annotations

import argparse
import sys

from capicua.runtime.settings import add_server


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "open",
        help="the full-screen client; what capicua alone does in a terminal",
        description="Opens the full-screen client: quick match, tables, the lobby, the ranking and your own games, "
        "with keys and mouse. Name, server and tastes are remembered.",
        epilog="example: capicua open capicua://join/K7QM",
    )
    parser.add_argument("link", nargs="?", default="", metavar="LINK", help="code or link of a table to join at once")
    add_server(parser)
    # Without the option it is the server of last time.
    parser.set_defaults(run=run, server=None)


def run(arguments: argparse.Namespace) -> int:
    """Open it until its user quits; 2 where there is no terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print("capicua open: this is for a terminal; elsewhere there is capicua play", file=sys.stderr)
        return 2
    # Other commands need not wait for the client to be loaded.
    from capicua.tui.app import CapicuaApp

    app = CapicuaApp(server=arguments.server or "", tls=arguments.tls, code=arguments.link)
    app.run()
    return app.return_code or 0
