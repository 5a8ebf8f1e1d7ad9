"""The `capicua` command."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import metadata

# gRPC reads these when it is loaded. What it would print says nothing that our own messages do not; and its older
# way of polling takes a fifth less of the processor here (docs/adr/0004-grpc-polling.md).
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
os.environ.setdefault("GRPC_EXPERIMENTS", "-event_engine_client,-event_engine_listener")

from capicua.cli import (
    archive,
    arena,
    bench,
    cluster,
    demo,
    lobby,
    open,
    play,
    ranking,
    ratings,
    replay,
    rules,
    serve,
    status,
    verify,
    watch,
)
from capicua.cli.torture import command as torture
from capicua.client import Refused, Unreachable

COMMANDS = (
    open,
    serve,
    cluster,
    status,
    archive,
    ratings,
    play,
    lobby,
    watch,
    ranking,
    demo,
    rules,
    replay,
    verify,
    bench,
    arena,
    torture,
)


def main(arguments: list[str] | None = None) -> int:
    """Run one command; gives the exit code: 0, 1 for what went wrong, 2 for wrong use, 130 for Ctrl-C."""
    options = _parser().parse_args(_meant(sys.argv[1:] if arguments is None else arguments))
    try:
        code = int(options.run(options))
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read the output has seen enough; Python must not complain when it flushes again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Unreachable as gone:
        return _failed(f"no Capicua server answers at {options.server} ({gone}); start one: capicua serve")
    except Refused as no:
        return _failed(str(no))


def _meant(arguments: list[str]) -> list[str]:
    """Arguments without a command are those of `open`; with none and no terminal, help is wanted."""
    if not arguments and not (sys.stdin.isatty() and sys.stdout.isatty()):
        return ["--help"]
    if not arguments or arguments[0].startswith(("--server", "--tls", "capicua://")):
        return ["open", *arguments]
    return arguments


def _failed(why: str) -> int:
    print(f"capicua: {why}", file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="capicua",
        description="A domino game server, and clients to play, watch and replay in a terminal.",
        epilog="example: capicua demo",
    )
    parser.add_argument("--version", action="version", version=f"capicua {metadata.version('capicua')}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_parser(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
