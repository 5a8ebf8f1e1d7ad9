"""Where hands lie around a layout: a box for each seat, and the tiles of a hand within it."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from capicua.picture.page import Box

SIDES = {2: "BT", 3: "BLR", 4: "BLTR", 5: "BLTTR", 6: "BBLTTR", 7: "BBLTTTR", 8: "BBBLTTTR"}
"""The side of the page where each seat sits, clockwise from the bottom, by the number of seats."""
_PITCH, _RANK = 1.14, 2.16
"""From one tile of a rank to the next, and from rank to rank, in half tiles."""


class Spot(NamedTuple):
    """Centre of a tile of a hand."""

    x: float
    y: float


def seated(seats: int, clockwise: bool) -> list[tuple[str, int, int]]:
    """For each seat its side (B, L, T or R), its place there from the left, and how many sit there (R-31)."""
    sides = SIDES[seats]
    around = [(side, sides[:at].count(side), sides.count(side)) for at, side in enumerate(sides)]
    # Clockwise is from right to left along the bottom.
    placed = [(side, many - 1 - at if side == "B" else at, many) for side, at, many in around]
    if clockwise:
        return placed
    return [({"L": "R", "R": "L"}.get(side, side), many - 1 - at, many) for side, at, many in placed]


def arrange(tiles: int, box: Box, biggest: float, upright: bool) -> tuple[float, list[Spot]]:
    """Half the length of a tile, at most `biggest`, and where each tile of a hand lies, ranks centred in the box.

    The ranks lie along the width where the tiles are upright, else along the height.
    """
    if not tiles:
        return biggest, []
    along, across = (box.width, box.height) if upright else (box.height, box.width)

    def fitting(ranks: int) -> float:
        return min(biggest, along / (ceil(tiles / ranks) * _PITCH), across / (ranks * _RANK))

    ranks = max(range(1, tiles + 1), key=fitting)
    size, in_rank = fitting(ranks), ceil(tiles / ranks)
    spots = []
    for at in range(tiles):
        rank, place = divmod(at, in_rank)
        there = min(in_rank, tiles - rank * in_rank)
        on = along / 2 + (place - (there - 1) / 2) * _PITCH * size
        off = across / 2 + (rank - (ranks - 1) / 2) * _RANK * size
        spots.append(Spot(box.x + on, box.y + off) if upright else Spot(box.x + off, box.y + on))
    return size, spots
