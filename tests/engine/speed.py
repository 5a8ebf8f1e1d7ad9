"""How fast the engine is: `python tests/engine/speed.py`. Chance and choice of plays are made beforehand."""

from __future__ import annotations

import gc
import random
import sys
from pathlib import Path
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
    decide,
    evolve,
    fold,
    legal_plays,
)
from kit.games import deal

CASES = (("block", 2), ("block", 4), ("draw", 2), ("all_fives", 2), ("mexican_train", 8))
COMMANDS = 30_000
REPEATS = 5


def play(state: GameState | None, command: Command) -> tuple[GameState, tuple[Event, ...]]:
    """What a server does with a command: decide, then fold what was decided."""
    events = decide(state, command, 0)
    assert not isinstance(events, Rejection)
    for event in events:
        state = evolve(state, event)
    assert state is not None
    return state, events


def random_commands(key: str, seats: int) -> list[Command]:
    """The commands of games in which every seat plays anything."""
    chance = random.Random(f"{key} {seats}")
    state: GameState | None = None
    commands: list[Command] = []
    while len(commands) < COMMANDS or (state and state.phase is not Phase.OVER):
        command: Command
        if state is None or state.phase is Phase.OVER:
            state, command = None, StartGame(VARIANTS[key], seats, 30_000)
        elif state.phase is Phase.DEALING:
            command = deal(state, chance)
        else:
            command = PlayTile(state.turn, *chance.choice(legal_plays(state)))
        commands.append(command)
        state, _ = play(state, command)
    return commands


def measure(key: str, seats: int) -> str:
    """The best of some repeats: µs a command, rounds and folded events a second."""
    commands = random_commands(key, seats)
    rounds = sum(isinstance(command, StartRound) for command in commands)
    deciding = folding = float("inf")
    for _ in range(REPEATS):
        state: GameState | None = None
        log: list[tuple[Event, ...]] = []
        began = process_time()
        for command in commands:
            state, events = play(None if isinstance(command, StartGame) else state, command)
            log.append(events)
        deciding = min(deciding, process_time() - began)
        first = next(n for n, command in enumerate(commands[1:], start=1) if isinstance(command, StartGame))
        game = [event for events in log[:first] for event in events]
        began = process_time()
        fold(game)
        folding = min(folding, (process_time() - began) / len(game))
    return (
        f"{key:14} {seats} seats  {deciding / len(commands) * 1e6:5.2f} µs a command  "
        f"{rounds / deciding:7,.0f} rounds/s  {1 / folding / 1e6:4.2f} M events/s folded"
    )


if __name__ == "__main__":
    gc.set_threshold(50_000, 20, 100)  # as the server does
    for case in CASES:
        print(measure(*case))
