"""Chance: the only place where it enters a game, by seeds that the server commits to beforehand (docs/fair_deal.md)."""

from __future__ import annotations

import secrets

from capicua.engine import (
    Command,
    Decided,
    ExpireTurn,
    GameState,
    Phase,
    Rejection,
    RestoreClock,
    Seal,
    StartRound,
    advance,
    lot_kind,
    tile_count,
    tile_order,
)
from capicua.fair import SEED_BYTES, Chance, commitment
from capicua.game_actor.history import Step

SEEDS_MS = 3_000
"""How long the first deal waits for the seeds of those who said that they would give one."""


def new_seal(game_id: str, round: int) -> Seal:
    """A fresh seed of the server for the deal of `round`, and the commitment to it."""
    seed = secrets.token_bytes(SEED_BYTES)
    return Seal(seed, commitment(game_id, round, seed))


def carry_out(game_id: str, state: GameState, command: Command, now_ms: int) -> list[Step] | Rejection:
    """What comes of a command and, where it ends a round, the next deal: all of one append. May be nothing."""
    if state.phase is Phase.DEALING and isinstance(command, ExpireTurn | RestoreClock):
        # The first deal has waited long enough, or for an owner that is gone.
        command = deal(game_id, state)
    decided = advance(state, command, now_ms)
    return decided if isinstance(decided, Rejection) else unfold(game_id, decided, now_ms)


def unfold(game_id: str, decided: Decided, now_ms: int) -> list[Step]:
    """The steps of what was decided, and those of the deal that is due then."""
    steps: list[Step] = []
    while True:
        events, states = decided
        steps += [Step(event, state, now_ms) for event, state in zip(events, states, strict=True)]
        if not steps or (state := steps[-1].state).phase is not Phase.DEALING or state.standing.awaited:
            return steps
        dealt = advance(state, deal(game_id, state), now_ms)
        assert not isinstance(dealt, Rejection)
        decided = dealt


def deal(game_id: str, state: GameState) -> StartRound:
    """The next deal and, where its opener is found by chance, the lot (R-18, R-19), by the seeds there are."""
    standing, number = state.standing, state.round + 1
    # A game of a version that knew no seals is dealt all the same, only not so that it could be checked.
    seal = (standing.seals[-1] if standing.seals else None) or new_seal(game_id, number)
    seat_seeds = standing.seat_seeds or (b"",) * state.seats
    chance, kind = Chance(game_id, number, seal.seed, seat_seeds), lot_kind(state)
    return StartRound(
        chance.order(tile_order(state)),
        lot_seat=chance.lot_seat() if kind == "seat" else None,
        lot_tiles=chance.lot_tiles(tile_count(state.variant.set)) if kind == "tiles" else (),
        seat_seeds=seat_seeds,
        next_seal=new_seal(game_id, number + 1),
    )
