"""A person at the table: keys, mouse, and what is to be seen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.style import Style
from textual.pilot import Pilot

from capicua.bots import play
from capicua.cli.torture.proxy import Proxy
from capicua.tui import round_end
from capicua.tui.game_end import GameEnd
from capicua.tui.replay_screen import ReplayScreen
from capicua.tui.round_end import RoundEnd
from capicua.tui.scene import PARTS, draw_scene
from capicua.tui.table import Table
from capicua.tui.table_screen import TableScreen
from kit.gateway import ServerHere
from kit.tables import AppAt, client_of, shown, soon

Act = Callable[[Pilot[None]], Awaitable[object]]


async def by_keys(pilot: Pilot[None]) -> None:
    """Enter, or the number of the first place where the side is asked."""
    await pilot.press("1" if "where?" in shown(pilot, "prompt") else "enter")


async def by_mouse(pilot: Pilot[None]) -> None:
    """A click on the first end that can be chosen, else on the first tile that can be played."""
    for part in ("chain", "hand"):
        if places := clickable(pilot, part):
            await pilot.click(f"#{part}", offset=places[0])
            return


def clickable(pilot: Pilot[None], part: str) -> list[tuple[int, int]]:
    """Columns and rows of a part where a click does something."""
    table = pilot.app.screen.query_one(Table)
    text = draw_scene(table.scene, *table.size, table.tiles)[0][part]
    starts = [span.start for span in text.spans if isinstance(span.style, Style) and span.style.meta]
    return [(at - text.plain.rfind("\n", 0, at) - 1, text.plain.count("\n", 0, at)) for at in starts]


@pytest.mark.parametrize(("act", "size"), [(by_keys, (80, 24)), (by_mouse, (120, 40))])
async def test_a_whole_game_is_played(quiet: ServerHere, tmp_path: Path, act: Act, size: tuple[int, int]) -> None:
    """Enter, and a number where the side is asked, or clicks alone are enough to play a game to its end (R-56)."""
    game_id = await quiet.actor.start("block", target=5)
    async with client_of(quiet, 0) as mine, client_of(quiet, 1) as other:
        bot = asyncio.create_task(play(await other.watch(game_id)))
        page = TableScreen(mine, game_id)

        async with AppAt(tmp_path, page).run_test(size=size) as pilot:
            while not isinstance(pilot.app.screen, GameEnd):
                await pilot.pause()
                if isinstance(pilot.app.screen, RoundEnd):
                    assert "is over" in shown(pilot)
                    await pilot.press("enter")
                elif page.is_current and page.game is not None and page.game.my_turn:
                    await act(pilot)

            assert page.game is not None
            assert page.game.finished
            await soon(lambda: "the game!" in shown(pilot))
            await pilot.pause()
            await pilot.click("#look")
            assert "The game is over" in shown(pilot, "prompt")
            assert "Player 1" in shown(pilot, "hand")
            await pilot.press("q")
            assert page not in pilot.app.screen_stack
        await bot


async def test_a_game_that_is_over_shows_how_it_ended(quiet: ServerHere, tmp_path: Path) -> None:
    """Given a finished game, its result is seen at once."""
    game_id = await quiet.actor.start("block", target=1)
    await quiet.actor.play(game_id, 500)
    async with client_of(quiet, 0) as mine:
        page = TableScreen(mine, game_id)
        async with AppAt(tmp_path, page).run_test(size=(80, 24)) as pilot:
            await soon(lambda: "the game!" in shown(pilot))
            await pilot.pause()
            await pilot.click("#leave")

            assert page not in pilot.app.screen_stack


async def test_help_tells_the_keys_of_the_table(quiet: ServerHere, tmp_path: Path) -> None:
    """? shows them, any key goes back."""
    game_id = await quiet.actor.start("block")
    async with client_of(quiet, 0) as mine:
        page = TableScreen(mine, game_id)
        async with AppAt(tmp_path, page).run_test(size=(80, 24)) as pilot:
            await pilot.press("question_mark")
            assert "At the table" in shown(pilot)
            await pilot.press("x")

            assert page.is_current


async def my_turn(pilot: Pilot[None], page: TableScreen) -> None:
    """Wait until the person is asked to play."""
    await soon(lambda: page.game is not None and page.game.my_turn)
    await pilot.pause()


@asynccontextmanager
async def asked_to_play(quiet: ServerHere, folder: Path) -> AsyncIterator[tuple[Pilot[None], str]]:
    """A new game, on the screen of the person who is to lead; gives its id too."""
    game_id = await quiet.actor.start("block")
    turn = (await quiet.actor.view("", game_id)).turn
    async with client_of(quiet, turn) as mine:
        page = TableScreen(mine, game_id)
        async with AppAt(folder, page).run_test(size=(80, 24)) as pilot:
            await my_turn(pilot, page)
            yield pilot, game_id


async def test_a_number_that_nothing_has_is_told(quiet: ServerHere, tmp_path: Path) -> None:
    """Given seven tiles at most, 9 chooses none of them, and the prompt says why until something else is chosen."""
    async with asked_to_play(quiet, tmp_path) as (pilot, _):
        await pilot.press("9")
        assert "has the number 9." in shown(pilot, "prompt")
        await pilot.press("1")

        assert "has the number 9." not in shown(pilot, "prompt")


async def test_a_play_of_the_server_is_told_as_one(quiet: ServerHere, tmp_path: Path) -> None:
    """Given a turn that ran out, the player reads that the server played (R-79)."""
    async with asked_to_play(quiet, tmp_path) as (pilot, game_id):
        quiet.actor.expire(game_id)

        await soon(lambda: "Your time ran out" in shown(pilot, "story"))
        assert "(time out)" in shown(pilot, "seats")


async def test_a_cut_connection_is_told_and_play_goes_on(quiet: ServerHere, tmp_path: Path) -> None:
    """Given a connection that breaks with a play on its way, a banner says so, and the play is made once."""
    game_id = await quiet.actor.start("block")
    turn = (await quiet.actor.view("", game_id)).turn
    wire = Proxy(quiet.address)
    await wire.start()
    async with client_of(quiet, turn, wire.address) as mine:
        page = TableScreen(mine, game_id)
        async with AppAt(tmp_path, page, client=mine).run_test(size=(80, 24)) as pilot:
            await my_turn(pilot, page)
            banner = page.query_one("#banner")
            assert not banner.display

            told = asyncio.create_task(soon(lambda: bool(banner.display)))
            wire.cut()
            await pilot.press("enter")

            await told
            assert "made again" in str(banner.render())
            await soon(lambda: "leads" in shown(pilot, "story"))
            await soon(lambda: not banner.display)
            assert len(page.game.view.layout) == 1  # type: ignore[union-attr]
    wire.stop()


async def test_a_spectator_sees_the_game_to_its_end(quiet: ServerHere, tmp_path: Path) -> None:
    """Given somebody without a seat, they see names and no hand, and all hands when a round is over (R-156)."""
    game_id = await quiet.actor.start("block", target=1)
    async with client_of(quiet, 7) as looking:
        page = TableScreen(looking, game_id, watching=True)
        async with AppAt(tmp_path, page).run_test(size=(120, 40)) as pilot:
            await soon(lambda: "You watch" in shown(pilot, "prompt"))
            assert "Player 0" in shown(pilot, "seats")
            assert not shown(pilot, "hand")
            await quiet.actor.play(game_id, 500)
            await soon(lambda: isinstance(pilot.app.screen, GameEnd))
            await soon(lambda: "The game is over" in shown(pilot))
            assert "pips" in shown(pilot)
            await pilot.pause()
            await pilot.click("#replay")
            await soon(lambda: isinstance(pilot.app.screen, ReplayScreen))


async def test_the_end_of_a_round_goes_by_itself(
    quiet: ServerHere, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a next round that has begun, the page of the last one closes though nobody presses a key."""
    monkeypatch.setattr(round_end, "READ_SECONDS", 0.2)
    game_id = await quiet.actor.start("block_rounds")
    async with client_of(quiet, 0) as mine:
        page = TableScreen(mine, game_id)
        async with AppAt(tmp_path, page).run_test(size=(80, 24)) as pilot:
            await soon(lambda: page.game is not None)
            moves = 0
            while (await quiet.actor.view("", game_id)).round == 1:
                moves += await quiet.actor.play(game_id, 1, moves)
            await soon(lambda: isinstance(pilot.app.screen, RoundEnd))

            await soon(lambda: pilot.app.screen is page)


