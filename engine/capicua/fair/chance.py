"""From seeds to a deal and a lot: the same bytes in every language (docs/fair_deal.md)."""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterable, Iterator, Sequence
from itertools import count

SEED_BYTES = 32
"""Length of a server's seed, and the most that a seat's may have."""
_ALL = 2**32
_PIPS = tuple(a + b for a in range(13) for b in range(a + 1))
"""Pips of each tile, in the order 0-0, 1-0, 1-1, 2-0, … in which tiles are numbered."""


def commitment(game_id: str, round: int, server_seed: bytes) -> bytes:
    """The 32 bytes that bind the server to `server_seed` for a round (from 1) and tell nothing of it."""
    return hashlib.sha256(b"capicua/commit/v1" + _lp(game_id.encode()) + _u32(round) + _lp(server_seed)).digest()


class Chance:
    """All the chance of one round: fixed by the server's seed and those of the seats, b"" where one gave none."""

    def __init__(self, game_id: str, round: int, server_seed: bytes, seat_seeds: Sequence[bytes]) -> None:
        said = b"capicua/deal/v1" + _lp(game_id.encode()) + _u32(round) + _u32(len(seat_seeds))
        self.key = hmac.digest(server_seed, said + b"".join(map(_lp, seat_seeds)), "sha256")
        self._seats = len(seat_seeds)

    def order(self, tiles: Iterable[int]) -> tuple[int, ...]:
        """The tiles, given by rising number, as they are dealt: hand by hand, then the boneyard."""
        return self._shuffled(b"shuffle", tiles)

    def lot_seat(self) -> int:
        """The seat that opens by lot (R-18)."""
        return _below(self._numbers(b"lot"), self._seats)

    def lot_tiles(self, tiles: int) -> tuple[tuple[int, ...], ...]:
        """What the seats draw from a full set of so many tiles until one has most pips alone (R-19).

        One tuple for each turn of drawing, with a tile for each seat that is still in the lot, in seat order.
        """
        draws: list[tuple[int, ...]] = []
        tied = self._seats
        while tied > 1:
            drawn = self._shuffled(b"lot/%d" % (len(draws) + 1), range(tiles))[:tied]
            draws.append(drawn)
            pips = [_PIPS[tile] for tile in drawn]
            tied = pips.count(max(pips))
        return tuple(draws)

    def _shuffled(self, label: bytes, tiles: Iterable[int]) -> tuple[int, ...]:
        order, numbers = list(tiles), self._numbers(label)
        for last in range(len(order) - 1, 0, -1):
            chosen = _below(numbers, last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return tuple(order)

    def _numbers(self, label: bytes) -> Iterator[int]:
        for block in count():
            yield from struct.unpack(">8I", hmac.digest(self.key, label + _u32(block), "sha256"))


def _below(numbers: Iterator[int], m: int) -> int:
    # What lies above the last multiple of m would make small answers likelier.
    unbiased = _ALL - _ALL % m
    return next(x for x in numbers if x < unbiased) % m


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def _lp(data: bytes) -> bytes:
    return _u32(len(data)) + data
