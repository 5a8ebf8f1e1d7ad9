"""`capicua replay`: a finished game, or rounds from a file, step by step; or checked by the engine."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from capicua.cli.drawing import of_record, of_vector, picture
from capicua.cli.record import tell_record
from capicua.cli.vectors import Vector, check_vector, print_vector
from capicua.client import Unreachable, connect
from capicua.runtime.loop import run as run_loop
from capicua.runtime.settings import add_server, count

SHOW_PROGRESS_FROM = 20


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "replay",
        help="print a finished game or a round step by step, or check rounds against the engine",
        description="Prints each step of the record of a game, from a file or asked from a server, or of a "
        "rules vector (JSON). With --check, plays every vector of the given files and folders through the "
        "engine and prints the first difference of each file that differs. With --svg, draws instead: "
        "the layout, the hands and the scores after one step. The steps are the game's events. With --screen, "
        "steps through one record on the full screen, with all hands or as each seat saw it.",
        epilog="example: capicua replay game.txt --svg game.svg --step 20",
    )
    parser.add_argument("sources", nargs="+", metavar="FILE|GAME", help="file, folder or id of a finished game")
    parser.add_argument("--check", action="store_true", help="compare vectors with the engine; 1 if any differs")
    parser.add_argument("--screen", action="store_true", help="step through one record on the full screen")
    parser.add_argument("--svg", type=Path, metavar="OUT", help="draw one source into this file")
    parser.add_argument("--step", type=count, metavar="N", help="step to draw, from 1 (default: the last)")
    add_server(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print, draw or check every source; 1 if one cannot be read or differs, 2 if the options do not go together."""
    if arguments.svg is None and arguments.step is not None:
        return _misused("--step says what to draw; where to is said by --svg")
    if arguments.svg is not None and (arguments.check or len(arguments.sources) > 1):
        return _misused("--svg draws one source, and does not go together with --check")
    if arguments.screen and (arguments.check or arguments.svg or len(arguments.sources) > 1):
        return _misused("--screen shows one record, and does not go together with --check and --svg")
    if arguments.check:
        return _check(arguments.sources)
    for source in arguments.sources:
        try:
            if arguments.screen:
                _screen(_record(source, arguments))
            elif arguments.svg is None:
                for line in _steps(source, arguments):
                    print(line)
            else:
                arguments.svg.write_bytes(_picture(source, arguments))
        except Unreachable as gone:
            raise Unreachable(f"{source} is no file, so it was asked for as a game: {gone}") from None
        except (OSError, ValueError) as failure:
            print(f"capicua: {source}: {failure}", file=sys.stderr)
            return 1
    return 0


def _screen(record: str) -> None:
    # Textual takes a quarter of a second to import, and other commands do not need it.
    from capicua.tui.replay_app import ReplayApp

    ReplayApp(record).run()


def _misused(why: str) -> int:
    print(f"capicua: {why}", file=sys.stderr)
    return 2


def _steps(source: str, arguments: argparse.Namespace) -> Iterator[str]:
    vector = _vector_at(source)
    return print_vector(vector) if vector else tell_record(_record(source, arguments))


def _picture(source: str, arguments: argparse.Namespace) -> bytes:
    vector = _vector_at(source)
    drawable = of_vector(vector) if vector else of_record(_record(source, arguments))
    return picture(drawable, arguments.step)


def _vector_at(source: str) -> Vector | None:
    path = Path(source)
    return _vector(path) if path.suffix == ".json" and path.exists() else None


def _record(source: str, arguments: argparse.Namespace) -> str:
    path = Path(source)
    return path.read_text() if path.exists() else run_loop(_ask_record(source, arguments))


async def _ask_record(game_id: str, arguments: argparse.Namespace) -> str:
    async with connect(arguments.server, name="reader", tls=arguments.tls) as client:
        return await client.record(game_id)


def _check(sources: list[str]) -> int:
    paths = [path for source in sources for path in _files(Path(source))]
    differing = 0
    for number, path in enumerate(paths, 1):
        _progress(number, len(paths))
        if fault := _fault(path):
            differing += 1
            print(f"{path}: {fault}")
    print(f"{len(paths)} files: {len(paths) - differing} agree, {differing} differ")
    return 0 if paths and not differing else 1


def _files(path: Path) -> list[Path]:
    return sorted(path.rglob("*.json")) if path.is_dir() else [path]


def _fault(path: Path) -> str:
    """The first way in which a file differs from the engine; empty if it agrees."""
    try:
        difference = check_vector(_vector(path))
    except (OSError, ValueError) as failure:
        return f"cannot be read: {failure}"
    if difference is None:
        return ""
    place = {0: "deal", -1: "result"}.get(difference.step, f"step {difference.step}")
    expected, got = json.dumps(difference.expected), json.dumps(difference.got)
    return f"{place}, {difference.key}: expected {expected}, got {got}"


def _vector(path: Path) -> Vector:
    vector = json.loads(path.read_text())
    if not isinstance(vector, dict) or "steps" not in vector:
        raise ValueError("this JSON is no rules vector: it has no steps")
    return vector


def _progress(number: int, total: int) -> None:
    if total >= SHOW_PROGRESS_FROM and sys.stderr.isatty():
        print(f"\r{number} of {total}", end="\n" if number == total else "", file=sys.stderr, flush=True)
