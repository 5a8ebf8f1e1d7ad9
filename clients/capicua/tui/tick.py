"""A box to tick that says by a letter, and not by its colour, whether it is ticked."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Checkbox


class Tick(Checkbox):
    """`[x]` or `[ ]`, and what it is about."""

    BUTTON_LEFT = BUTTON_INNER = BUTTON_RIGHT = ""

    def __init__(self, told: str, value: bool = False, *, id: str) -> None:
        self._told = told
        super().__init__(self._text(value), value, id=id)

    def watch_value(self) -> None:
        """Show the letter that says it."""
        super().watch_value()
        self.label = self._text(self.value)

    def _text(self, value: bool) -> Content:
        # Brackets in a plain text would be markup.
        return Content(f"[{'x' if value else ' '}] {self._told}")
