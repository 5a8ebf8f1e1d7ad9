"""Checking the deals of a game, offline: from its record and from what a viewer saw (docs/fair_deal.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from capicua.client.deal_record import DealRecord, DealtRound, read_deals
from capicua.client.witness import Witness
from capicua.fair import SEED_BYTES, Chance, commitment


class Unfair(Exception):
    """A record that does not fit its seeds, or what was seen.

    `round` is the number of the round and `event` says what of it is the first that does not fit.
    """

    def __init__(self, round: int, event: str, why: str) -> None:
        super().__init__(f"round {round}, {event}: {why}")
        self.round = round
        self.event = event


class CheckedRound(NamedTuple):
    """What was found out about the deal of one round."""

    round: int
    committed: bool
    """Whether the server had committed to its seed; if not, nothing could be checked."""
    seats: tuple[int, ...]
    """Seats whose seeds are in the deal."""
    seen: bool
    """Whether the witness saw the commitment before the deal, and the deal as it is told."""
    own_seed: bool
    """Whether a seed of the witness itself is in it: then the server cannot have chosen the deal."""


def verify(record: str, witness: Witness | None = None) -> list[CheckedRound]:
    """Check every deal and lot of a record in text notation, and compare it with what `witness` saw.

    Checked are, round by round: that the server's seed is the one it had committed to, that hands, boneyard and
    lot follow from the seeds, that what was drawn came in the order of the boneyard, and that seats played only
    what they had been dealt or had drawn. The rules of the game are not: `capicua replay` plays a record by them.
    Raises Unfair for the first that does not fit, NoRecord for text that is no record.
    """
    deals = read_deals(record)
    used: set[bytes] = set()
    checked = []
    for dealt in deals.rounds:
        if len(dealt.hands) != deals.seats:
            raise Unfair(dealt.round, "hands", f"there are {len(dealt.hands)} of them for {deals.seats} seats")
        if dealt.commitment or dealt.server_seed:
            _check_seeds(deals, dealt, used)
            _check_deal(deals, dealt)
        _check_moves(dealt)
        seen, own_seed = _check_seen(dealt, witness) if witness is not None else (False, False)
        seats = tuple(seat for seat, seed in enumerate(dealt.seat_seeds) if seed)
        checked.append(CheckedRound(dealt.round, bool(dealt.commitment), seats, seen, own_seed))
    return checked


def _check_seeds(deals: DealRecord, dealt: DealtRound, used: set[bytes]) -> None:
    if len(dealt.server_seed) != SEED_BYTES:
        raise Unfair(dealt.round, "server-seed", f"it has {len(dealt.server_seed)} bytes, not {SEED_BYTES}")
    if commitment(deals.game_id, dealt.round, dealt.server_seed) != dealt.commitment:
        raise Unfair(dealt.round, "commitment", "the server's seed is not the one it had committed to")
    if len(dealt.seat_seeds) != deals.seats or any(len(seed) > SEED_BYTES for seed in dealt.seat_seeds):
        raise Unfair(dealt.round, "seat-seeds", f"there is not one of {SEED_BYTES} bytes at most for each seat")
    given = {dealt.server_seed, *filter(None, dealt.seat_seeds)}
    if given & used:
        raise Unfair(dealt.round, "seeds", "one of them was in a deal before, so it was known when this one was made")
    used |= given


def _check_deal(deals: DealRecord, dealt: DealtRound) -> None:
    chance = Chance(deals.game_id, dealt.round, dealt.server_seed, dealt.seat_seeds)
    full = (deals.highest + 1) * (deals.highest + 2) // 2
    order = chance.order(tile for tile in range(full) if tile != dealt.engine_tile)
    hands, dealt_out = list(_hands(order, deals)), deals.seats * deals.hand_size
    if dealt.opener_by == "lot" and dealt.opener != chance.lot_seat():
        raise Unfair(dealt.round, "opener", "the lot falls on another seat")
    if dealt.opener_by == "lot_by_tile" and tuple(map(tuple, dealt.lot)) != chance.lot_tiles(full):
        raise Unfair(dealt.round, "lot", "the seats draw other tiles")
    for seat, hand in enumerate(hands):
        if tuple(dealt.hands[seat]) != hand:
            raise Unfair(dealt.round, f"hand {seat}", "the seeds give another hand")
    boneyard = order[dealt_out:]
    if boneyard[: len(dealt.drawn)] != tuple(dealt.drawn) or len(dealt.drawn) + dealt.undrawn != len(boneyard):
        raise Unfair(dealt.round, "boneyard", "the seeds give another boneyard")


def _hands(order: tuple[int, ...], deals: DealRecord) -> Iterator[tuple[int, ...]]:
    for seat in range(deals.seats):
        yield order[seat * deals.hand_size : (seat + 1) * deals.hand_size]


def _check_moves(dealt: DealtRound) -> None:
    hands, boneyard = [set(hand) for hand in dealt.hands], iter(dealt.drawn)
    for number, (move, seat, tile, drawn) in enumerate(dealt.moves, start=1):
        if drawn and tile != next(boneyard, None):
            raise Unfair(dealt.round, f"move {number} ({move})", "another tile of the boneyard was due")
        if seat >= len(hands) or (not drawn and tile not in hands[seat]):
            raise Unfair(dealt.round, f"move {number} ({move})", "the seat does not hold this tile")
        (hands[seat].add if drawn else hands[seat].remove)(tile)


def _check_seen(dealt: DealtRound, witness: Witness) -> tuple[bool, bool]:
    """Whether the deal was seen from its commitment on, and has the witness's own seed."""
    shown, event = witness.commitments.get(dealt.round), witness.deals.get(dealt.round)
    own_seed = witness.seeds.get(dealt.round)
    if shown is not None and shown != dealt.commitment:
        raise Unfair(dealt.round, "commitment", "another one was shown before the deal")
    if event is not None and list(event.seat_seeds) != dealt.seat_seeds:
        raise Unfair(dealt.round, "seat-seeds", "others were shown with the deal")
    if own_seed is not None and (witness.seat is None or dealt.seat_seeds[witness.seat :][:1] != [own_seed]):
        raise Unfair(dealt.round, "seat-seeds", "a seed that the server accepted is not in the deal")
    if event is not None and event.opener != dealt.opener:
        raise Unfair(dealt.round, "opener", "another one was shown")
    had = [set(hand) for hand in dealt.hands]
    for _, seat, tile, drawn in dealt.moves:
        if drawn:
            had[seat].add(tile)
    for seat, tiles in witness.held.get(dealt.round, {}).items():
        if seat >= len(had) or not tiles <= had[seat]:
            raise Unfair(dealt.round, f"hand {seat}", "the seat was seen with another tile")
    return shown is not None and event is not None, own_seed is not None
