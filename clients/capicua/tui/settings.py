"""Tastes: language, colours, letters and tiles; each is in force at once."""

from __future__ import annotations

from typing import ClassVar, get_args

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Button, Checkbox, Select, Static

from capicua.tui.page import Page
from capicua.tui.profile import Tiles
from capicua.tui.tick import Tick
from capicua.tui.words import LANGUAGES, N_, _, isolated, spoken


class Settings(Page):
    """What the user may change; name and server are those of the first page."""

    TITLE_TEXT = N_("Settings")
    TILES: ClassVar[dict[Tiles, str]] = {"boxes": N_("Boxes with pips"), "unicode": N_("Unicode domino signs")}

    def body(self) -> ComposeResult:
        profile = self.capicua.profile
        languages = Select(
            [(isolated(name), key) for key, name in LANGUAGES.items()], value=spoken(), allow_blank=False, id="language"
        )
        languages.border_title = _("Language")
        tiles = Select(
            [(_(self.TILES[key]), key) for key in get_args(Tiles)], value=profile.tiles, allow_blank=False, id="tiles"
        )
        tiles.border_title = _("Tiles")
        yield languages
        yield tiles
        with Horizontal(classes="row"):
            yield Tick(_("Colours"), profile.colours, id="colours")
            yield Tick(_("ASCII only"), profile.ascii, id="ascii")
        yield Static(
            _("{name}, at {server}").format(name=isolated(profile.name), server=isolated(self.capicua.server)),
            markup=False,
        )
        with Horizontal(classes="buttons"):
            yield Button(_("Other name or server"), id="other")

    @on(Select.Changed, "#language")
    @work(exclusive=True)
    async def _language(self, event: Select.Changed) -> None:
        if event.value != spoken():
            self.capicua.profile.language = str(event.value)
            await self.capicua.restyle()

    @on(Select.Changed, "#tiles")
    def _tiles(self, event: Select.Changed) -> None:
        self.capicua.profile.tiles = "unicode" if event.value == "unicode" else "boxes"
        self.capicua.remember()

    @on(Checkbox.Changed)
    @work(exclusive=True)
    async def _checked(self, event: Checkbox.Changed) -> None:
        profile = self.capicua.profile
        profile.colours = self.query_one("#colours", Checkbox).value
        profile.ascii = self.query_one("#ascii", Checkbox).value
        await self.capicua.restyle()

    @on(Button.Pressed, "#other")
    def _other(self) -> None:
        self.capicua.sign_out()
