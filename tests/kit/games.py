"""Random games of any variant, from a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hypothesis import strategies as st

from capicua.engine import (
    PIPS,
    VARIANTS,
    Event,
    GameState,
    Invalid,
    Phase,
    PlayTile,
    Rejection,
    StartGame,
    StartRound,
    Variant,
    advance,
    build,
    check,
    legal_plays,
    lot_kind,
    tile_count,
    tile_order,
)

OVERRIDES: tuple[dict[str, object], ...] = (
    {},
    {"teams": "pairs"},
    {"set": 9},
    {"set": 12},
    {"spinner": "first_double_sides_first"},
    {"spinner": "first_double_all"},
    {"in_play": {"divisors": [5], "count": "sum"}},
    {"in_play": {"divisors": [3, 5], "count": "quotient"}},
    {"draw": {"policy": "until_playable", "reserve": 2}},
    {"block_winner": "lowest_hand"},
    {"block_winner": "last_mover"},
    {"block_winner": "leader"},
    {"bonus": {"capicua": 25, "chuchazo": 30}},
    {"opener": {"first": "high_double", "lead": "qualifying", "next": "first_rule", "after_tie": "same"}},
)


def playable() -> list[tuple[Variant, int]]:
    """Every variant with every one of OVERRIDES and every seat count, where the rules allow it."""
    found = []
    for key in VARIANTS:
        for overrides in OVERRIDES:
            variant = build(key, overrides)
            if not isinstance(variant, Invalid):
                found += [(variant, seats) for seats in variant.seats if check(variant, seats) is None]
    return found


GAMES = st.tuples(st.sampled_from(playable()), st.integers(0, 2**32))
"""A variant with its seats, and a seed."""


def deal(state: GameState, chance: random.Random) -> StartRound:
    """A shuffled deal with whatever lot it needs."""
    order = list(tile_order(state))
    chance.shuffle(order)
    kind = lot_kind(state)
    lot: list[tuple[int, ...]] = []
    tied = state.seats if kind == "tiles" else 0
    while tied > 1:
        lot.append(tuple(chance.sample(range(tile_count(state.variant.set)), tied)))
        pips = [sum(PIPS[tile]) for tile in lot[-1]]
        tied = pips.count(max(pips))
    return StartRound(tuple(order), chance.randrange(state.seats) if kind == "seat" else None, tuple(lot))


def random_game(variant: Variant, seats: int, seed: int, rounds: int = 3) -> Iterator[tuple[Event, GameState]]:
    """The events of a game of random plays, each with the state after it; stops after so many rounds."""
    chance = random.Random(seed)
    decided = advance(None, StartGame(variant, seats, 30_000), 0)
    now = 0
    while True:
        assert not isinstance(decided, Rejection)
        yield from zip(*decided, strict=True)
        state = decided[1][-1]
        now += 1000
        if state.phase is Phase.OVER or (state.phase is Phase.DEALING and state.round == rounds):
            return
        if state.phase is Phase.DEALING:
            decided = advance(state, deal(state, chance), now)
        else:
            tile, end = chance.choice(legal_plays(state))
            decided = advance(state, PlayTile(state.turn, tile, end), now)
