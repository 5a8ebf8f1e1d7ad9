"""A table of one's own: which game, how far, how fast, and who may find it."""

from __future__ import annotations

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Button, Checkbox, Input, Select

from capicua.api.v1.types_pb2 import GameOptions, TableOptions
from capicua.engine import VARIANTS
from capicua.tui.game_form import GameForm
from capicua.tui.page import Page
from capicua.tui.tick import Tick
from capicua.tui.waiting_table import WaitingTable
from capicua.tui.words import N_, _, counted

TURN_SECONDS = (10, 15, 30, 60, 120)
DELAYS = (0, 1, 3, 5, 10)


class CreateTable(Page):
    """Everything has a good value already; Enter makes the table."""

    TITLE_TEXT = N_("Make a table")

    def body(self) -> ComposeResult:
        variant = VARIANTS.get(self.capicua.profile.variant, VARIANTS["block_rounds"])
        yield GameForm(variant.key)
        with Horizontal(classes="row"):
            target = Input(placeholder=_("as usual"), type="integer", max_length=5, id="target")
            target.border_title = _("Target")
            yield target
            turn = Select(
                [(counted("{n} second", "{n} seconds", n), n) for n in TURN_SECONDS],
                value=30,
                allow_blank=False,
                id="turn",
            )
            turn.border_title = _("Time for a turn")
            yield turn
        with Horizontal(classes="row"):
            yield Tick(_("In the lobby"), id="public")
            yield Tick(_("May be watched"), True, id="spectators")
            delay = Select(
                [(counted("{n} play late", "{n} plays late", n) if n else _("at once"), n) for n in DELAYS],
                value=0,
                allow_blank=False,
                id="delay",
            )
            delay.border_title = _("Watchers see it")
            yield delay
        with Horizontal(classes="buttons"):
            yield Button(_("Make the table"), id="create", variant="primary")

    def on_mount(self) -> None:
        """Enter is enough."""
        self.query_one("#create").focus()

    @on(Button.Pressed, "#create")
    @work(exclusive=True)
    async def _create(self) -> None:
        form = self.query_one(GameForm)
        target = self.query_one("#target", Input).value
        options = GameOptions(
            variant=form.variant,
            seats=form.seats,
            target=int(target) if target.isdecimal() else None,
            turn_seconds=int(str(self.query_one("#turn", Select).value)),
        )
        table_options = TableOptions(
            public=self.query_one("#public", Checkbox).value,
            spectators=self.query_one("#spectators", Checkbox).value,
            delay_moves=int(str(self.query_one("#delay", Select).value)),
        )
        if table := await self.attempt(self.client.create_table(options, table_options)):
            self.capicua.profile.variant = form.variant
            self.capicua.remember()
            self.app.switch_screen(WaitingTable(table))
