"""The picture of a game after one of its steps, as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from capicua.engine import PIPS, Event, GameState, Phase, RoundEnded
from capicua.engine.trains import MEXICAN, Trains
from capicua.picture.fold import Placed
from capicua.picture.hand import arrange, seated
from capicua.picture.page import HEIGHT, PALE, WIDTH, Box, clean, felt, put, put_tile, rectangle, write
from capicua.picture.pips import definitions
from capicua.picture.plan import DOWN, HUB, RIGHT, Plan, plan_layout
from capicua.picture.telling import tell_turn

Step = tuple[Event, GameState]
"""An event and the state after it."""

_LINE_BOX = Box(180, 175, 1240, 640)
_TRAINS_BOX = Box(350, 72, 1210, 850)
_HAND_TILE = 24.0
"""Half the length of the biggest tile of a hand."""
_GOLD, _WHITE = "#ffd23f", "#ffffff"


def draw(steps: Sequence[Step], at: int, names: Sequence[str]) -> bytes:
    """The game after step `at` (from 1) of `steps`, always in the same bytes; `names` are those of the seats.

    Hands are face up where `steps` hold the end of their round: till then they are not for everybody. Raises
    IndexError where there is no such step.
    """
    if not 1 <= at <= len(steps):
        raise IndexError(at)
    state = steps[at - 1][1]
    over = state.phase is not Phase.PLAYING or any(isinstance(event, RoundEnded) for event, _ in steps[at:])
    picture = _Picture(state, [clean(name) for name in names], over)
    picture.frame(f"{state.variant.key} · round {state.round} · step {at} of {len(steps)}")
    picture.around()
    picture.tell([event for event, _ in steps[:at]])
    return picture.written()


class _Picture:
    """One picture in the making."""

    def __init__(self, state: GameState, names: Sequence[str], face_up: bool) -> None:
        self._state, self._names, self._face_up = state, names, face_up
        size = f"0 0 {WIDTH} {HEIGHT}"
        self._page = Element(
            "svg", xmlns="http://www.w3.org/2000/svg", viewBox=size, attrib={"font-family": "sans-serif"}
        )

    def frame(self, heading: str) -> None:
        """The felt, and what can be told in a word."""
        state, page = self._state, self._page
        SubElement(page, "title").text = heading
        SubElement(page, "defs").extend([felt(), *definitions(state.variant.set)])
        for inset, fill in ((0, "#4b2e1a"), (7, "#80563a"), (15, "url(#felt)")):
            rectangle(page, Box(inset, inset, WIDTH - 2 * inset, HEIGHT - 2 * inset), 28 - inset, fill=fill)
        facts = [f"boneyard {state.boneyard_size}"] if state.round else []
        if state.variant.in_play.divisors and state.layout is not None and state.layout.placements:
            facts.append(f"count {state.layout.count()}")
        write(page, heading, 40, 54, 22, 1000, fill=PALE)
        write(page, " · ".join(facts), WIDTH - 40, 54, 22, 400, fill=_WHITE, text_anchor="end")

    def tell(self, events: Sequence[Event]) -> None:
        """The last turn in words."""
        told = tell_turn(self._state.setup, events, self._names, self._face_up)
        write(self._page, told, WIDTH / 2, HEIGHT - 36, 24, WIDTH - 120, fill=_WHITE, text_anchor="middle")

    def written(self) -> bytes:
        """The page as it stands."""
        indent(self._page, " ")
        text: bytes = tostring(self._page, encoding="utf-8", xml_declaration=True)
        return text + b"\n"

    def around(self) -> None:
        """The layout, and the hands around it."""
        if isinstance(self._state.layout, Trains):
            self._trains(self._state.layout)
            return
        box = _LINE_BOX
        self._layout(plan_layout(self._state, box.width / box.height), box)
        places = seated(self._state.seats, self._state.variant.direction == "cw")
        for seat, (side, at, many) in enumerate(places):
            if side in "LR":
                self._hand_beside(seat, 30 if side == "L" else WIDTH - 170)
            else:
                wide = box.width / many
                self._hand_along(seat, box.x + at * wide, wide, side == "T")

    def _trains(self, trains: Trains) -> None:
        box = _TRAINS_BOX
        plan = plan_layout(self._state, box.width / box.height)
        unit = box.width / plan.width
        # Each row lies as far below the upper edge of its stripe as the first one.
        first, *_ = plan.rows.values()
        tops = [box.y + unit * (y - first) for y in plan.rows.values()]
        for top, below in pairwise([*tops, box.y + box.height]):
            rectangle(self._page, Box(box.x, top + 3, box.width, below - top - 6), 10, fill="#000", fill_opacity="0.09")
        rectangle(self._page, box._replace(width=unit * HUB), 12, fill="#4b2e1a")
        for name, y in plan.rows.items():
            middle = box.y + unit * y
            if name in trains.markers():
                put(self._page, "marker", box.x - 0.7 * unit, middle, 0.8 * unit, 0)
            if name == MEXICAN:
                look = {"fill": _WHITE, "font_weight": "bold", "text_anchor": "middle"}
                write(self._page, "Mexican train", 165, middle + 8, 22, 250, **look)
            else:
                self._label(int(name), 165, middle - 20, 260)
                self._hand(int(name), Box(35, middle - 12, 260, 52), True)
        self._layout(plan, box)

    def _layout(self, plan: Plan, box: Box) -> None:
        """Every tile of the layout; the last play is marked, in another way where it is a double to be covered."""
        layout = self._state.layout
        if layout is None:
            return
        by = {tile: self._names[seat] for seat, tile, _ in layout.placements}
        last = layout.placements[-1][1] if layout.placements else None
        unit = box.width / plan.width
        for tile in plan.tiles():
            there = replace(tile, x=box.x + unit * tile.x, y=box.y + unit * tile.y)
            group = put_tile(self._page, there, unit, by.get(tile.tile, ""))
            if tile.tile == last:
                # Nothing can be played after an open double but its cover, so it is the last play.
                SubElement(group, "use", href="#last" if layout.debt < 0 else "#due")

    def _label(self, seat: int, x: float, y: float, room: float) -> None:
        """Name, tiles left and score of a seat on one line around `x`."""
        facts = " · ".join(self._facts(seat))
        write(self._page, self._names[seat], x, y, 21, room, facts, **self._look(seat))

    def _facts(self, seat: int) -> list[str]:
        """Tiles left and the score of the side, as short lines."""
        setup, state = self._state.setup, self._state
        held = state.hands[seat].bit_count() if state.hands else 0
        partner = [f"with {self._names[(seat + 2) % 4]}"] if setup.pairs else []
        return ["1 tile" if held == 1 else f"{held} tiles", f"score {state.scores[setup.side(seat)]}", *partner]

    def _look(self, seat: int) -> dict[str, str]:
        """Who is to act has a golden name."""
        acts = self._state.phase is Phase.PLAYING and self._state.turn == seat
        return {"font_weight": "bold", "fill": _GOLD if acts else _WHITE, "text_anchor": "middle"}

    def _hand_along(self, seat: int, x: float, wide: float, top: bool) -> None:
        """A hand at the upper or lower side, its label outside."""
        self._label(seat, x + wide / 2, 97 if top else 912, wide - 20)
        self._hand(seat, Box(x + 10, 112 if top else 828, wide - 20, 54), True)

    def _hand_beside(self, seat: int, x: float) -> None:
        """A hand at the left or right side, its label above."""
        write(self._page, self._names[seat], x + 70, 200, 21, 150, **self._look(seat))
        for line, fact in enumerate(self._facts(seat), 1):
            write(self._page, fact, x + 70, 200 + 25 * line, 19, 150, text_anchor="middle", fill=PALE)
        self._hand(seat, Box(x, 290, 140, 515), False)

    def _hand(self, seat: int, box: Box, upright: bool) -> None:
        """The tiles of a hand, face up or down."""
        tiles = self._state.tiles_of(seat) if self._state.hands else ()
        size, spots = arrange(len(tiles), box, _HAND_TILE, upright)
        for tile, spot in zip(tiles, spots, strict=True):
            there = Placed(tile, *PIPS[tile], *spot, DOWN if upright else RIGHT)
            if self._face_up:
                put_tile(self._page, there, size)
            else:
                put(self._page, "back", *spot, size, there.angle)
