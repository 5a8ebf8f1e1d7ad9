"""How seats, sides and tiles are called."""

from __future__ import annotations

from collections.abc import Iterable

from capicua.api.v1.types_pb2 import Play, Tile
from capicua.api.v1.update_pb2 import View
from capicua.tui.layout import MEXICAN
from capicua.tui.words import _, isolated


def name(view: View, seat: int) -> str:
    """Who sits on a seat; its number where the name is not known."""
    known = view.seats[seat].name if seat < len(view.seats) else ""
    return isolated(known or _("Seat {number}").format(number=seat + 1))


def side_name(view: View, side: int) -> str:
    """A side by the names of its seats, which are two where partners play (R-14)."""
    return f"{name(view, side)} & {name(view, side + 2)}" if view.pairs else name(view, side)


def side_of(view: View, seat: int) -> int:
    """The side of a seat."""
    return seat % 2 if view.pairs else seat


def tile_name(tile: Tile) -> str:
    """A tile, the larger half first."""
    return isolated(f"[{tile.high}|{tile.low}]")


def tile_names(tiles: Iterable[Tile]) -> str:
    """Several tiles."""
    return " ".join(map(tile_name, tiles))


def place_name(view: View, play: Play) -> str:
    """Where a play goes; empty for the lead, which has no end."""
    match play.end:
        case "-":
            return ""
        case "L":
            return _("left")
        case "R":
            return _("right")
        case "U":
            return _("up")
        case "D":
            return _("down")
        case train if train == MEXICAN:
            return _("the Mexican train")
        case train:
            return _("the train of {name}").format(name=name(view, int(train)))
