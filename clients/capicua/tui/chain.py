"""The layout on the screen: the folding chain of tiles, or the trains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.style import Style
from rich.text import Text

from capicua.api.v1.types_pb2 import Play
from capicua.api.v1.update_pb2 import View
from capicua.tui.canvas import Canvas
from capicua.tui.chain_plan import ChainPlan, Spot, plan_chain
from capicua.tui.layout import MEXICAN, Layout, layout_of
from capicua.tui.look import DEBT, LAST, MARKER, OPEN, STRONG, TILE
from capicua.tui.names import name
from capicua.tui.profile import Tiles
from capicua.tui.tiles import Mark, put_tile
from capicua.tui.words import _

LABEL = 17
"""Columns for the names of trains."""


def draw_chain(view: View, width: int, height: int, tiles: Tiles, choices: Sequence[Play] = ()) -> tuple[Text, int]:
    """The layout of `view` in `width` columns, and the row of the last play.

    It is `height` rows high, or more where all the tiles would not fit. `choices` are the places where the chosen tile
    may go, in the order of their keys 1, 2, …: they are shown where they are, and a click chooses.
    """
    layout = layout_of(view)
    plan = plan_chain(layout, width, height, tiles, LABEL if layout.trains else 0)
    keys = {play.end: str(number) for number, play in enumerate(choices, 1)}
    canvas = Canvas(plan.width, max(plan.height, height))
    _draw_tiles(canvas, plan, layout, tiles)
    if layout.trains:
        _draw_labels(canvas, plan, view, keys)
    else:
        for end, key in keys.items():
            if (spot := _outermost(plan, end)) is not None:
                _draw_key(canvas, plan, spot, key, end)
    last = layout.placements[-1][1] if layout.placements else None
    row = next((spot.y + spot.height // 2 for spot in plan.spots() if spot.tile == last), 0)
    return canvas.text(), row


def _draw_tiles(canvas: Canvas, plan: ChainPlan, layout: Layout, tiles: Tiles) -> None:
    last = layout.placements[-1][1] if layout.placements else None
    for spot in plan.spots():
        mark, style = Mark.NONE, TILE
        if spot.tile == last:
            mark, style = Mark.LAST, LAST
        elif spot is plan.middle and (layout.spins or layout.trains) and spot.first == spot.second:
            mark = Mark.SPINNER
        upright = (spot.width, spot.height) == plan.cut.upright and spot.height >= spot.width - 1
        halves = spot.first, spot.second
        put_tile(canvas, spot.x, spot.y, halves, plan.cut, upright, mark, style)


def _draw_labels(canvas: Canvas, plan: ChainPlan, view: View, keys: Mapping[str, str]) -> None:
    """Whose train it is, whether it carries a marker, whether its double must be covered, and the key that plays."""
    for train, row in plan.rows.items():
        owner = _("Mexican train") if train == MEXICAN else name(view, int(train))
        signs = (MARKER if train in view.markers else " ") + (DEBT if train == view.debt else " ")
        key = keys.get(train)
        style = OPEN + clicking(train) if key else STRONG if train in view.markers else Style()
        canvas.write(0, row, f"{key or ' '}{signs}{owner}", LABEL - 1, style)


def _outermost(plan: ChainPlan, end: str) -> Spot | None:
    """The tile that shows an open end; the middle where nothing lies on that side."""
    arm = plan.arms.get(end)
    return arm[-1] if arm else plan.middle


def _draw_key(canvas: Canvas, plan: ChainPlan, spot: Spot, key: str, end: str) -> None:
    """The key of an open end on the tile that shows it, at its side: on the middle one for each of four."""
    x, y = spot.x + spot.width // 2, spot.y + spot.height // 2
    if spot is plan.middle:
        x = {"L": spot.x, "R": spot.right - 1}.get(end, x)
        y = {"U": spot.y, "D": spot.below - 1}.get(end, y)
    else:
        x = spot.x if end in "LD" else spot.right - 1
    canvas.put(x, y, [key], OPEN + clicking(end))


def clicking(end: str) -> Style:
    """What a click on it does: play the chosen tile there."""
    return Style(meta={"@click": f"screen.play_at('{end}')"})
