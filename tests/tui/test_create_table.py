"""Tables of one's own: what is chosen on the page is what the table has."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input, Select

from capicua.api.v1.table_service_pb2 import Table
from capicua.api.v1.types_pb2 import TALK_NONE, TALK_PHRASES, TALK_TEXT
from capicua.bots import LEVELS
from capicua.tui.terms import BOTS
from capicua.tui.tick import Tick
from capicua.tui.waiting_table import WaitingTable
from kit.gateway import ServerHere
from kit.pages import at_home, shows
from kit.tables import soon


@asynccontextmanager
async def page(folder: Path, server: ServerHere) -> AsyncIterator[Pilot[None]]:
    """The page where a table is made."""
    async with at_home(folder, server.address) as pilot:
        await pilot.press("2")
        await shows(pilot, "Make the table")
        yield pilot


async def made(pilot: Pilot[None]) -> Table:
    """The table that the button makes."""
    pilot.app.screen.query_one("#create").focus()
    await pilot.press("enter")
    await soon(lambda: isinstance(pilot.app.screen, WaitingTable))
    waiting = pilot.app.screen
    assert isinstance(waiting, WaitingTable)
    return waiting.table


def choose(pilot: Pilot[None], **choices: object) -> None:
    """Choose from the lists with these ids."""
    for name, choice in choices.items():
        pilot.app.screen.query_one(f"#{name}", Select).value = choice


async def test_enter_alone_makes_the_usual_table(tmp_path: Path, quiet: ServerHere) -> None:
    """Private, to be watched at once, with phrases and the server's own level of bots."""
    async with page(tmp_path, quiet) as pilot:
        table = await made(pilot)

    options = table.table_options
    assert (options.public, options.spectators, options.delay_moves) == (False, True, 0)
    assert options.talk == TALK_PHRASES
    assert (table.options.variant, table.options.target, table.options.turn_seconds) == ("block_rounds", 5, 30)


async def test_everything_can_be_chosen(tmp_path: Path, quiet: ServerHere) -> None:
    """How far, how fast, who may see it and when, how bots play, what may be said."""
    async with page(tmp_path, quiet) as pilot:
        pilot.app.screen.query_one("#target", Input).value = "3"
        choose(pilot, seats=3, turn=60, delay=5, bots="expert", talk=TALK_TEXT)
        table = await made(pilot)

    assert (len(table.seats), table.options.target, table.options.turn_seconds) == (3, 3, 60)
    options = table.table_options
    assert (options.delay_moves, options.bots, options.talk) == (5, "expert", TALK_TEXT)


async def test_there_is_no_free_talk_in_public(tmp_path: Path, quiet: ServerHere) -> None:
    """Given free talk, a table that becomes public goes back to phrases; silence stays as it was chosen."""
    async with page(tmp_path, quiet) as pilot:
        for chosen, stays in ((TALK_TEXT, TALK_PHRASES), (TALK_NONE, TALK_NONE)):
            pilot.app.screen.query_one("#public", Tick).value = False
            await pilot.pause()
            choose(pilot, talk=chosen)
            pilot.app.screen.query_one("#public", Tick).value = True
            await pilot.pause()
            assert pilot.app.screen.query_one("#talk", Select).value == stays
        table = await made(pilot)

    assert (table.table_options.public, table.table_options.talk) == (True, TALK_NONE)


async def test_the_usual_target_is_told(tmp_path: Path, quiet: ServerHere) -> None:
    """It changes with the game (R-62)."""
    async with page(tmp_path, quiet) as pilot:
        await shows(pilot, "1, 3, 5 or 10; usually 5")
        choose(pilot, variant="draw")

        await shows(pilot, "usually 100")


def test_every_level_can_be_chosen() -> None:
    """Each that a bot knows, and none besides."""
    assert [*BOTS] == ["", *LEVELS]
