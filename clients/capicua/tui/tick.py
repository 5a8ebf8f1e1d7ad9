"""A box to tick that says by a letter, and not by its colour, whether it is ticked."""

from __future__ import annotations

from textual.widgets import Checkbox


class Tick(Checkbox):
    """`[x]` or `[ ]`, and what it is about."""

    BUTTON_LEFT = "["
    BUTTON_INNER = " "
    BUTTON_RIGHT = "]"

    def watch_value(self) -> None:
        """Show the letter that says it."""
        super().watch_value()
        self.BUTTON_INNER = "x" if self.value else " "
        self.refresh()
