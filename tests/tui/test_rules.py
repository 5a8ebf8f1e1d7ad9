"""The rules of a game, where it is chosen and where it is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from capicua.tui.create_table import CreateTable
from capicua.tui.game_form import GamePage
from capicua.tui.quick_match import QuickMatch
from capicua.tui.table_screen import TableScreen
from kit.gateway import ServerHere
from kit.pages import shows
from kit.tables import AppAt, client_of, soon


@pytest.mark.parametrize("page", [CreateTable, QuickMatch])
async def test_the_chosen_game_is_told(quiet: ServerHere, tmp_path: Path, page: type[GamePage]) -> None:
    """r, with the button chosen: the rules for this number of seats; Escape goes back to the form."""
    async with (
        client_of(quiet, 0) as mine,
        AppAt(tmp_path, page(), client=mine).run_test(size=(100, 60)) as pilot,
    ):
        await shows(pilot, "F3 r")
        await pilot.press("r")
        await shows(pilot, "Who begins")
        await pilot.press("escape")

        await soon(lambda: isinstance(pilot.app.screen, page))


@pytest.mark.parametrize("key", ["r", "f3"])
async def test_the_game_under_way_is_told_with_its_target(quiet: ServerHere, tmp_path: Path, key: str) -> None:
    """R-62: its own target, which need not be the usual one of the variant."""
    game_id = await quiet.actor.start("draw", target=70)
    async with client_of(quiet, 0) as mine:
        page = TableScreen(mine, game_id)
        async with AppAt(tmp_path, page).run_test(size=(100, 60)) as pilot:
            await soon(lambda: page.game is not None)
            await pilot.press(key)

            await shows(pilot, "The target is 70 points.")
