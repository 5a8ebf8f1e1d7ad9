"""The table on the screen: a Scene, drawn anew whenever it or the window changes."""

from __future__ import annotations

from collections.abc import Mapping

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from capicua.tui.look import FELT
from capicua.tui.profile import Tiles
from capicua.tui.scene import PARTS, Scene, draw_scene
from capicua.tui.seats import ROWS, draw_seats


class Table(Vertical):
    """What is played, who sits there, the layout, what happened, the own hand, what to do."""

    DEFAULT_CSS = f"""
    Table > Static {{ height: auto; width: 100%; }}
    Table > #seats {{ height: {ROWS}; }}
    Table > #header, Table > #prompt {{ text-style: reverse; }}
    Table > #chain-room {{ height: 1fr; scrollbar-size-vertical: 1; background: {FELT}; color: white; }}
    Table #chain {{ width: auto; height: auto; }}
    """

    def __init__(self, tiles: Tiles) -> None:
        super().__init__()
        self.tiles = tiles
        self.scene = Scene()

    def compose(self) -> ComposeResult:
        for part in PARTS:
            shown = Static("", id=part, markup=False)
            if part == "chain":
                room = VerticalScroll(shown, id="chain-room")
                room.can_focus = False
                yield room
            else:
                yield shown

    def show(self, scene: Scene) -> None:
        """Show what is new."""
        self.scene = scene
        self.on_resize()

    def on_resize(self) -> None:
        """Everything has its place anew."""
        width, height = self.size
        if not width:
            return
        drawn, first = draw_scene(self.scene, width, height, self.tiles)
        for part, text in drawn.items():
            self._put(part, text)
        for room in self.query("#chain-room"):
            self.call_after_refresh(room.scroll_to, y=first, animate=False)

    def tick(self, seconds: float | None, heard: Mapping[int, str]) -> None:
        """Only the clock has moved on, or how it stands with a seat."""
        scene = self.scene
        scene.seconds, scene.heard = seconds, heard
        if self.size.width:
            self._put("seats", draw_seats(scene.view, self.size.width, seconds, scene.acts, heard))

    def _put(self, part: str, text: Text) -> None:
        # There is none any more where the page is closing.
        for shown in self.query(f"#{part}").results(Static):
            shown.update(text)
            shown.display = bool(text.plain)
