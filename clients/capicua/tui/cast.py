"""A replay as an asciinema cast: a terminal session that others can play."""

from __future__ import annotations

import json
from collections.abc import Iterable
from io import StringIO

from rich.console import Console
from rich.text import Text

from capicua.tui.profile import Tiles
from capicua.tui.scene import PARTS, Scene, draw_scene, rows

WIDTH, HEIGHT = 100, 34
_CLEAR = "\x1b[H\x1b[2J"


def cast(scenes: Iterable[Scene], seconds: float, title: str, tiles: Tiles) -> str:
    """The scenes one after the other, each shown for some seconds, as the text of a file in asciicast v2."""
    lines: list[object] = [{"version": 2, "width": WIDTH, "height": HEIGHT, "title": title}]
    at = 0.0
    for scene in scenes:
        lines.append([round(at, 3), "o", _CLEAR + _frame(scene, tiles)])
        at += seconds
    # Players stop with the last event, which so stands as long as the others.
    lines.append([round(at, 3), "o", ""])
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def _frame(scene: Scene, tiles: Tiles) -> str:
    drawn, first = draw_scene(scene, WIDTH, HEIGHT, tiles)
    room = HEIGHT - sum(rows(text) for part, text in drawn.items() if part != "chain")
    shown: list[Text] = []
    for part in PARTS:
        lines = list(drawn[part].split("\n", allow_blank=True)) if drawn[part].plain else []
        shown += lines[first : first + room] if part == "chain" else lines
    written = StringIO()
    console = Console(file=written, force_terminal=True, width=WIDTH, color_system="truecolor", legacy_windows=False)
    console.print(Text("\n").join(shown), end="", no_wrap=True, overflow="crop")
    return written.getvalue().replace("\n", "\r\n")
