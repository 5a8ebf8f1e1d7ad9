"""A table before its game: who sits there, and how others find it."""

from __future__ import annotations

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Button, Static

from capicua.api.v1.table_service_pb2 import Table
from capicua.client import Refused, Unreachable
from capicua.tui.page import Page
from capicua.tui.words import N_, _, isolated, variant_name


class WaitingTable(Page):
    """Shows who comes and goes until the game begins; leaving the page gives the seat up."""

    TITLE_TEXT = N_("Your table")

    def __init__(self, table: Table) -> None:
        super().__init__()
        self._table = table

    @property
    def table(self) -> Table:
        """The table as it is now."""
        return self._table

    def body(self) -> ComposeResult:
        yield Static("   ".join(self._table.code), id="code", markup=False)
        link = _("Others join with this code, or with {link}").format(
            link=isolated(f"capicua://join/{self._table.code}")
        )
        yield Static(link, markup=False)
        yield Static(variant_name(self._table.options.variant or "block_rounds"), markup=False)
        yield Static("", id="people", markup=False)
        with Horizontal(classes="buttons"):
            yield Button(_("Begin"), id="begin", variant="primary")
            yield Button(_("Leave"), id="leave")
        yield Static("", id="host", classes="hint", markup=False)

    def on_mount(self) -> None:
        """Look at the table until its game begins."""
        self._show()
        self._watch()

    @work(exclusive=True, group="watch")
    async def _watch(self) -> None:
        try:
            async for table in self.client.watch_table(self._table.table_id):
                self._table = table
                self._show()
        except (Refused, Unreachable) as failure:
            self.failed(failure)
        else:
            self.capicua.open_table(self._table.game_id)

    def _show(self) -> None:
        table = self._table
        lines = []
        for seat in table.seats:
            free = _("(has not agreed yet)") if seat.seat in table.awaited else _("(free)")
            name = isolated(seat.name) if seat.name else free
            host = _("(host)") if seat.name and seat.seat == table.host_seat else ""
            lines.append(f"{seat.seat + 1}  {name} {host}".rstrip())
        self.query_one("#people", Static).update("\n".join(lines))
        hosting = table.seats[table.host_seat].player_id == self.client.player_id
        self.query_one("#begin").display = hosting
        told = _("Begin whenever you like: bots take the free seats.") if hosting else _("The host begins the game.")
        self.query_one("#host", Static).update(told)

    @on(Button.Pressed, "#begin")
    @work(exclusive=True, group="begin")
    async def _begin(self) -> None:
        await self.attempt(self.client.start_table(self._table.table_id))

    @on(Button.Pressed, "#leave")
    def _leave(self) -> None:
        self._give_up()

    async def action_back(self) -> None:
        """Give the seat up."""
        self._give_up()

    @work(exclusive=True, group="leave")
    async def _give_up(self) -> None:
        await self.attempt(self.client.leave_table(self._table.table_id))
        self.app.pop_screen()
