"""What keys and signs mean, over the page that they belong to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.events import Key
from textual.widgets import Static

from capicua.tui.dialog import Dialog
from capicua.tui.words import _


class KeyHelp(Dialog[None]):
    """A heading, keys or signs in groups with what they mean, and a last line."""

    HEADING: ClassVar[str]
    GROUPS: ClassVar[Sequence[Sequence[tuple[str, str]]]]
    LAST: ClassVar[str]

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(_(self.HEADING), classes="heading", markup=False)
            for group in self.GROUPS:
                for key, told in group:
                    yield Static(f"{key:<10} {_(told)}", markup=False)
                yield Static(" ")
            yield Static(_(self.LAST), markup=False)

    def on_key(self, event: Key) -> None:
        """Any key goes back."""
        # It would go on to the page below, and do there what it means there.
        event.stop()
        self.dismiss()
