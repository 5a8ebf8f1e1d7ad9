"""Seeds that seats put into the next deal. What is made of them is the shell's (docs/fair_deal.md)."""

from __future__ import annotations

from capicua.engine.commands import GiveSeed
from capicua.engine.events import SeedGiven
from capicua.engine.rejections import Rejection, RejectReason
from capicua.engine.state import OVER, GameState


def give_seed(state: GameState, command: GiveSeed) -> tuple[SeedGiven, ...] | Rejection:
    """The event of a seed; none if the seat has given this very one already.

    A seed must be new to the server when it has committed to its own: so it says for which round it is, and none
    is taken twice.
    """
    standing = state.standing
    given = standing.seat_seeds[command.seat] if standing.seat_seeds else b""
    if standing.phase is OVER:
        return Rejection(RejectReason.GAME_OVER)
    if command.round != standing.round + 1 or not state.next_commitment:
        return Rejection(RejectReason.SEED_NOT_DUE)
    if given:
        return () if given == command.seed else Rejection(RejectReason.SEED_GIVEN)
    if command.seed in standing.used_seeds:
        return Rejection(RejectReason.SEED_USED)
    return (SeedGiven(command.seat, command.seed),)
