"""The faces of tiles as text, in box-drawing characters or as Unicode's own tiles."""

from __future__ import annotations

from enum import Enum

from rich.style import Style

from capicua.picture.pips import COLOURS, pattern
from capicua.tui.canvas import Canvas
from capicua.tui.cut import Area, Cut

Face = list[str]
"""The rows of a tile, all as wide as the tile is."""

_COLOURED = "●0123456789"
_FLAT, _UPRIGHT = 0x1F031, 0x1F063
"""Unicode's tiles 0-0; the others follow, seven to a first half."""


class Mark(Enum):
    """How the frame of a tile tells, without any colour, what is special about it."""

    NONE = "┌┬┐├┼┤└┴┘─│"
    LAST = "╔╦╗╠╬╣╚╩╝═║"
    SPINNER = "┏┳┓┣╋┫┗┻┛━┃"


_BEHIND = {Mark.NONE: " ", Mark.LAST: "*", Mark.SPINNER: "+"}
_BRACKETS = {Mark.NONE: "[]", Mark.LAST: "{}", Mark.SPINNER: "<>"}


def face(first: int, second: int, cut: Cut, upright: bool, mark: Mark = Mark.NONE) -> Face:
    """A tile whose `first` half is at the left or above."""
    area = cut.upright if upright else cut.flat
    if area == Area(2, 1):
        return [chr((_UPRIGHT if upright else _FLAT) + 7 * first + second) + _BEHIND[mark]]
    frame = mark.value
    if area.height == 1:
        return [_in_line(first, second, cut.digits, mark)]
    if area.height == 3 and upright:
        return _short(first, second, cut.digits, frame)
    one, two = (_half(pips, cut, upright) for pips in (first, second))
    return _stacked(one, two, frame) if upright else _side_by_side(one, two, frame)


def put_tile(
    canvas: Canvas,
    x: int,
    y: int,
    halves: tuple[int, int],
    cut: Cut,
    upright: bool,
    mark: Mark,
    look: Style,
) -> None:
    """Draw a tile with its upper left corner at (x, y); each number has its colour, as on real double-twelve sets."""
    first, second = halves
    area = cut.upright if upright else cut.flat
    canvas.put(x, y, face(first, second, cut, upright, mark), look)
    if area == Area(2, 1):
        return
    wide, high = (area.width, area.height // 2) if upright else (area.width // 2, area.height)
    far = (x, y + area.height - high) if upright else (x + area.width - wide, y)
    for number, corner in ((first, (x, y)), (second, far)):
        if number:
            canvas.ink(*corner, wide, high, _COLOURED, COLOURS[number])


def _in_line(first: int, second: int, digits: int, mark: Mark) -> str:
    brackets = _BRACKETS[mark]
    return f"{brackets[0]}{first:>{digits}}|{second:<{digits}}{brackets[1]}"


def _short(first: int, second: int, digits: int, frame: str) -> Face:
    """Three rows: the numbers stand in the frame."""
    line = frame[9]
    return [
        f"{frame[0]}{first:{line}>{digits}}{frame[2]}",
        f"{frame[3]}{line * digits}{frame[5]}",
        f"{frame[6]}{second:{line}>{digits}}{frame[8]}",
    ]


def _stacked(one: Face, two: Face, frame: str) -> Face:
    wide, side = len(one[0]), frame[10]
    top, middle, bottom = (f"{frame[at]}{frame[9] * wide}{frame[at + 2]}" for at in (0, 3, 6))
    return [top, *(side + row + side for row in one), middle, *(side + row + side for row in two), bottom]


def _side_by_side(one: Face, two: Face, frame: str) -> Face:
    wide, side = len(one[0]), frame[10]
    top, bottom = (f"{frame[at]}{frame[9] * wide}{frame[at + 1]}{frame[9] * wide}{frame[at + 2]}" for at in (0, 6))
    return [top, *(side + left + side + right + side for left, right in zip(one, two, strict=True)), bottom]


def _half(pips: int, cut: Cut, upright: bool) -> Face:
    if not cut.pips:
        return [f"{pips:>{cut.digits}}"]
    rows = [[" "] * 5 for _ in range(3)]
    for x, y in pattern(pips):
        # More than nine pips stand in rows of four, which have no place in a half that is turned.
        along, across = (-y, x) if upright and pips < 10 else (x, y)
        rows[1 + _sign(across)][2 + _step(along)] = "●"
    return ["".join(row) for row in rows]


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _step(value: float) -> int:
    """Columns from the middle of five."""
    return _sign(value) * (1 if abs(value) < 0.2 else 2)
