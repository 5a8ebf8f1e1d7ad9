"""The games that were played from here, to look at again."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from textual import on, work
from textual.app import ComposeResult
from textual.widgets import DataTable, Static

from capicua.client import Refused, Unreachable
from capicua.engine import NotationError
from capicua.tui.page import Page
from capicua.tui.profile import PlayedGame
from capicua.tui.words import N_, _, isolated, variant_name


class PastGames(Page):
    """Newest first; Enter shows one step by step, as far as this server has it."""

    TITLE_TEXT = N_("Games you played")

    def body(self) -> ComposeResult:
        yield DataTable(id="games", cursor_type="row")
        nothing = _("You have not played from here yet.")
        yield Static("" if self.capicua.games_here else nothing, markup=False)

    def on_mount(self) -> None:
        """Fill the list."""
        table = self.query_one(DataTable)
        table.add_columns(_("Begun"), _("Game"), _("People"), _("Points"), _("Result"))
        self._fill()
        table.focus()
        self._look_again()

    def _fill(self) -> None:
        table = self.query_one(DataTable)
        place = table.cursor_row
        table.clear()
        for game in self.capicua.games_here:
            table.add_row(*_cells(game), key=game.game_id)
        table.move_cursor(row=place)

    @work
    async def _look_again(self) -> None:
        """What was left before its end may be over by now."""
        open_games = [game for game in self.capicua.games_here if not game.finished]
        for game in open_games:
            with suppress(Refused, Unreachable):
                game.left(await self.client.view(game.game_id))
        if any(game.finished for game in open_games):
            self.capicua.remember()
            self._fill()

    @on(DataTable.RowSelected)
    @work(exclusive=True)
    async def _chosen(self, event: DataTable.RowSelected) -> None:
        from capicua.tui.replay_screen import ReplayScreen

        record = await self.attempt(self.client.record(str(event.row_key.value)))
        if record is None:
            return
        try:
            self.app.push_screen(ReplayScreen(record))
        except NotationError:
            self.say(_("This client cannot read the record of that game. Update the client."))


def _cells(game: PlayedGame) -> tuple[str, ...]:
    begun = datetime.fromtimestamp(game.begun).strftime("%Y-%m-%d %H:%M")
    result = _("not over") if not game.finished else _("won") if game.won else _("lost")
    return (
        begun,
        variant_name(game.variant),
        ", ".join(map(isolated, game.names)),
        " : ".join(map(str, game.scores)),
        result,
    )
