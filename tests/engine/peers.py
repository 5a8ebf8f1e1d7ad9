"""Rounds of random play in this engine and in its peers, for `tests/engine/speed.py`.

Each is asked through its public interface for what may be played, plays any of it, and deals anew for every round.
The peers are no dependency: `make bench-engine` installs the group `bench`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from statistics import median
from time import process_time

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
    advance,
    legal_plays,
    tile_order,
)

Play = Callable[[int], object]
"""Plays so many rounds."""
ROUNDS = 500
REPEATS = 9


def ours(seats: int, chance: random.Random) -> Play:
    """Block with `seats` seats: whole games, every event kept."""

    any_of, bits, start = chance.random, (30,) * 28, StartGame(VARIANTS["block"], seats, 30_000)

    def play(rounds: int) -> list[Event]:
        log: list[Event] = []
        state: GameState | None = None
        while rounds:
            # Nothing is played that would be refused.
            events, states = advance(state, start if state is None else deal(state), 0)  # type: ignore[misc]
            log += events
            state = states[-1]
            while isinstance(events[-1], TurnStarted):
                plays = legal_plays(state)
                tile, end = plays[int(any_of() * len(plays))]
                events, states = advance(state, PlayTile(state.turn, tile, end), 0)  # type: ignore[misc]
                log += events
                state = states[-1]
            rounds -= not isinstance(events[-1], GameStarted)
            if isinstance(events[-1], GameEnded):
                state = None
        return log

    def deal(state: GameState) -> StartRound:
        # The order of random numbers is a shuffle too, and a quicker one.
        keys = list(map(chance.getrandbits, bits))
        return StartRound(tuple(sorted(tile_order(state), key=keys.__getitem__)), lot_seat=0)

    return play


def open_spiel(chance: random.Random) -> Play:
    """OpenSpiel's block for two; each tile is dealt by a choice among the outcomes of a chance node."""
    import pyspiel
    from open_spiel.python.games import block_dominoes  # noqa: F401 (its import makes the game known)

    any_of, game = chance.random, pyspiel.load_game("python_block_dominoes")

    def play(rounds: int) -> None:
        for _ in range(rounds):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    action, _ = outcomes[int(any_of() * len(outcomes))]
                else:
                    actions = state.legal_actions()
                    action = actions[int(any_of() * len(actions))]
                state.apply_action(action)

    return play


def dominoes(chance: random.Random) -> Play:
    """The game for four of the package `dominoes`, led by the holder of 6-6; it shuffles by itself."""
    import dominoes

    any_of = chance.random

    def play(rounds: int) -> None:
        for _ in range(rounds):
            game = dominoes.Game.new(starting_domino=dominoes.Domino(6, 6))
            while game.result is None:
                moves = game.valid_moves
                tile, left = moves[int(any_of() * len(moves))]
                game.make_move(tile, left)

    return play


def rate(play: Play) -> float:
    """Rounds a second of CPU."""
    began = process_time()
    play(ROUNDS)
    return ROUNDS / (process_time() - began)


def compare(name: str, own: Play, peer: Play) -> str:
    """Both by turns, so that they meet the same machine: medians, and the ratio with its least and most."""
    rate(own), rate(peer)  # caches and the interpreter's specializing are warm in a server too
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
