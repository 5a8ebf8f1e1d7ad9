"""Every page, in every language and on small and large terminals."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Button, Footer

from capicua.api.v1.table_service_pb2 import Table
from capicua.api.v1.types_pb2 import GameOptions
from capicua.tui.app import CapicuaApp
from capicua.tui.profile import Profile
from capicua.tui.quick_match import Searching
from capicua.tui.tick import Tick
from capicua.tui.waiting_table import WaitingTable
from capicua.tui.words import LANGUAGES
from kit.gateway import ServerHere
from kit.pages import LARGE, SMALL, at_home, opened, shows, text

LONGEST_NAME = "Maximiliane-Eleonore"


def clipped(app: App[None]) -> list[str]:
    """What of the page that is shown does not fit."""
    problems = []
    screen = app.screen
    if screen.query_one("#body").max_scroll_y or screen.query_one(Footer).max_scroll_x:
        problems.append("the page or its last line is too long")
    for widget in screen.query("#body *"):
        if not widget.is_on_screen or not widget.display:
            continue
        if not screen.region.contains_region(widget.region):
            problems.append(f"{widget} is outside")
        title = widget.border_title or ""
        if title and cell_len(str(title)) > widget.size.width - 2:
            problems.append(f"{title} does not fit its border")
        if isinstance(widget, Button | Tick):
            label = cell_len(str(widget.label))
            if label > widget.content_size.width:
                problems.append(f"{widget.label} does not fit its place")
    return problems


async def visit(pilot: Pilot[None], page: str) -> None:
    """To a page by its number key, or the waiting page of quick match by "w"."""
    if page == "w":
        pilot.app.push_screen(Searching("draw", 4))
    else:
        await pilot.press(page)
    await pilot.pause()


async def check(pilot: Pilot[None]) -> None:
    """Nothing of this page is clipped on either terminal."""
    for size in (LARGE, SMALL):
        await pilot.resize_terminal(*size)
        assert clipped(pilot.app) == [], text(pilot.app)


@pytest.mark.timeout(120)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_nothing_is_clipped(tmp_path: Path, quiet: ServerHere, language: str) -> None:
    """Pages, buttons, titles and keys fit, with the longest name there is."""
    Profile(name=LONGEST_NAME).save(tmp_path / "profile.json")
    async with opened(tmp_path, quiet.address, language=language) as pilot:
        await check(pilot)
        await pilot.press("enter")
        await shows(pilot, " 1  ")
        await check(pilot)
        for page in (*"1234567", "w"):
            await visit(pilot, page)
            await check(pilot)
            await pilot.press("escape")
            await pilot.pause()
        table = await quiet_table(pilot)
        pilot.app.push_screen(WaitingTable(table))
        await pilot.pause()
        await check(pilot)


async def quiet_table(pilot: Pilot[None]) -> Table:
    """A table whose host is the user."""
    app = pilot.app
    assert isinstance(app, CapicuaApp)
    assert app.client is not None
    return await app.client.create_table(GameOptions(variant="partners_200", seats=4))


async def test_another_language_keeps_the_focus_and_the_keys(tmp_path: Path, quiet: ServerHere) -> None:
    """Whoever tries one language after the other need not look for the list again."""
    async with at_home(tmp_path, quiet.address) as pilot:
        await visit(pilot, "7")
        await pilot.press("enter", "down", "enter")
        await shows(pilot, "הגדרות")
        assert pilot.app.focused is not None
        assert pilot.app.focused.id == "language"


async def test_a_terminal_of_ascii_gets_ascii(tmp_path: Path, quiet: ServerHere) -> None:
    """Borders, arrows and isolates too; a language of other letters gives way to English."""
    async with at_home(tmp_path, quiet.address) as pilot:
        app = pilot.app
        assert isinstance(app, CapicuaApp)
        app.profile.ascii, app.profile.language = True, "he"
        await app.restyle()
        for page in (*"12345678", "w"):
            await visit(pilot, page)
            assert text(app).isascii(), text(app)
            await pilot.press("escape")
            await shows(pilot, "1  Quick match")
