"""Chance: the only place where it enters a game."""

from __future__ import annotations

import secrets

from capicua.engine import (
    PIPS,
    Decided,
    GameState,
    Phase,
    Rejection,
    StartRound,
    advance,
    lot_kind,
    tile_count,
    tile_order,
)
from capicua.game_actor.history import Step

_chance = secrets.SystemRandom()


def unfold(decided: Decided, now_ms: int) -> list[Step]:
    """The steps of what was decided, and the deal of the next round where they end one: all of one append."""
    steps: list[Step] = []
    while True:
        events, states = decided
        steps += [Step(event, state, now_ms) for event, state in zip(events, states, strict=True)]
        state = states[-1]
        if state.phase is not Phase.DEALING:
            return steps
        dealt = advance(state, deal(state), now_ms)
        assert not isinstance(dealt, Rejection)
        decided = dealt


def deal(state: GameState) -> StartRound:
    """A shuffled order for the next round and, where its opener is found by chance, the lot (R-18, R-19)."""
    order = list(tile_order(state))
    _chance.shuffle(order)
    kind = lot_kind(state)
    if kind == "seat":
        return StartRound(tuple(order), lot_seat=_chance.randrange(state.seats))
    if kind == "tiles":
        return StartRound(tuple(order), lot_tiles=_lot_tiles(state.seats, tile_count(state.variant.set)))
    return StartRound(tuple(order))


def _lot_tiles(seats: int, tiles: int) -> tuple[tuple[int, ...], ...]:
    """Tiles taken by the seats still in the lot until one has the heaviest alone (R-19)."""
    draws: list[tuple[int, ...]] = []
    tied = seats
    while tied > 1:
        drawn = tuple(_chance.sample(range(tiles), tied))
        draws.append(drawn)
        pips = [sum(PIPS[tile]) for tile in drawn]
        tied = pips.count(max(pips))
    return tuple(draws)
