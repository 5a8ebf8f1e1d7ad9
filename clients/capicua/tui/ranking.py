"""The leaderboard of a family, of the season that runs."""

from __future__ import annotations

from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import DataTable, Select, Static

from capicua.api.v1.rating_service_pb2 import ListLeaderboardResponse
from capicua.tui.page import Page
from capicua.tui.words import N_, _, isolated

FAMILIES = {
    "block": N_("Block games"),
    "draw": N_("Draw games"),
    "fives": N_("Games of fives"),
    "partners": N_("Games of partners"),
    "trains": N_("Games of trains"),
}


class Ranking(Page):
    """A family at a time; one's own place is marked."""

    TITLE_TEXT = N_("Ranking")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("1", "show('')", N_("The best")),
        Binding("2", "show('me')", N_("Around you")),
    ]

    def body(self) -> ComposeResult:
        families = Select([(_(name), key) for key, name in FAMILIES.items()], allow_blank=False, id="family")
        families.border_title = _("Games")
        yield families
        yield Static("", id="own", markup=False)
        yield DataTable(id="places", cursor_type="row")

    def on_mount(self) -> None:
        """The first family, from the top."""
        self.query_one(DataTable).add_columns("", _("Rank"), _("Name"), _("Grade"), _("Games"))

    @on(Select.Changed)
    def _chosen(self) -> None:
        self.action_show("")

    @work(exclusive=True)
    async def action_show(self, around: str) -> None:
        """The top of the list, or with "me" the places around one's own."""
        family = str(self.query_one(Select).value)
        own = await self.attempt(self.client.rating(family))
        if own is None:
            return
        told = (
            _("You: grade {grade}, rank {rank}.") if own.rank else _("You: grade {grade}, no rated game this season.")
        )
        self.query_one("#own", Static).update(told.format(grade=own.rating.grade, rank=own.rank))
        page = await self.attempt(self.client.leaderboard(family, around=self.client.player_id if around else ""))
        if page is not None:
            self._fill(page)

    def _fill(self, page: ListLeaderboardResponse) -> None:
        table = self.query_one(DataTable)
        table.clear()
        for place in page.ranked:
            mine = ">" if place.player_id == self.client.player_id else ""
            table.add_row(mine, place.rank, isolated(place.name), place.grade, place.games)
        if not page.ranked:
            self.say(_("Nobody has a rated game in this season yet."))
