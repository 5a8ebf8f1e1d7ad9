"""A person at the table: keys, mouse, and what is to be seen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from capicua.bots import play
from capicua.store.memory_store import MemoryStore
from capicua.tui.game_end import GameEnd
from capicua.tui.round_end import RoundEnd
from capicua.tui.table_screen import TableScreen
from kit.gateway import ServerHere, server_here
from kit.tables import AppAt, client_of, shown


@pytest.fixture
async def here() -> AsyncIterator[ServerHere]:
    async with server_here(MemoryStore()) as server:
        yield server


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_whole_game_is_played_by_keys(here: ServerHere, tmp_path: Path, size: tuple[int, int]) -> None:
    """Enter, and a number where the side is asked, are enough to play a game to its end (R-56)."""
    game_id = await here.actor.start("block", target=20)
    async with client_of(here, 0) as mine, client_of(here, 1) as other:
        bot = asyncio.create_task(play(await other.watch(game_id)))
        page = TableScreen(mine, game_id)

        async with AppAt(tmp_path, page).run_test(size=size) as pilot:
            while not isinstance(pilot.app.screen, GameEnd):
                await pilot.pause()
                if isinstance(pilot.app.screen, RoundEnd):
                    assert "is over" in shown(pilot)
                    await pilot.press("enter")
                elif pilot.app.screen is page and page.game is not None and page.game.my_turn:
                    await pilot.press("1" if "where?" in shown(pilot, "prompt") else "enter")

            assert page.game is not None
            assert page.game.finished
            assert "the game!" in shown(pilot)
        await bot
