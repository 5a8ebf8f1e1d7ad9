"""A sheet of cells to draw on, and what is drawn as a text that can be shown, written to a file or clicked."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from rich.text import Text

PLAIN = Style()


class Canvas:
    """`width` × `height` cells; what would be drawn outside is cut off."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._rows: list[list[tuple[str, Style]]] = [[(" ", PLAIN)] * width for _ in range(height)]

    def put(self, x: int, y: int, rows: Iterable[str], style: Style = PLAIN) -> None:
        """Draw `rows`, whose characters are a cell wide each, with the upper left corner at (x, y)."""
        for down, row in enumerate(rows):
            for along, char in enumerate(row):
                if 0 <= y + down < self.height and 0 <= x + along < self.width:
                    self._rows[y + down][x + along] = (char, style)

    def is_blank(self, x: int, y: int) -> bool:
        """Whether a cell of the sheet is still empty."""
        return 0 <= y < self.height and 0 <= x < self.width and self._rows[y][x] == (" ", PLAIN)

    def ink(self, x: int, y: int, width: int, height: int, letters: str, colour: str) -> None:
        """Give some of the letters of an area another colour."""
        style = Style(color=colour)
        for row in self._rows[max(y, 0) : max(y + height, 0)]:
            for at in range(max(x, 0), min(x + width, self.width)):
                char, look = row[at]
                if char in letters:
                    row[at] = (char, look + style)

    def write(self, x: int, y: int, words: str, room: int, style: Style = PLAIN) -> None:
        """Write words of any script in `room` cells from (x, y) on."""
        if not (0 <= y < self.height and 0 <= x < self.width and room > 0):
            return
        room = min(room, self.width - x)
        fitted = fit(words, room)
        # One cell holds all of it: how wide each letter is is the terminal's affair, and direction is the reader's.
        self._rows[y][x : x + room] = [(fitted, style)] + [("", style)] * (room - 1)

    def text(self) -> Text:
        """All rows as one text."""
        drawn = Text(no_wrap=True, end="")
        for number, row in enumerate(self._rows):
            if number:
                drawn.append("\n")
            run, style = "", PLAIN
            for char, look in row:
                if look is not style and run:
                    drawn.append(run, style)
                    run = ""
                style = look
                run += char
            drawn.append(run, style)
        return drawn


def fit(words: str, room: int) -> str:
    """The words in exactly `room` cells: cut with an ellipsis, or with spaces behind."""
    if cell_len(words) > room:
        isolate = "\u2069" if "\u2068" in words else ""
        words = set_cell_size(words, room - 1).rstrip() + isolate + "…" if room else ""
    return words + " " * (room - cell_len(words))
