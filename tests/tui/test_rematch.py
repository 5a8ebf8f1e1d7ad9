"""Who is asked for a rematch, wherever they are, and what comes of each answer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

from capicua.client import Client
from capicua.tui.game_end import GameEnd
from capicua.tui.home import Home
from capicua.tui.ranking import Ranking
from capicua.tui.rematch import RematchAsked
from capicua.tui.table_screen import TableScreen
from capicua.tui.tick import Tick
from capicua.tui.waiting_table import WaitingTable
from kit.gateway import ServerHere
from kit.pages import shows
from kit.tables import AppAt, client_of, shown, soon


@asynccontextmanager
async def two_who_have_played(server: ServerHere, seats: int = 2) -> AsyncIterator[tuple[str, Client, Client]]:
    """A finished game and two of its players; the first one's client is the tested one's."""
    game_id = await server.actor.start("block", seats=seats, target=1)
    await server.actor.play(game_id, 500)
    async with client_of(server, 0) as mine, client_of(server, 1) as other:
        yield game_id, mine, other


@asynccontextmanager
async def elsewhere(folder: Path, client: Client) -> AsyncIterator[Pilot[None]]:
    """The player looks at the ranking."""
    async with AppAt(folder, Ranking(), client=client).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        yield pilot


@asynccontextmanager
async def table_of(folder: Path, client: Client, game_id: str) -> AsyncIterator[Pilot[None]]:
    """The player sits at the table of a game."""
    async with AppAt(folder, TableScreen(client, game_id), client=client).run_test(size=(80, 24)) as pilot:
        yield pilot


async def asked(pilot: Pilot[None]) -> None:
    """Wait for the question."""
    await soon(lambda: isinstance(pilot.app.screen, RematchAsked) and pilot.app.screen.is_mounted)
    await shows(pilot, "Wants a rematch: ")


async def test_the_question_comes_on_any_page(quiet: ServerHere, tmp_path: Path) -> None:
    """Given somebody who asks while the player is elsewhere, Enter answers nothing, and r leads to the new game."""
    async with two_who_have_played(quiet) as (game_id, mine, other), elsewhere(tmp_path, mine) as pilot:
        await other.rematch(game_id)
        await asked(pilot)
        await pilot.press("enter")
        assert isinstance(pilot.app.screen, RematchAsked)
        await pilot.press("r")

        await soon(lambda: isinstance(pilot.app.screen, TableScreen))
        assert [type(page) for page in pilot.app.screen_stack[-2:]] == [Home, TableScreen]


async def test_who_declines_keeps_nobody_waiting(quiet: ServerHere, tmp_path: Path) -> None:
    """d frees the seat, and the player stays where they are."""
    async with two_who_have_played(quiet) as (game_id, mine, other), elsewhere(tmp_path, mine) as pilot:
        table = (await other.rematch(game_id)).table
        await asked(pilot)
        await pilot.press("d")

        await soon(lambda: not mine.standing_offers)
        assert isinstance(pilot.app.screen, Ranking)
        seen = await anext(other.watch_table(table.table_id))
        assert (list(seen.awaited), seen.seats[0].player_id) == ([], "")


async def test_a_question_put_off_waits_on_the_first_page(quiet: ServerHere, tmp_path: Path) -> None:
    """Escape answers nothing; the first page has a line for it, until nobody asks any more."""
    async with two_who_have_played(quiet) as (game_id, mine, other), elsewhere(tmp_path, mine) as pilot:
        table = (await other.rematch(game_id)).table
        await asked(pilot)
        await pilot.press("escape", "escape")
        await shows(pilot, "r  Rematch")
        await pilot.press("r")
        await asked(pilot)

        await other.leave_table(table.table_id)

        await soon(lambda: isinstance(pilot.app.screen, Home))
        await soon(lambda: "r  Rematch" not in shown(pilot))


async def test_who_plays_is_not_interrupted(quiet: ServerHere, tmp_path: Path) -> None:
    """Given another game under way, the offer is told beside it, and no key goes astray."""
    async with two_who_have_played(quiet) as (game_id, mine, other):
        page = TableScreen(mine, await quiet.actor.start("draw"))
        async with AppAt(tmp_path, page, client=mine).run_test(size=(80, 24), notifications=True) as pilot:
            await soon(lambda: page.game is not None)
            await other.rematch(game_id)
            await shows(pilot, "Wants a rematch: ")

            assert page.is_current


async def test_the_first_who_asks_turns_the_seats(quiet: ServerHere, tmp_path: Path) -> None:
    """t and r at the end of a game: everybody moves on by one seat, where there are more than two."""
    for seats, expected in ((3, ["p-2", "p-0", "p-1"]), (2, ["p-0", "p-1"])):
        async with (
            two_who_have_played(quiet, seats) as (game_id, mine, other),
            table_of(tmp_path, mine, game_id) as pilot,
        ):
            await soon(lambda: isinstance(pilot.app.screen, GameEnd) and pilot.app.screen.is_mounted)
            await pilot.press("t", "r")
            await soon(lambda: isinstance(pilot.app.screen, WaitingTable))
            table = (await other.rematch(game_id)).table

        assert [seat.player_id for seat in table.seats] == expected


async def test_leaving_the_end_of_a_game_declines(quiet: ServerHere, tmp_path: Path) -> None:
    """Given somebody who asks, the seats cannot be turned any more; who leaves has said no."""
    async with two_who_have_played(quiet) as (game_id, mine, other), table_of(tmp_path, mine, game_id) as pilot:
        await soon(lambda: isinstance(pilot.app.screen, GameEnd))
        await other.rematch(game_id)
        await shows(pilot, "Wants a rematch: ")
        assert not pilot.app.screen.query_one("#turned", Tick).display
        await pilot.press("q")

        await soon(lambda: isinstance(pilot.app.screen, Home))
        await soon(lambda: not mine.standing_offers)
