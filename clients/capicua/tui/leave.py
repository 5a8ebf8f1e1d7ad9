"""The question before a seat is left."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Button, Static

from capicua.client import Game, Refused, Unreachable
from capicua.tui.dialog import Dialog, button
from capicua.tui.failure import sentence
from capicua.tui.words import N_, _

DESERTED = N_("When everybody has been gone for a minute, the server plays the game to its end.")


class Leave(Dialog[bool]):
    """Gives True if the table is to be closed."""

    AUTO_FOCUS: ClassVar[str] = "Button"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "press('leave')", show=False),
        Binding("x", "press('quit')", show=False),
    ]

    def __init__(self, game: Game, server: str) -> None:
        """`server` is the address to name where it does not answer."""
        super().__init__()
        self._game = game
        self._server = server

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(_("Leave the table?"), classes="heading", markup=False)
            told = _("For now: your seat waits for you, but when your time is out, the server plays for you.")
            yield Static(told, markup=False)
            yield Static(_(DESERTED), markup=False)
            yield Static(_("For good: a bot takes your seat, and the game is lost for you."), markup=False)
            yield Static("", id="failed", markup=False)
            with Horizontal(classes="buttons"):
                yield button(_("Stay"), "stay", "Esc")
                yield button(_("Leave for now"), "leave", "q")
                yield button(_("Quit for good"), "quit", "x")

    @on(Button.Pressed, "#stay")
    def stay(self) -> None:
        """Back to the table."""
        self.dismiss(False)

    @on(Button.Pressed, "#leave")
    def leave(self) -> None:
        """The game goes on without looking."""
        self.dismiss(True)

    @on(Button.Pressed, "#quit")
    async def quit(self) -> None:
        """The seat is given up."""
        try:
            await self._game.quit()
        except (Refused, Unreachable) as failure:
            self.query_one("#failed", Static).update(sentence(failure, self._server))
            return
        self.dismiss(True)
