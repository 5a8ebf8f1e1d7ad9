"""Who sits where: names, tiles left, scores, the clock, and how it stands with each seat."""

from __future__ import annotations

import math
from collections.abc import Mapping

from rich.cells import cell_len
from rich.text import Text

from capicua.api.v1.types_pb2 import Seat
from capicua.api.v1.update_pb2 import View
from capicua.tui.canvas import PLAIN, Canvas
from capicua.tui.look import STRONG, TURN, WARNING
from capicua.tui.names import name, side_of
from capicua.tui.words import _, counted

WARN_SECONDS = 5
"""From here on the clock warns."""
ROWS = 3


def draw_seats(
    view: View, width: int, seconds: float | None, acts: Mapping[int, str], heard: Mapping[int, str]
) -> Text:
    """A block for each seat, in turn order from the viewer's own.

    `seconds` are left of the running turn; `acts` say what seats did in their last turn, `heard` what they have just
    said, which hides all else that is known of them.
    """
    seats = len(view.hand_sizes) or len(view.seats)
    canvas = Canvas(width, ROWS)
    wide = width // max(seats, 1)
    for number in range(seats):
        seat, x = (view.own_seat + number) % seats, number * wide
        to_act = view.HasField("turn") and view.turn == seat
        clock = _clock(seconds) if to_act and seconds is not None else ""
        room = wide - 1 - cell_len(clock) - bool(clock)
        style = STRONG if to_act else PLAIN
        canvas.write(x, 0, f"{TURN if to_act else ' '} {name(view, seat)}", room, style)
        if clock and seconds is not None:
            late = seconds <= WARN_SECONDS
            canvas.write(x + wide - 1 - cell_len(clock), 0, clock, cell_len(clock), WARNING if late else STRONG)
        canvas.write(x + 2, 1, _counts(view, seat, wide - 3), wide - 3)
        told = heard.get(seat) or _fitting(standing(view, seat, acts.get(seat, "")), wide - 3)
        canvas.write(x + 2, 2, told, wide - 3, STRONG if seat in heard else PLAIN)
    return canvas.text()


def standing(view: View, seat: int, act: str) -> list[str]:
    """What there is to know of a seat besides its tiles, the most urgent first; `act` is what it did last."""
    told = []
    own = view.HasField("own_seat")
    known = view.seats[seat] if seat < len(view.seats) else Seat()
    if own and seat == view.own_seat:
        told.append(_("you"))
    if own and view.pairs and (seat - view.own_seat) % 4 == 2:
        told.append(_("partner"))
    if known.quit:
        told.append(_("has quit, a bot plays"))
    elif known.bot:
        told.append(_("bot"))
    elif seat in view.away:
        told.append(_("away"))
    elif seat in view.dropped:
        told.append(_("not connected"))
    if act:
        told.append(act)
    if view.HasField("turn") and view.turn == seat and not (own and seat == view.own_seat):
        told.append(_("thinking"))
    return told


def _fitting(pieces: list[str], room: int) -> str:
    """The first piece, and as many more as fit whole."""
    while len(pieces) > 1 and cell_len(" · ".join(pieces)) > room:
        pieces = pieces[:-1]
    return " · ".join(pieces)


def _counts(view: View, seat: int, room: int) -> str:
    """Tiles left and the score of the side, in words where they fit."""
    held = view.hand_sizes[seat] if seat < len(view.hand_sizes) else 0
    score = view.scores[side_of(view, seat)] if view.scores else 0
    tiles, points = counted("{n} tile", "{n} tiles", held), counted("{n} point", "{n} points", score)
    fitting = (words for words in (f"{tiles} · {points}", f"{tiles} · {score}") if cell_len(words) <= room)
    return next(fitting, f"{held} · {score}")


def _clock(seconds: float) -> str:
    whole = math.ceil(seconds)
    sign = "!" if seconds <= WARN_SECONDS else ""
    return sign + _("{n} s").format(n=whole)
