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
_WAYS = {"L": (-1, 0), "R": (1, 0), "U": (0, -1), "D": (0, 1)}
"""From the middle to each end of a line."""


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
            _draw_key(canvas, plan, key, end)
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


def _draw_key(canvas: Canvas, plan: ChainPlan, key: str, end: str) -> None:
    """The key of an open end before the tile that shows it; on its edge where there is no room."""
    arm = plan.arms.get(end) or []
    spot = arm[-1] if arm else plan.middle
    if spot is None:
        return
    before = arm[-2] if len(arm) > 1 else plan.middle
    way = _way_of(before, spot) if arm and before is not None else _WAYS[end]
    x, y = spot.x + spot.width // 2, spot.y + spot.height // 2
    x = {-1: spot.x - 1, 0: x, 1: spot.right}[way[0]]
    y = {-1: spot.y - 1, 0: y, 1: spot.below}[way[1]]
    if not canvas.is_blank(x, y):
        x, y = x - way[0], y - way[1]
    canvas.put(x, y, [key], OPEN + clicking(end))


def _way_of(before: Spot, spot: Spot) -> tuple[int, int]:
    """From one tile to the next: a step to the right or left, or down or up."""
    if spot.x >= before.right:
        return 1, 0
    if spot.right <= before.x:
        return -1, 0
    return (0, 1) if spot.y >= before.below else (0, -1)


def clicking(end: str) -> Style:
    """What a click on it does: play the chosen tile there."""
    return Style(meta={"@click": f"screen.play_at('{end}')"})
