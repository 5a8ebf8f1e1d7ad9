"""A public game with whoever wants the same, and bots for the rest."""

from __future__ import annotations

import math

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Button, ProgressBar, Static

from capicua.api.v1.table_service_pb2 import Waiting
from capicua.tui.game_form import GameForm
from capicua.tui.page import Page
from capicua.tui.words import N_, _, counted


class QuickMatch(Page):
    """Which game; the one of last time is chosen already."""

    TITLE_TEXT = N_("Quick match")

    def body(self) -> ComposeResult:
        yield GameForm(self.capicua.profile.variant)
        with Horizontal(classes="buttons"):
            yield Button(_("Find a game"), id="find", variant="primary")
        yield Static(_("Bots take the seats that nobody else takes."), classes="hint")

    def on_mount(self) -> None:
        """Enter is enough for the game of last time."""
        self.query_one("#find").focus()

    @on(Button.Pressed, "#find")
    def _find(self) -> None:
        form = self.query_one(GameForm)
        self.capicua.profile.variant = form.variant
        self.capicua.remember()
        self.app.push_screen(Searching(form.variant, form.seats))


class Searching(Page):
    """Waits for a seat, and says how long yet; leaving the page leaves the queue."""

    TITLE_TEXT = N_("Quick match")

    def __init__(self, variant: str, seats: int) -> None:
        super().__init__()
        self._variant, self._seats = variant, seats
        self._bots_in = 0.0

    def body(self) -> ComposeResult:
        yield Static(_("Looking for players…"), id="waiting", markup=False)
        yield ProgressBar(self._seats, show_eta=False, show_percentage=False, id="people")
        yield Static("", id="bots", markup=False)
        with Horizontal(classes="buttons"):
            yield Button(_("Cancel"), id="cancel")

    def on_mount(self) -> None:
        """Into the queue."""
        self.set_interval(1, self._tick)
        self._search()

    @work(exclusive=True)
    async def _search(self) -> None:
        search = self.client.quick_match(self._variant, seats=self._seats, waiting=self._waits)
        if seat := await self.attempt(search):
            self.capicua.open_table(seat.game_id)

    def _waits(self, waiting: Waiting) -> None:
        here, seats = waiting.waiting, waiting.seats
        told = counted("{n} player of {seats} is here.", "{n} players of {seats} are here.", here, seats=seats)
        self.query_one("#waiting", Static).update(told)
        self.query_one("#people", ProgressBar).update(total=waiting.seats, progress=waiting.waiting)
        self._bots_in = waiting.bot_fill_ms / 1000
        self._tell()

    def _tick(self) -> None:
        self._bots_in = max(0.0, self._bots_in - 1)
        self._tell()

    def _tell(self) -> None:
        left = math.ceil(self._bots_in)
        told = counted("Bots join in {n} second at most.", "Bots join in {n} seconds at most.", left) if left else ""
        self.query_one("#bots", Static).update(told)

    @on(Button.Pressed, "#cancel")
    async def _cancel(self) -> None:
        await self.action_back()
