"""Quick match: with a friend, at a table of any size, and how long it takes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input, Select

from capicua.client import Client, connect
from capicua.tui.table_screen import TableScreen
from capicua.tui.tick import Tick
from kit.gateway import ServerHere
from kit.pages import at_home, shows, text
from kit.tables import soon


@asynccontextmanager
async def form(folder: Path, server: ServerHere, variant: str) -> AsyncIterator[Pilot[None]]:
    """The page, with this game chosen."""
    async with at_home(folder, server.address) as pilot:
        await pilot.press("1")
        await shows(pilot, "Find a game")
        pilot.app.screen.query_one("#variant", Select).value = variant
        await pilot.pause()
        yield pilot


@asynccontextmanager
async def others(server: ServerHere, number: int, variant: str, party: str = "") -> AsyncIterator[None]:
    """So many people who look for a game of four."""

    async def look(client: Client) -> None:
        await client.quick_match(variant, seats=4, party=party)

    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(connect(server.address, name=f"Bo {n}")) for n in range(number)]
        looking = [asyncio.create_task(look(client)) for client in clients]
        yield
        for task in looking:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def test_friends_find_each_other_by_a_word(tmp_path: Path, quiet: ServerHere) -> None:
    """Until the friend is there the page says so; then it says how many are, and once how long it takes at most."""
    async with form(tmp_path, quiet, "partners_100") as pilot:
        pilot.app.screen.query_one("#party", Input).focus()
        await pilot.press(*"luna", "enter")
        await shows(pilot, "Your friend is not here yet.")
        async with others(quiet, 1, "partners_100", "luna"):
            await shows(pilot, "2 players of 4 are here.")
            await shows(pilot, "Bots join in ")
            assert "This takes about " not in text(pilot.app)


async def test_any_number_of_seats_will_do(tmp_path: Path, quiet: ServerHere) -> None:
    """Given three who want to be four, whoever would play with any number plays with them at once."""
    async with form(tmp_path, quiet, "block") as pilot, others(quiet, 3, "block"):
        pilot.app.screen.query_one("#any-seats", Tick).value = True
        pilot.app.screen.query_one("#find").focus()
        await pilot.press("enter")

        await soon(lambda: isinstance(pilot.app.screen, TableScreen))


async def test_only_partners_are_asked_for_a_word(tmp_path: Path, quiet: ServerHere) -> None:
    """Nobody has a partner in other games (R-14)."""
    async with form(tmp_path, quiet, "partners_200") as pilot:
        party = pilot.app.screen.query_one("#party")
        assert party.display
        pilot.app.screen.query_one("#variant", Select).value = "block"

        await soon(lambda: not party.display)
