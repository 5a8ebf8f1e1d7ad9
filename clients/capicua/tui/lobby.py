"""What goes on in public: tables with a free seat, and live games to watch."""

from __future__ import annotations

from textual import on, work
from textual.app import ComposeResult
from textual.widgets import DataTable, Static

from capicua.api.v1.game_service_pb2 import GameSummary
from capicua.api.v1.table_service_pb2 import Table
from capicua.client import Added, Refused, Removed, Unreachable
from capicua.tui.page import Page
from capicua.tui.waiting_table import WaitingTable
from capicua.tui.words import N_, _, isolated, variant_name

Listed = Table | GameSummary


class Lobby(Page):
    """Both lists, as they change; Enter sits down or watches."""

    TITLE_TEXT = N_("Lobby: open tables and live games")

    def __init__(self) -> None:
        super().__init__()
        self._listed: dict[str, Listed] = {}

    def body(self) -> ComposeResult:
        yield DataTable(id="lobby", cursor_type="row")
        yield Static("", id="empty", markup=False)

    def on_mount(self) -> None:
        """Follow the lobby while the page is open."""
        table = self.query_one(DataTable)
        for heading in (_("What"), _("Game"), _("People"), _("Stands")):
            table.add_column(heading, key=heading)
        table.focus()
        self._follow()

    @work(exclusive=True)
    async def _follow(self) -> None:
        try:
            self._told()
            async for change in self.client.lobby():
                self._take(change.entry, type(change))
                self._told()
        except (Refused, Unreachable) as failure:
            self.failed(failure)

    def _take(self, entry: Listed, kind: type) -> None:
        table = self.query_one(DataTable)
        key = entry.table_id if isinstance(entry, Table) else entry.game_id
        if kind is Removed:
            self._listed.pop(key, None)
            table.remove_row(key)
            return
        self._listed[key] = entry
        if kind is Added:
            table.add_row(*_cells(entry), key=key)
        else:
            for column, cell in zip(table.ordered_columns, _cells(entry), strict=True):
                table.update_cell(key, column.key, cell, update_width=True)

    def _told(self) -> None:
        nobody = _("Nobody waits and nobody plays in public now. Be the first: make a table that is in the lobby.")
        self.query_one("#empty", Static).update("" if self._listed else nobody)

    @on(DataTable.RowSelected)
    @work(exclusive=True, group="choose")
    async def _chosen(self, event: DataTable.RowSelected) -> None:
        entry = self._listed.get(str(event.row_key.value))
        if isinstance(entry, GameSummary):
            self.capicua.open_table(entry.game_id, watching=True)
        elif isinstance(entry, Table) and (
            joined := await self.attempt(self.client.join_table(table_id=entry.table_id))
        ):
            self.app.switch_screen(WaitingTable(joined.table))


def _cells(entry: Listed) -> tuple[str, str, str, str]:
    variant = variant_name(entry.options.variant)
    names = ", ".join(isolated(seat.name) if seat.name else _("(free)") for seat in entry.seats)
    if isinstance(entry, Table):
        taken = sum(bool(seat.name) for seat in entry.seats)
        return _("join"), variant, names, f"{taken}/{len(entry.seats)}"
    return _("watch"), variant, names, " : ".join(map(str, entry.scores))
