"""Sitting down at a private table with its code or link."""

from __future__ import annotations

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Button, Input, Static

from capicua.tui.page import Page
from capicua.tui.waiting_table import WaitingTable
from capicua.tui.words import N_, _

LINK = "capicua://join/"


class Join(Page):
    """Asks for the code; one that is given already is used at once."""

    TITLE_TEXT = N_("Join by code")

    def __init__(self, code: str = "") -> None:
        super().__init__()
        self._code = code

    def body(self) -> ComposeResult:
        code = Input(self._code, placeholder="K7QM", max_length=60, id="code")
        code.border_title = _("Code or link")
        yield code
        with Horizontal(classes="buttons"):
            yield Button(_("Join"), id="join", variant="primary")
        yield Static(_("The host of the table has the code: four letters and digits."), classes="hint")

    def on_mount(self) -> None:
        """Begin with the code."""
        self.query_one("#code").focus()
        if self._code:
            self._join()

    @on(Input.Submitted)
    @on(Button.Pressed, "#join")
    @work(exclusive=True)
    async def _join(self) -> None:
        code = self.query_one("#code", Input).value.strip()
        if not code:
            self.say(_("Type the code first."))
        elif joined := await self.attempt(self.client.join_table(code)):
            if joined.table.game_id:
                self.capicua.open_table(joined.table.game_id)
            else:
                self.app.switch_screen(WaitingTable(joined.table))
