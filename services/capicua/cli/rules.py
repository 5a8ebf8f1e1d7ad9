"""`capicua rules`: the variants, or the rules of one for its players."""

from __future__ import annotations

import argparse
import difflib
import json
import os
import shutil
import sys
import textwrap
from collections.abc import Iterator
from gettext import NullTranslations

from capicua.cli import variant_names
from capicua.cli.language import LANGUAGES, messages_of, wanted
from capicua.cli.rulebook import rulebook
from capicua.engine import VARIANTS, Invalid, Variant, build, check

WIDEST = 100
"""Characters in a line; longer ones are hard to read."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "rules",
        help="tell the rules of a variant",
        description="Lists the variants, or tells the rules of one, with every parameter that is in force.",
        epilog="example: capicua rules all_fives --seats 2",
    )
    parser.add_argument("variant", nargs="?", metavar="VARIANT", type=_key, help="variant to tell (default: list all)")
    parser.add_argument("--language", choices=LANGUAGES, help="default from $LC_ALL or $LANG, else en")
    parser.add_argument("--seats", type=int, help="tell the rules for this number of seats only")
    parser.add_argument(
        "--overrides", type=_parameters, default={}, metavar="JSON", help="JSON object of parameters to replace"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the list or the rules; 2 if what was asked for cannot be played."""
    words = messages_of(arguments.language or wanted(os.environ))
    if arguments.variant is None:
        if arguments.seats is not None or arguments.overrides:
            return _wrong("name the VARIANT that --seats and --overrides are for")
        for key in VARIANTS:
            print(f"{key:18}{variant_names.name(key, words)}: {variant_names.description(key, words)}")
        return 0
    variant = build(arguments.variant, arguments.overrides)
    if isinstance(variant, Invalid):
        return _wrong(f"{variant.message} ({variant.rule})")
    asked = variant.seats if arguments.seats is None else (arguments.seats,)
    problems = {seats: check(variant, seats) for seats in asked}
    seats = tuple(seats for seats, problem in problems.items() if problem is None)
    if not seats:
        problem = next(iter(problems.values()), None) or Invalid("R-32", "`seats` is empty")
        return _wrong(f"{problem.message} ({problem.rule})")
    for line in _told(variant, seats, words):
        print(line)
    return 0


def _told(variant: Variant, seats: tuple[int, ...], words: NullTranslations) -> Iterator[str]:
    width = min(WIDEST, shutil.get_terminal_size().columns)
    yield f"{variant_names.name(variant.key, words)} ({variant.key})"
    for heading, sentences in rulebook(variant, seats, words):
        yield ""
        yield heading
        for sentence in sentences:
            yield textwrap.fill(sentence, width, initial_indent="- ", subsequent_indent="  ")


def _wrong(why: str) -> int:
    print(f"capicua: {why}", file=sys.stderr)
    return 2


def _key(text: str) -> str:
    if text in VARIANTS:
        return text
    close = difflib.get_close_matches(text, VARIANTS)
    hint = f"did you mean {' or '.join(close)}?" if close else "`capicua rules` lists them"
    raise argparse.ArgumentTypeError(f"no variant is called {text!r}; {hint}")


def _parameters(text: str) -> dict[str, object]:
    try:
        parameters = json.loads(text)
    except ValueError as failure:
        raise argparse.ArgumentTypeError(f"not JSON: {failure}") from None
    if not isinstance(parameters, dict):
        raise argparse.ArgumentTypeError("it must be a JSON object of parameters")
    return parameters
