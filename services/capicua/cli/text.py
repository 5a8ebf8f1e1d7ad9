"""A game as text: tiles, the layout, hands and scores, for a terminal.

A tile is `[6|4]`, a double `[6:6]`, the spinner `<6:6>`.
"""

from __future__ import annotations

import shutil
import textwrap
from collections import deque
from collections.abc import Iterable, Sequence

from capicua.api.v1.types_pb2 import Placement, Play, Seat, Tile
from capicua.api.v1.update_pb2 import View

Halves = tuple[int, int]


def tile(shown: Tile) -> str:
    """One tile, the larger half first."""
    return _halves((shown.high, shown.low))


def tiles(shown: Iterable[Tile]) -> str:
    """Several tiles in a row; "none" if there are none."""
    return " ".join(map(tile, shown)) or "none"


def play(shown: Play) -> str:
    """A play: the tile and where; the lead has no end."""
    return tile(shown.tile) if shown.end == "-" else f"{tile(shown.tile)} at {shown.end}"


def counted(number: int, noun: str) -> str:
    """A number and its noun: "1 pip", "2 pips"."""
    return f"{number} {noun}" if abs(number) == 1 else f"{number} {noun}s"


def name(view: View, seat: int) -> str:
    """Who sits on a seat; its number where the name is not known."""
    return view.seats[seat].name if seat < len(view.seats) else f"seat {seat}"


def side(view: View, number: int) -> str:
    """A side by the names of its seats, which are two where partners play (R-14)."""
    return f"{name(view, number)} & {name(view, number + 2)}" if view.pairs else name(view, number)


def scores(view: View) -> str:
    """The score of every side."""
    return " · ".join(f"{side(view, number)} {score}" for number, score in enumerate(view.scores))


def hand_sizes(view: View) -> str:
    """How many tiles every seat holds."""
    return " · ".join(f"{name(view, seat)} {size}" for seat, size in enumerate(view.hand_sizes))


def game(view: View) -> str:
    """What is played, and by whom."""
    options = view.options
    seats = ", ".join(seat.name + _states(view, seat) for seat in view.seats)
    return f"{options.variant} to {options.target}, {options.turn_seconds} s a turn: {seats}"


def _states(view: View, seat: Seat) -> str:
    """What is out of the ordinary with a seat, in brackets."""
    states = {
        "bot for a player who quit": seat.quit,
        "bot": seat.bot and not seat.quit,
        "has lost the connection": seat.seat in view.dropped,
        "away": seat.seat in view.away,
    }
    told = ", ".join(state for state, holds in states.items() if holds)
    return f" ({told})" if told else ""


def layout(view: View) -> list[str]:
    """The layout in lines no wider than the terminal."""
    if not view.HasField("engine_tile"):
        return _arms(view.layout)
    ends = sorted((end.end for end in view.ends), key=lambda end: (end != "M", end))
    return [f"engine tile {tile(view.engine_tile)}", *(line for end in ends for line in train(view, end))]


def train(view: View, end: str) -> list[str]:
    """One train: "*" is its marker, "!" a double that must be covered (R-71 to R-73)."""
    laid: list[Halves] = []
    for placement in view.layout:
        if placement.play.end == end:
            open_pips = laid[-1][1] if laid else view.engine_tile.high
            laid.append(_facing((placement.play.tile.high, placement.play.tile.low), open_pips))
    owner = "Mexican train" if end == "M" else name(view, int(end))
    marks = (" *" if end in view.markers else "") + (" !" if end == view.debt else "")
    return _wrapped(f"{end} {owner}{marks} ", map(_halves, laid))


def _arms(placed: Sequence[Placement]) -> list[str]:
    if not placed:
        return ["(no tile is on the layout)"]
    line: deque[Halves] = deque()
    up: list[Halves] = []
    down: list[Halves] = []
    spinner = next((p.play.tile.high for p in placed if p.play.tile.high == p.play.tile.low), None)
    for placement in placed:
        halves = (placement.play.tile.high, placement.play.tile.low)
        match placement.play.end:
            case "L":
                line.appendleft(_facing(halves, line[0][0])[::-1])
            case "R":
                line.append(_facing(halves, line[-1][1]))
            case "U" | "D" as end:
                assert spinner is not None  # U and D are the short sides of a spinner
                arm = up if end == "U" else down
                arm.append(_facing(halves, arm[-1][1] if arm else spinner))
            case _:
                line.append(halves)
    branching = bool(up or down)
    shown = [f"<{high}:{low}>" if branching and high == low == spinner else _halves((high, low)) for high, low in line]
    lines = _wrapped("L ", [*shown, " R"])
    for end, arm in (("U", up), ("D", down)):
        if arm:
            lines += _wrapped(f"{end} <{spinner}:{spinner}>", map(_halves, arm))
    return lines


def _facing(halves: Halves, pips: int) -> Halves:
    """The halves in the order in which they lie, `pips` first."""
    return halves if halves[0] == pips else halves[::-1]


def _halves(halves: Halves) -> str:
    mark = ":" if halves[0] == halves[1] else "|"
    return f"[{halves[0]}{mark}{halves[1]}]"


def _wrapped(start: str, pieces: Iterable[str]) -> list[str]:
    """Pieces in a row, broken between them; later lines stand under the first piece."""
    width = shutil.get_terminal_size().columns
    lines = [start]
    for piece in pieces:
        if len(lines[-1]) + len(piece) > width and len(lines[-1]) > len(start):
            lines.append(" " * len(start))
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def indented(lines: Iterable[str], by: int = 2) -> str:
    """The lines as one text, moved to the right."""
    return textwrap.indent("\n".join(lines), " " * by)
