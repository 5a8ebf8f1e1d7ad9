"""`capicua arena`: two kinds of bots play the same deals from both sides, to see which is stronger."""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from random import Random
from typing import NamedTuple

from capicua.bots import LEVELS, Choose
from capicua.cli.arena_rivals import RIVALS
from capicua.cli.arena_round import Round, deal
from capicua.engine import VARIANTS, check
from capicua.runtime.settings import count

BOTS: dict[str, Choose] = {**LEVELS, **RIVALS}


class Deal(NamedTuple):
    """One deal played twice: what the first kind won, 0 to 1, and the seconds of each choice, by kind."""

    won: float
    seconds: tuple[list[float], list[float]]


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "arena",
        help="measure one kind of bot against another",
        description="Two kinds of bots sit in turn and play single rounds, each deal twice with the seats changed. "
        "Prints how often the first won, a tie as half, with its 95 % interval over the deals, and the time "
        "of each choice between two plays or more. The same seed gives the same deals.",
        epilog="example: capicua arena --a clever --b greedy --variant draw --rounds 400",
    )
    names = ", ".join(BOTS)
    parser.add_argument("--a", default="expert", choices=BOTS, metavar="BOT", help=f"{names} (default expert)")
    parser.add_argument("--b", default="greedy", choices=BOTS, metavar="BOT", help="the other (default greedy)")
    parser.add_argument("--variant", default="block", choices=VARIANTS, metavar="VARIANT", help="(default block)")
    parser.add_argument("--seats", type=int, choices=range(2, 9), help="(default the variant's smallest number)")
    parser.add_argument("--rounds", type=count, default=2000, help="rounds, two for each deal (default 2000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the deals and of the bots' chance (default 1)")
    parser.add_argument("--processes", type=count, default=1, help="processes to play in (default 1)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play and print; 2 if so many seats cannot play the variant."""
    variant = VARIANTS[arguments.variant]
    seats = arguments.seats or min(variant.seats)
    if (wrong := check(variant, seats)) is not None:
        print(f"capicua arena: {wrong.message}", file=sys.stderr)
        return 2
    play = partial(_play_deal, arguments.a, arguments.b, arguments.variant, seats, arguments.seed)
    deals: list[Deal] = []
    for played in _played(play, max(1, arguments.rounds // 2), arguments.processes):
        deals.append(played)
        if sys.stderr.isatty():
            print(f"\r{2 * len(deals)} of {arguments.rounds} rounds", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    share, margin = _share([played.won for played in deals])
    print(f"{arguments.variant}, {seats} seats, {2 * len(deals)} rounds, seed {arguments.seed}")
    print(f"{arguments.a} against {arguments.b}: {share:.1%} ± {margin:.1%}")
    for kind, name in enumerate((arguments.a, arguments.b)):
        print(f"{name}: {_times([taken for played in deals for taken in played.seconds[kind]])}")
    return 0


def _played(play: partial[Deal], deals: int, processes: int) -> Iterator[Deal]:
    if processes == 1:
        yield from map(play, range(deals))
        return
    # A fork would copy the threads of gRPC in whatever state they are.
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        yield from pool.map(play, range(deals), chunksize=4)


def _play_deal(a: str, b: str, key: str, seats: int, seed: int, number: int) -> Deal:
    won = 0.0
    seconds: tuple[list[float], list[float]] = ([], [])
    variant = VARIANTS[key]
    dealt = deal(variant, seats, Random(f"{seed}:{number}"))
    for turned in (0, 1):
        kinds = [(seat + turned) % 2 for seat in range(seats)]
        played = Round(variant, seats, dealt)
        taken = played.play([BOTS[(a, b)[kind]] for kind in kinds], Random(f"{seed}:{number}:{turned}"))
        for kind, times in zip(kinds, taken, strict=True):
            seconds[kind].extend(times)
        # Partners sit opposite each other, so a side is of one kind.
        winning = {kinds[side] for side in played.winners()}
        won += 0.5 if len(winning) != 1 else float(winning == {0})
    return Deal(won / 2, seconds)


def _share(won: list[float]) -> tuple[float, float]:
    """Mean and half the width of its 95 % interval."""
    mean = statistics.fmean(won)
    deviation = statistics.stdev(won) if len(won) > 1 else 0.5
    return mean, 1.96 * deviation / math.sqrt(len(won))


def _times(taken: list[float]) -> str:
    if not taken:
        return "never had a choice"
    p95 = sorted(taken)[int(0.95 * len(taken))]
    return f"{1000 * statistics.fmean(taken):.2f} ms a choice, p95 {1000 * p95:.2f} ms, {len(taken)} choices"
