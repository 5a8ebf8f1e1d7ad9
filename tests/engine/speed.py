"""How fast the engine is: `python tests/engine/speed.py`. Chance and choice of plays are made beforehand."""

from __future__ import annotations

import gc
import random
import sys
from pathlib import Path
from statistics import median
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from capicua.engine import (
    VARIANTS,
    Command,
    Event,
    GameState,
    Phase,
    PlayTile,
    Rejection,
    StartGame,
    StartRound,
    advance,
    fold,
    legal_plays,
)
from engine.peers import comparisons
from kit.games import deal

CASES = (("block", 2), ("block", 4), ("draw", 2), ("all_fives", 2), ("mexican_train", 8))
COMMANDS = 30_000
REPEATS = 5


def play(state: GameState | None, command: Command) -> tuple[GameState, tuple[Event, ...]]:
    """What a server does with a command: the events it comes to, and the state after them."""
    decided = advance(state, command, 0)
    assert not isinstance(decided, Rejection)
    events, states = decided
    return states[-1], events


def random_games(key: str, seats: int) -> list[list[Command]]:
    """The commands of whole games in which every seat plays anything."""
    chance = random.Random(f"{key} {seats}")
    games: list[list[Command]] = []
    while sum(map(len, games)) < COMMANDS:
        start = StartGame(VARIANTS[key], seats, 30_000)
        state, _ = play(None, start)
        games.append([start])
        while state.phase is not Phase.OVER:
            command: Command
            if state.phase is Phase.DEALING:
                command = deal(state, chance)
            else:
                command = PlayTile(state.turn, *chance.choice(legal_plays(state)))
            games[-1].append(command)
            state, _ = play(state, command)
    return games


def measure(key: str, seats: int) -> str:
    """µs a command with the least and the most of some repeats, rounds and folded events a second: medians."""
    games = random_games(key, seats)
    commands = sum(map(len, games))
    rounds = sum(isinstance(command, StartRound) for game in games for command in game)
    deciding, folding = [], []
    for _ in range(REPEATS):
        logs: list[list[Event]] = []
        began = process_time()
        for game in games:
            state: GameState | None = None
            log: list[Event] = []
            for command in game:
                state, events = play(state, command)
                log += events
            logs.append(log)
        deciding.append(process_time() - began)
        began = process_time()
        for log in logs:
            fold(log)
        folding.append((process_time() - began) / sum(map(len, logs)))
    usual, least, most = median(deciding), min(deciding), max(deciding)
    return (
        f"{key:14} {seats} seats  {usual / commands * 1e6:5.2f} µs a command "
        f"({least / commands * 1e6:.2f}–{most / commands * 1e6:.2f})  "
        f"{rounds / usual:7,.0f} rounds/s  {1 / median(folding) / 1e6:4.2f} M events/s folded"
    )


if __name__ == "__main__":
    gc.freeze()  # as the server does
    gc.set_threshold(10_000, 10, 10)
    for case in CASES:
        print(measure(*case))
    try:
        for line in comparisons():
            print(line)
    except ImportError as missing:
        print(f"no comparison: {missing}; `make bench-engine` installs the peers (pip install --group bench)")