async def test_the_key_that_closes_a_round_does_no_more(quiet: ServerHere, tmp_path: Path) -> None:
    """Any key goes on; the table below, where q asks about leaving and Enter plays, does not get it."""
    game_id = await quiet.actor.start("block_rounds")
    async with client_of(quiet, 0) as mine:
        page = TableScreen(mine, game_id)
        async with AppAt(tmp_path, page).run_test(size=(80, 24)) as pilot:
            await soon(lambda: page.game is not None)
            moves = 0
            while (await quiet.actor.view("", game_id)).round == 1:
                moves += await quiet.actor.play(game_id, 1, moves)
            await soon(lambda: isinstance(pilot.app.screen, RoundEnd))
            await pilot.press("q")

            assert pilot.app.screen is page


async def test_the_table_follows_the_window(quiet: ServerHere, tmp_path: Path) -> None:
    """Given a window made bigger and smaller, every row fits it at once."""
    game_id = await quiet.actor.start("draw", seats=4)
    await quiet.actor.play(game_id, 12)
    async with client_of(quiet, 0) as mine:
        page = TableScreen(mine, game_id)
        async with AppAt(tmp_path, page).run_test(size=(80, 24)) as pilot:
            await soon(lambda: page.game is not None)
            for width, height in ((120, 40), (60, 20), (200, 60), (80, 24)):
                await pilot.resize_terminal(width, height)
                await pilot.pause()

                drawn = "\n".join(shown(pilot, part) for part in PARTS)
                assert max(map(cell_len, drawn.split("\n"))) <= width
                assert page.query_one("#prompt").region.bottom == height


async def test_a_game_that_cannot_be_watched_is_a_sentence(quiet: ServerHere, tmp_path: Path) -> None:
    """Given an id of no game, the page says what to do, and q goes back."""
    async with client_of(quiet, 0) as mine:
        page = TableScreen(mine, "no-such-game")
        async with AppAt(tmp_path, page, client=mine).run_test(size=(80, 24)) as pilot:
            await soon(lambda: "no such game" in shown(pilot))
            await pilot.press("q")

            assert page not in pilot.app.screen_stack
