"""How big tiles are drawn in a terminal. The unit of length is a cell, which holds one character."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from capicua.tui.profile import Tiles


class Area(NamedTuple):
    """Width and height in cells."""

    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Cut:
    """One size of tile: `flat` is a tile that lies along the line, `upright` one across it. Heights are odd.

    `crosswise` says whether doubles lie across; where room is short they do not. `pips` says whether numbers are
    shown as pips.
    """

    flat: Area
    upright: Area
    crosswise: bool = True
    pips: bool = False
    digits: int = 1

    @property
    def narrowest(self) -> int:
        """The least width of a lane that tiles can be folded in."""
        return self.flat.width + 2 * self.upright.width


def cuts(highest: int, tiles: Tiles) -> tuple[Cut, ...]:
    """The sizes for a tile set up to `highest`, biggest first."""
    if tiles == "unicode" and highest <= 6:
        return (Cut(Area(2, 1), Area(2, 1)),)
    digits = 1 if highest < 10 else 2
    lying, standing = 3 + 2 * digits, 2 + digits
    boxes = Cut(Area(lying, 3), Area(standing, 5), digits=digits)
    flat = Cut(Area(lying, 1), Area(standing, 3), digits=digits)
    inline = Cut(flat.flat, flat.upright, crosswise=False, digits=digits)
    return (Cut(Area(13, 5), Area(7, 9), pips=True), boxes, flat, inline)
