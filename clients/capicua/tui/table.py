"""The table on the screen: what is played, who sits there, the layout, what happened, the own hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from capicua.api.v1.types_pb2 import Play, Tile
from capicua.api.v1.update_pb2 import View
from capicua.cli import variant_names
from capicua.engine import VARIANTS
from capicua.tui.canvas import fit
from capicua.tui.chain import draw_chain
from capicua.tui.hand import draw_hand, draw_hands
from capicua.tui.layout import variant_of
from capicua.tui.profile import Tiles
from capicua.tui.seats import ROWS, draw_seats
from capicua.tui.words import _, counted, rule_words

TALL = 34
"""Rows of a window from which on the tiles of the hand are bigger."""


@dataclass
class Scene:
    """All that the table shows. `hands` are open ones, shown in place of the viewer's own."""

    view: View = field(default_factory=View)
    seconds: float | None = None
    story: Sequence[str] = ()
    acts: Mapping[int, str] = field(default_factory=dict)
    chosen: Tile | None = None
    choices: Sequence[Play] = ()
    prompt: str = ""
    keys: str = ""
    hands: Mapping[int, Sequence[Tile]] | None = None


class Table(Vertical):
    """A Scene, drawn anew whenever it or the window changes."""

    DEFAULT_CSS = f"""
    Table > Static {{ height: auto; width: 100%; }}
    Table > #seats {{ height: {ROWS}; }}
    Table > #header, Table > #prompt {{ text-style: reverse; }}
    Table > #chain-room {{ height: 1fr; scrollbar-size-vertical: 1; }}
    Table #chain {{ width: auto; height: auto; }}
    """

    def __init__(self, tiles: Tiles) -> None:
        super().__init__()
        self.tiles = tiles
        self.scene = Scene()

    def compose(self) -> ComposeResult:
        yield Static("", id="header", markup=False)
        yield Static("", id="seats", markup=False)
        room = VerticalScroll(Static("", id="chain", markup=False), id="chain-room")
        room.can_focus = False
        yield room
        yield Static("", id="story", markup=False)
        yield Static("", id="hand", markup=False)
        yield Static("", id="prompt", markup=False)

    def show(self, scene: Scene) -> None:
        """Show what is new."""
        self.scene = scene
        self._draw()

    def on_resize(self) -> None:
        """Everything has its place anew."""
        self._draw()

    def tick(self, seconds: float | None) -> None:
        """Only the clock has moved on, or how it stands with a seat."""
        scene = self.scene
        scene.seconds = seconds
        if self.size.width:
            self._put("seats", draw_seats(scene.view, self.size.width, seconds, scene.acts))

    def _draw(self) -> None:
        scene, (width, height) = self.scene, self.size
        if not width:
            return
        drawn = {
            "header": Text(header(scene.view, width), no_wrap=True),
            "seats": draw_seats(scene.view, width, scene.seconds, scene.acts),
            "story": Text(story(scene.story, width), no_wrap=True),
            "hand": self._hand(width, height >= TALL),
            "prompt": Text(prompt(scene.prompt, scene.keys, width), no_wrap=True),
        }
        left = max(1, height - sum(text.plain.count("\n") + 1 for text in drawn.values() if text.plain))
        chain, row = draw_chain(scene.view, width, left, self.tiles, scene.choices)
        if chain.plain.count("\n") >= left:
            # A column is for the scroll bar.
            chain, row = draw_chain(scene.view, width - 1, left, self.tiles, scene.choices)
        for part, text in drawn.items():
            self._put(part, text)
        self._put("chain", chain)
        self.call_after_refresh(self.query_one("#chain-room").scroll_to, y=row - left // 2, animate=False)

    def _hand(self, width: int, tall: bool) -> Text:
        scene = self.scene
        if scene.hands is not None:
            return draw_hands(scene.view, scene.hands, width)
        return draw_hand(scene.view, width, self.tiles, tall, scene.chosen) if scene.view.hand else Text("")

    def _put(self, part: str, text: Text) -> None:
        shown = self.query_one(f"#{part}", Static)
        shown.update(text)
        shown.display = bool(text.plain)


def header(view: View, width: int) -> str:
    """What is played and how far it is."""
    options = view.options
    known = options.variant in VARIANTS
    facts = [variant_names.name(options.variant, rule_words()) if known else options.variant]
    if view.round:
        facts.append(_("round {n}").format(n=view.round))
        facts.append(_("to {target}").format(target=options.target))
        facts.append(_("boneyard {n}").format(n=view.boneyard_size))
    variant = variant_of(options)
    if variant is not None and variant.in_play.divisors and view.layout:
        facts.append(_("count {n}").format(n=view.count))
    if view.spectators:
        facts.append(counted("{n} watches", "{n} watch", view.spectators))
    return fit(" " + " · ".join(filter(None, facts)), width)


def story(told: Sequence[str], width: int) -> str:
    """As much of what was told as fits, the newest last."""
    line = ""
    for sentence in reversed(told):
        longer = f"{sentence} {line}".rstrip()
        if line and cell_len(longer) > width - 1:
            break
        line = longer
    return fit(" " + line, width) if line else " "


def prompt(words: str, keys: str, width: int) -> str:
    """What to do now, and at the right the keys that always work."""
    room = width - cell_len(keys) - 2
    return f"{fit(' ' + words, room)} {keys} " if room > cell_len(words) // 2 else fit(" " + words, width)
