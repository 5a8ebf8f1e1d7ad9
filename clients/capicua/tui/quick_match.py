"""A public game with whoever wants the same, and bots for the rest."""

from __future__ import annotations

import math

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Button, Input, ProgressBar, Select, Static

from capicua.api.v1.table_service_pb2 import Waiting
from capicua.engine import VARIANTS
from capicua.tui.game_form import GameForm, GamePage
from capicua.tui.page import Page
from capicua.tui.tick import Tick
from capicua.tui.words import N_, _, counted


class QuickMatch(GamePage):
    """Which game; the one of last time is chosen already."""

    TITLE_TEXT = N_("Quick match")

    def body(self) -> ComposeResult:
        yield GameForm(self.capicua.profile.variant)
        with Horizontal(classes="row"):
            yield Tick(_("Any number of seats"), id="any-seats")
            party = Input(placeholder=_("a word that your friend types too"), max_length=32, id="party")
            party.border_title = _("With a partner")
            yield party
        with Horizontal(classes="buttons"):
            yield Button(_("Find a game"), id="find", variant="primary")
        yield Static(_("Bots take the seats that nobody else takes."), classes="hint")

    def on_mount(self) -> None:
        """Enter is enough for the game of last time."""
        self.query_one("#find").focus()

    @on(Select.Changed)
    def _chosen(self) -> None:
        form = self.query_one(GameForm)
        self.query_one("#party").display = VARIANTS[form.variant].pairs(form.seats)

    @on(Input.Submitted)
    @on(Button.Pressed, "#find")
    def _find(self) -> None:
        form, party = self.query_one(GameForm), self.query_one("#party", Input)
        self.capicua.profile.variant = form.variant
        self.capicua.remember()
        word = party.value.strip() if party.display else ""
        any_seats = self.query_one("#any-seats", Tick).value
        self.app.push_screen(Searching(form.variant, form.seats, any_seats=any_seats, party=word))


class Searching(Page):
    """Waits for a seat, and says how long yet; leaving the page leaves the queue."""

    TITLE_TEXT = N_("Quick match")

    def __init__(self, variant: str, seats: int, *, any_seats: bool = False, party: str = "") -> None:
        super().__init__()
        self._variant, self._seats, self._any_seats, self._party = variant, seats, any_seats, party
        self._soon = self._at_most = 0.0
        """Seconds that it will likely take, and until bots join."""

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
        search = self.client.quick_match(
            self._variant, seats=self._seats, any_seats=self._any_seats, party=self._party, waiting=self._waits
        )
        if seat := await self.attempt(search):
            self.capicua.open_table(seat.game_id)

    def _waits(self, waiting: Waiting) -> None:
        # A page that is closing hears of others for a moment longer than it has widgets.
        if not self.query("#waiting"):
            return
        here, seats = waiting.waiting, waiting.seats
        told = counted("{n} player of {seats} is here.", "{n} players of {seats} are here.", here, seats=seats)
        if waiting.party == 1:
            told = _("Your friend is not here yet. The game waits for both of you.")
        self.query_one("#waiting", Static).update(told)
        self.query_one("#people", ProgressBar).update(total=seats, progress=here)
        self._soon, self._at_most = waiting.estimate_ms / 1000, waiting.bot_fill_ms / 1000
        self._tell()

    def _tick(self) -> None:
        self._soon, self._at_most = max(0.0, self._soon - 1), max(0.0, self._at_most - 1)
        self._tell()

    def _tell(self) -> None:
        soon, at_most = math.ceil(self._soon), math.ceil(self._at_most)
        told = ""
        if 0 < soon < at_most:
            told = counted("This takes about {n} second.", "This takes about {n} seconds.", soon)
        elif at_most:
            told = counted("Bots join in {n} second at most.", "Bots join in {n} seconds at most.", at_most)
        self.query_one("#bots", Static).update(told)

    @on(Button.Pressed, "#cancel")
    async def _cancel(self) -> None:
        await self.action_back()
