"""The question before a seat is left."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Button, Static

from capicua.client import Game
from capicua.tui.dialog import Dialog
from capicua.tui.words import _


class Leave(Dialog[bool]):
    """Gives True if the table is to be closed."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._game = game

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(_("Leave the table?"), classes="heading", markup=False)
            told = _("Your seat waits for you, but the clock runs: when your time is out, the server plays for you.")
            yield Static(told, markup=False)
            with Horizontal(classes="buttons"):
                yield Button(_("Stay"), id="stay")
                yield Button(_("Leave for now"), id="leave")

    @on(Button.Pressed, "#stay")
    def stay(self) -> None:
        """Back to the table."""
        self.dismiss(False)

    @on(Button.Pressed, "#leave")
    def leave(self) -> None:
        """The game goes on without looking."""
        self.dismiss(True)
