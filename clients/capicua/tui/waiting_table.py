"""A table before its game: who sits there, and how others find it."""

from __future__ import annotations

from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Button, Static

from capicua.api.v1.table_service_pb2 import Table
from capicua.api.v1.types_pb2 import Seat
from capicua.client import Refused, Unreachable
from capicua.tui.page import Page
from capicua.tui.rules import rules_of
from capicua.tui.terms import terms
from capicua.tui.words import N_, _, isolated

FULL = N_("Everybody is here. Begin whenever you like.")
"""Said to whoever hosts a table without a free seat."""
BEGINS = {
    (False, False): N_("The host begins the game."),
    (False, True): N_("Begin whenever you like: bots take the free seats."),
    (True, False): N_("The game begins by itself when everybody has agreed."),
    (True, True): N_("The game begins by itself when everybody has agreed. If you begin it, bots take the free seats."),
}
"""How the game will begin: whether somebody is awaited for a rematch, whether one hosts the table."""


class WaitingTable(Page):
    """Shows who comes and goes until the game begins; leaving the page gives the seat up."""

    TITLE_TEXT = N_("Your table")
    BINDINGS: ClassVar[list[BindingType]] = [Binding("r,f3", "rules", N_("Rules"), key_display="F3 r")]

    def __init__(self, table: Table) -> None:
        super().__init__()
        self._table = table

    @property
    def engaged(self) -> bool:
        """The seat is kept for the player."""
        return True

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
        yield Static("\n".join(terms(self._table)), markup=False)
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
        self.query_one("#people", Static).update("\n".join(_seat(table, seat) for seat in table.seats))
        hosting = table.seats[table.host_seat].player_id == self.client.player_id
        self.query_one("#begin").display = hosting
        full = hosting and all(seat.player_id for seat in table.seats)
        self.query_one("#host", Static).update(_(FULL if full else BEGINS[bool(table.awaited), hosting]))
        host = isolated(table.seats[table.host_seat].name)
        title = _(self.TITLE_TEXT) if hosting else _("The table of {name}").format(name=host)
        self.query_one("#title", Static).update(title)

    def action_rules(self) -> None:
        """Of the game to come."""
        if rules := rules_of(self._table.options):
            self.app.push_screen(rules)

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


def _seat(table: Table, seat: Seat) -> str:
    """The line of a seat."""
    name = isolated(seat.name) if seat.name else _("(free)")
    if seat.seat in table.awaited:
        standing = _("(has not agreed yet)")
    else:
        standing = _("(host)") if seat.name and seat.seat == table.host_seat else ""
    return f"{seat.seat + 1}  {name} {standing}".rstrip()
