"""The page from which all others are reached."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from capicua.tui.create_table import CreateTable
from capicua.tui.help import Help
from capicua.tui.join import Join
from capicua.tui.lobby import Lobby
from capicua.tui.page import Page
from capicua.tui.past_games import PastGames
from capicua.tui.quick_match import QuickMatch
from capicua.tui.ranking import Ranking
from capicua.tui.settings import Settings
from capicua.tui.words import N_, _, isolated

CHOICES: dict[str, tuple[str, Callable[[], Page]]] = {
    "1": (N_("Quick match"), QuickMatch),
    "2": (N_("Make a table"), CreateTable),
    "3": (N_("Join by code"), Join),
    "4": (N_("Lobby: open tables and live games"), Lobby),
    "5": (N_("Games you played"), PastGames),
    "6": (N_("Ranking"), Ranking),
    "7": (N_("Settings"), Settings),
    "8": (N_("Help"), Help),
}
"""By number keys, which are the same on every keyboard."""
QUIT, GAME, REMATCH = "9", "0", "r"


class Home(Page):
    """A menu, by number, arrows or mouse; a game under way comes first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", show=False),
        *(Binding(key, f"choose('{key}')", show=False) for key in (*CHOICES, QUIT, GAME, REMATCH)),
    ]

    def body(self) -> ComposeResult:
        who = _("{name}, at {server}").format(
            name=isolated(self.capicua.profile.name), server=isolated(self.capicua.server)
        )
        yield Static(who, id="who", markup=False)
        yield OptionList(id="menu")

    def on_mount(self) -> None:
        """Begin on the first line."""
        self.fill()

    async def on_screen_resume(self) -> None:
        """Back from somewhere, perhaps from a game; or on the way out, when nobody is signed in any more."""
        await self.capicua.left_table()
        if self.capicua.client is not None:
            self.fill()

    async def restyle(self) -> None:
        """The menu too."""
        await super().restyle()
        self.fill()

    def fill(self) -> None:
        """Write the menu, with the game that waits for its player, if one does."""
        menu = self.query_one("#menu", OptionList)
        place = menu.highlighted
        menu.clear_options()
        if self.client.held_seats:
            menu.add_option(_line(GAME, _("Back to your game")))
        if self.client.standing_offers:
            menu.add_option(_line(REMATCH, _("Rematch")))
        menu.add_options(_line(key, _(told)) for key, (told, _page) in CHOICES.items())
        menu.add_option(_line(QUIT, _("Quit")))
        menu.highlighted = min(place or 0, menu.option_count - 1)

    @on(OptionList.OptionSelected, "#menu")
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.action_choose(event.option_id or "")

    def action_choose(self, key: str) -> None:
        """Go where a line of the menu leads."""
        if key in CHOICES:
            self.app.push_screen(CHOICES[key][1]())
        elif key == QUIT:
            self.app.exit()
        elif key == REMATCH:
            self.capicua.ask_rematch()
        elif seats := self.client.held_seats:
            self.capicua.open_table(seats[-1].game_id)

    async def action_back(self) -> None:
        """Home is where Back ends; 9 quits."""


def _line(key: str, told: str) -> Option:
    """A line of the menu, which its key chooses too."""
    return Option(f"{key}  {told}", key)
