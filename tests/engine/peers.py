"""Rounds of random play in this engine and in its peers, for `tests/engine/speed.py`.

Each is asked through its public interface for what may be played, plays any of it, and deals anew for every round.
The peers are no dependency: `make bench-engine` installs the group `bench`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from statistics import median
from time import process_time
from typing import TypeVar

from capicua.engine import (
    VARIANTS,
    Event,
    GameEnded,
    GameStarted,
    GameState,
    PlayTile,
    StartGame,
    StartRound,
    TurnStarted,
    decide_steps,
    legal_plays,
    tile_order,
)

T = TypeVar("T")
Play = Callable[[int], object]
"""Plays so many rounds."""
ROUNDS = 500
REPEATS = 9


def pick(options: Sequence[T], chance: random.Random) -> T:
    """Any of them, found faster than by `choice`: the players shall not be what is measured."""
    return options[int(chance.random() * len(options))]


def ours(seats: int, chance: random.Random) -> Play:
    """Block with `seats` seats: whole games, every event kept."""

    def shuffled(_: int) -> float:
        return chance.random()

    start = StartGame(VARIANTS["block"], seats, 30_000)

    def play(rounds: int) -> list[Event]:
        log: list[Event] = []
        state: GameState | None = None
        while rounds:
            steps = decide_steps(state, start if state is None else deal(state), 0)
            while True:
                assert isinstance(steps, list)
                log += [event for event, _ in steps]
                last, state = steps[-1]
                if not isinstance(last, TurnStarted):
                    break
                tile, end = pick(legal_plays(state), chance)
                steps = decide_steps(state, PlayTile(state.turn, tile, end), 0)
            rounds -= not isinstance(last, GameStarted)
            if isinstance(last, GameEnded):
                state = None
        return log

    def deal(state: GameState) -> StartRound:
        return StartRound(tuple(sorted(tile_order(state), key=shuffled)), lot_seat=0)

    return play


def open_spiel(chance: random.Random) -> Play:
    """OpenSpiel's block for two; each tile is dealt by a choice among the outcomes of a chance node."""
    import pyspiel
    from open_spiel.python.games import block_dominoes  # noqa: F401 (its import makes the game known)

    game = pyspiel.load_game("python_block_dominoes")

    def play(rounds: int) -> None:
        for _ in range(rounds):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(pick(state.chance_outcomes(), chance)[0])
                else:
                    state.apply_action(pick(state.legal_actions(), chance))

    return play


def dominoes(chance: random.Random) -> Play:
    """The game for four of the package `dominoes`, led by the holder of 6-6; it shuffles by itself."""
    import dominoes

    def play(rounds: int) -> None:
        for _ in range(rounds):
            game = dominoes.Game.new(starting_domino=dominoes.Domino(6, 6))
            while game.result is None:
                game.make_move(*pick(game.valid_moves, chance))

    return play


def rate(play: Play) -> float:
    """Rounds a second of CPU."""
    began = process_time()
    play(ROUNDS)
    return ROUNDS / (process_time() - began)


def compare(name: str, own: Play, peer: Play) -> str:
    """Both by turns, so that they meet the same machine: medians, and the ratio with its least and most."""
    rates = [(rate(own), rate(peer)) for _ in range(REPEATS)]
    ratios = sorted(own / peer for own, peer in rates)
    return (
        f"{name:28} {median(peer for _, peer in rates):7,.0f} rounds/s, ours {median(own for own, _ in rates):7,.0f}: "
        f"{median(ratios):5.2f} × ({ratios[0]:.2f}–{ratios[-1]:.2f})"
    )


def comparisons() -> list[str]:
    """A line for each peer. Raises ImportError where they are not installed."""
    chance = random.Random(1)
    return [
        compare("OpenSpiel block, 2 seats", ours(2, chance), open_spiel(chance)),
        compare("dominoes 6.1.0, 4 seats", ours(4, chance), dominoes(chance)),
    ]
