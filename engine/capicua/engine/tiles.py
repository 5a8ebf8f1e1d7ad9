"""Tiles. Inside the engine a tile is its index, and a hand is a bitmask over indexes (R-1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NewType

Tile = NewType("Tile", int)
"""Index of a tile, 0 to 90: 0-0, 1-0, 1-1, 2-0, … The same in every tile set."""

HIGHEST = 12
PIPS: tuple[tuple[int, int], ...] = tuple((a, b) for a in range(HIGHEST + 1) for b in range(a + 1))
"""The two halves of each tile, the larger first."""
NAMES: tuple[str, ...] = tuple(f"{a}-{b}" for a, b in PIPS)
TOTAL: tuple[int, ...] = tuple(a + b for a, b in PIPS)
"""Pips of each tile: the sum of its halves."""
DOUBLE: tuple[bool, ...] = tuple(a == b for a, b in PIPS)
FITTING: tuple[int, ...] = (
    *(sum(1 << tile for tile, halves in enumerate(PIPS) if pips in halves) for pips in range(HIGHEST + 1)),
    0,
)
"""For each number of pips, the mask of the tiles that have it on a half; the last, [-1], is for no number."""
ALL = (1 << len(PIPS)) - 1
"""The mask of every tile."""
_BIT = [1 << tile for tile in range(len(PIPS))]  # of a list `__getitem__` is found faster than of a tuple
_IN_BYTE = tuple(
    tuple(tuple(first + bit for bit in range(8) if byte >> bit & 1) for byte in range(256))
    for first in range(0, len(PIPS), 8)
)
"""For each byte of a mask, its tiles by its value: a hand is taken apart byte by byte."""
_INDEX = {name: Tile(index) for index, name in enumerate(NAMES)}


def tile(name: str) -> Tile:
    """The tile called `name`, "a-b" with a ≥ b. Raises KeyError for any other text."""
    return _INDEX[name]


def mask(tiles: Iterable[int]) -> int:
    """The tiles, none of them twice, as a hand."""
    return sum(map(_BIT.__getitem__, tiles))


def tile_count(highest: int) -> int:
    """Number of tiles in the tile set up to `highest`-`highest`: 28, 55 or 91 (R-1)."""
    return (highest + 1) * (highest + 2) // 2


def tiles_in(hand: int) -> list[int]:
    """The tiles of a mask, in the order of their indexes."""
    found: list[int] = []
    for tiles in _IN_BYTE:
        if not hand:
            break
        found += tiles[hand & 255]
        hand >>= 8
    return found


def other_half(tile: int, pips: int) -> int:
    """The number on the half that is not `pips`; a double gives `pips` itself."""
    high, low = PIPS[tile]
    return high + low - pips
