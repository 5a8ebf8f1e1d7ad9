"""The player's own tiles on the screen, and which of them is chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from capicua.api.v1.types_pb2 import Play, Tile
from capicua.api.v1.update_pb2 import View
from capicua.tui.canvas import Canvas
from capicua.tui.cut import Cut, cuts
from capicua.tui.layout import highest
from capicua.tui.look import CHOSEN, FAINT, PLAYABLE, STRONG, TILE, UNPLAYABLE
from capicua.tui.names import name, tile_names
from capicua.tui.profile import Tiles
from capicua.tui.tiles import Mark, put_tile

KEYS = "1234567890"
"""The keys of the playable tiles, from the left."""


def playable(view: View) -> list[Tile]:
    """The tiles that may be played now, in the order of the hand; none unless it is the viewer's turn."""
    legal = [play.tile for play in view.legal]
    return [tile for tile in view.hand if tile in legal]


def places(view: View, tile: Tile) -> list[Play]:
    """The plays of a tile, one for each place where it may go now."""
    return [play for play in view.legal if play.tile == tile]


def draw_hand(view: View, width: int, tiles: Tiles, tall: bool, chosen: Tile | None) -> Text:
    """The tiles of `view.hand` in a row, each playable one with its key below, the chosen one raised.

    With `tall` they may be five rows high, else three. A hand too big for one row lies flat in several.
    """
    boxes, flat = cuts(highest(view.options), "boxes")[1:3]
    cut = boxes if tall else flat
    if tiles == "unicode" and highest(view.options) <= 6:
        cut = cuts(6, tiles)[0]
    lit = playable(view)
    pitch = cut.upright.width + 1
    if len(view.hand) * pitch > width:
        return _lying(view.hand, lit, width, flat, chosen)
    canvas = Canvas(width, cut.upright.height + 2)
    left = (width - len(view.hand) * pitch) // 2
    for number, tile in enumerate(view.hand):
        x, raised = left + number * pitch, tile == chosen
        mark = Mark.LAST if raised else Mark.NONE
        halves, look = (tile.high, tile.low), _style(tile, lit, chosen)
        put_tile(canvas, x, 0 if raised else 1, halves, cut, True, mark, look)
        if tile in lit:
            canvas.put(x + (cut.upright.width - 1) // 2, cut.upright.height + 1, [_key(lit, tile)], STRONG)
    return canvas.text()


def draw_hands(view: View, hands: Mapping[int, Sequence[Tile]], width: int) -> Text:
    """Open hands of several seats, a line or more for each."""
    lines = []
    for seat, held in hands.items():
        shown = f"{name(view, seat)} {tile_names(held)}".split(" ")
        row = " "
        for piece in shown:
            if cell_len(row) + cell_len(piece) + 1 > width:
                lines.append(row)
                row = "   "
            row += piece + " "
        lines.append(row)
    return Text("\n".join(line.rstrip() for line in lines), no_wrap=True)


def _lying(hand: Sequence[Tile], lit: list[Tile], width: int, cut: Cut, chosen: Tile | None) -> Text:
    pitch = cut.flat.width + 2
    in_row = max(1, width // pitch)
    canvas = Canvas(width, -(-len(hand) // in_row))
    for number, tile in enumerate(hand):
        row, place = divmod(number, in_row)
        mark = Mark.LAST if tile == chosen else Mark.NONE
        canvas.put(place * pitch, row, [_key(lit, tile)], STRONG)
        halves, look = (tile.high, tile.low), _style(tile, lit, chosen)
        put_tile(canvas, place * pitch + 1, row, halves, cut, False, mark, look)
    return canvas.text()


def _key(lit: list[Tile], tile: Tile) -> str:
    number = lit.index(tile) if tile in lit else len(KEYS)
    return KEYS[number] if number < len(KEYS) else " "


def _style(tile: Tile, lit: list[Tile], chosen: Tile | None) -> Style:
    if not lit:
        return TILE
    if tile not in lit:
        return UNPLAYABLE + FAINT
    click = Style(meta={"@click": f"screen.choose({tile.high}, {tile.low})"})
    return (CHOSEN if tile == chosen else PLAYABLE) + click
