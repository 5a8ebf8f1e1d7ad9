"""What may be said at a table is what the box offers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from capicua.api.v1.types_pb2 import EMOTE_CLAP, TALK_NONE, TALK_PHRASES, TALK_TEXT, TableOptions, Talk
from capicua.tui.table_screen import TableScreen
from capicua.tui.talk import TalkBox
from capicua.tui.tick import Tick
from kit.gateway import ServerHere
from kit.tables import AppAt, client_of, shown, soon


@asynccontextmanager
async def table(
    server: ServerHere, folder: Path, talk: Talk.ValueType, viewer: int = 0
) -> AsyncIterator[tuple[Pilot[None], str]]:
    """The client at a table where so much may be said, as seen by a seat or a spectator; and the id of the game."""
    game_id = await server.actor.start_table(TableOptions(spectators=True, talk=talk), "block", 2)
    async with client_of(server, viewer) as mine:
        page = TableScreen(mine, game_id)
        async with AppAt(folder, page).run_test(size=(80, 24)) as pilot:
            await soon(lambda: page.game is not None)
            yield pilot, game_id


async def test_own_words_where_the_host_allows_them(quiet: ServerHere, tmp_path: Path) -> None:
    """TALK_TEXT: the others hear what is typed, and it is shown at the own seat."""
    async with table(quiet, tmp_path, TALK_TEXT) as (pilot, game_id), client_of(quiet, 1) as other:
        theirs = await other.watch(game_id)
        await pilot.press("t")
        pilot.app.screen.query_one(Input).focus()
        await pilot.press(*"1 hm", "enter")
        assert "1 hm" in shown(pilot, "seats")

        heard = await anext(theirs.talk)

        assert (heard.seat, heard.text) == (0, "1 hm")  # type: ignore[union-attr]


async def test_no_field_leads_nowhere(quiet: ServerHere, tmp_path: Path) -> None:
    """TALK_PHRASES: a list and no field."""
    async with table(quiet, tmp_path, TALK_PHRASES) as (pilot, _):
        await pilot.press("t")
        box = pilot.app.screen

        assert isinstance(box, TalkBox)
        assert not box.query(Input)
        assert box.focused is box.query_one(OptionList)


async def test_at_a_silent_table_the_key_says_so(quiet: ServerHere, tmp_path: Path) -> None:
    """TALK_NONE: no box."""
    async with table(quiet, tmp_path, TALK_NONE) as (pilot, _):
        await pilot.press("t")

        assert isinstance(pilot.app.screen, TableScreen)
        assert "At this table nobody talks." in shown(pilot)


async def test_who_watches_listens(quiet: ServerHere, tmp_path: Path) -> None:
    """A spectator hears the players at their seats, says nothing, and may mute each of them."""
    async with table(quiet, tmp_path, TALK_PHRASES, 9) as (pilot, game_id), client_of(quiet, 1) as other:
        (await other.watch(game_id)).say(emote=EMOTE_CLAP)
        await soon(lambda: "*applause*" in shown(pilot, "seats"))
        await pilot.press("t")
        box = pilot.app.screen
        assert not box.query(OptionList)
        await pilot.press("space")

        assert [tick.value for tick in box.query(Tick)] == [True, False]
