"""What lies on the table, read from a view of the public API."""

from __future__ import annotations

import json
from functools import cache
from typing import NamedTuple

from capicua.api.v1.types_pb2 import GameOptions, Tile
from capicua.api.v1.update_pb2 import View
from capicua.engine import Variant, build
from capicua.engine.line import Placement

MEXICAN = "M"


class Layout(NamedTuple):
    """The tiles played, in order, and what says where they lie.

    `trains` are the names of the trains in the order in which they are shown; none on a line. `spins` says whether the
    first double is a spinner.
    """

    placements: tuple[Placement, ...]
    spins: bool
    highest: int
    engine_tile: int | None = None
    trains: tuple[str, ...] = ()


def layout_of(view: View) -> Layout:
    """The layout of a view; one's own train comes first, the others in turn order, the Mexican train last."""
    placements = tuple((placed.seat, index_of(placed.play.tile), placed.play.end) for placed in view.layout)
    if view.HasField("engine_tile"):
        seats = len(view.hand_sizes)
        names = tuple(str((view.own_seat + number) % seats) for number in range(seats))
        return Layout(placements, False, highest(view.options), index_of(view.engine_tile), (*names, MEXICAN))
    variant = variant_of(view.options)
    spins = variant.spinner != "none" if variant else any(end in "UD" for _, _, end in placements)
    return Layout(placements, spins, highest(view.options))


def highest(options: GameOptions) -> int:
    """The highest number of the tile set; the highest there is where the variant is newer than this client."""
    variant = variant_of(options)
    return variant.set if variant else 12


def variant_of(options: GameOptions) -> Variant | None:
    """The rules in force; None for those that this client does not know."""
    return _variant(options.variant, options.overrides_json)


@cache
def _variant(key: str, overrides: str) -> Variant | None:
    try:
        variant = build(key, json.loads(overrides or "{}"))
    except (KeyError, ValueError):
        return None
    return variant if isinstance(variant, Variant) else None


def index_of(tile: Tile) -> int:
    """The engine's name for a tile."""
    return tile.high * (tile.high + 1) // 2 + tile.low
