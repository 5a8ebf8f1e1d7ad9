"""People at the table: they talk, leave, quit, and play again."""

from __future__ import annotations

from pathlib import Path

import pytest

from capicua.api.v1.types_pb2 import EMOTE_CLAP, PHRASE_HELLO
from capicua.game_actor import presence
from capicua.tui.game_end import GameEnd
from capicua.tui.leave import Leave
from capicua.tui.table_screen import TableScreen
from capicua.tui.waiting_table import WaitingTable
from kit.gateway import ServerHere
from kit.tables import AppAt, client_of, shown, soon


async def test_leaving_asks_and_the_seat_waits(quiet: ServerHere, tmp_path: Path) -> None:
    """q asks; to stay changes nothing, to leave for now keeps the seat."""
    game_id = await quiet.actor.start("block")
    async with client_of(quiet, 0) as mine:
        page = TableScreen(mine, game_id)
        async with AppAt(tmp_path, page).run_test(size=(80, 24)) as pilot:
            await soon(lambda: page.game is not None)
            await pilot.press("q")
            assert type(pilot.app.screen) is Leave
            await pilot.click("#stay")
            assert page.is_current
            await pilot.press("q", "q")

            assert page not in pilot.app.screen_stack
    assert not (await quiet.actor.view("", game_id)).seats[0].quit


async def test_who_quits_gives_the_seat_to_a_bot(quiet: ServerHere, tmp_path: Path) -> None:
    """Quitting leaves the table, and the seat is a bot's for good."""
    game_id = await quiet.actor.start("block")
    async with client_of(quiet, 0) as mine:
        page = TableScreen(mine, game_id)
        async with AppAt(tmp_path, page).run_test(size=(80, 24)) as pilot:
            await soon(lambda: page.game is not None)
            await pilot.press("q", "x")

            await soon(lambda: page not in pilot.app.screen_stack)
    seat = (await quiet.actor.view("", game_id)).seats[0]
    assert (seat.quit, seat.bot) == (True, True)


async def test_a_rematch_is_asked_for_and_begins(quiet: ServerHere, tmp_path: Path) -> None:
    """Given a finished game, one key asks for another; when all have agreed its table is shown."""
    game_id = await quiet.actor.start("block", target=1)
    await quiet.actor.play(game_id, 500)
    async with client_of(quiet, 0) as mine, client_of(quiet, 1) as other:
        page = TableScreen(mine, game_id)
        async with AppAt(tmp_path, page, client=mine).run_test(size=(80, 24)) as pilot:
            await soon(lambda: isinstance(pilot.app.screen, GameEnd))
            await pilot.pause()
            await pilot.press("r")
            await soon(lambda: isinstance(pilot.app.screen, WaitingTable))
            await soon(lambda: "2  \u2068Player 1\u2069 (has not agreed yet)" in shown(pilot))
            assert "1  \u2068Player 0\u2069 (host)" in shown(pilot)

            rematch = (await other.rematch(game_id)).table.game_id

            await soon(lambda: isinstance(pilot.app.screen, TableScreen) and not page.is_current)
            assert rematch
            assert (await quiet.actor.view("p-0", rematch)).round == 1


async def test_who_wants_a_rematch_is_told(quiet: ServerHere, tmp_path: Path) -> None:
    """Given another player who asked first, their name is seen, and one key agrees."""
    game_id = await quiet.actor.start("block", target=1)
    await quiet.actor.play(game_id, 500)
    async with client_of(quiet, 0) as mine, client_of(quiet, 1) as other:
        await other.rematch(game_id)
        page = TableScreen(mine, game_id)
        async with AppAt(tmp_path, page, client=mine).run_test(size=(80, 24)) as pilot:
            await soon(lambda: isinstance(pilot.app.screen, GameEnd))
            await soon(lambda: "Wants a rematch: \u2068Player 1" in shown(pilot))
            await pilot.click("#rematch")

            await soon(lambda: isinstance(pilot.app.screen, TableScreen) and not page.is_current)


async def test_people_talk_at_the_table(quiet: ServerHere, tmp_path: Path) -> None:
    """Two keys say a phrase, which the other hears; what the other says is seen, until they are not heard."""
    game_id = await quiet.actor.start("block")
    async with client_of(quiet, 0) as mine, client_of(quiet, 1) as other:
        theirs = await other.watch(game_id)
        page = TableScreen(mine, game_id)
        async with AppAt(tmp_path, page).run_test(size=(80, 24)) as pilot:
            await soon(lambda: page.game is not None)
            await pilot.press("t", "1")
            assert "Hello!" in shown(pilot, "story")
            heard = await anext(theirs.talk)
            assert (heard.seat, heard.phrase) == (0, PHRASE_HELLO)  # type: ignore[union-attr]

            theirs.say(emote=EMOTE_CLAP)
            await soon(lambda: "*applause*" in shown(pilot, "seats"))
            await pilot.press("t")
            await pilot.click("#mute-1")
            await pilot.press("escape")

            assert page.game is not None
            assert page.game.talk.muted == {1}


async def test_who_signs_in_elsewhere_leaves_this_table(quiet: ServerHere, tmp_path: Path) -> None:
    """Given a newer session of the same player, the older client goes back to its first page and says why."""
    game_id = await quiet.actor.start("block")
    async with client_of(quiet, 0) as mine, client_of(quiet, 0) as elsewhere:
        page = TableScreen(mine, game_id)
        async with AppAt(tmp_path, page, client=mine).run_test(size=(80, 24)) as pilot:
            await soon(lambda: page.game is not None)

            await elsewhere.watch(game_id)

            await soon(lambda: "signed in somewhere else" in shown(pilot))
            assert page not in pilot.app.screen_stack


async def test_everybody_sees_how_it_stands_with_a_seat(
    quiet: ServerHere, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player comes, is cut off, misses turns (R-79) and quits: the seat says each of it, the most lasting first."""
    monkeypatch.setattr(presence, "GRACE_SECONDS", 0)
    game_id = await quiet.actor.start("block")
    async with client_of(quiet, 0) as mine:
        page = TableScreen(mine, game_id)
        async with AppAt(tmp_path, page).run_test(size=(80, 24)) as pilot:
            async with client_of(quiet, 1) as other:
                await other.watch(game_id)
                await soon(lambda: "7 tiles" in shown(pilot, "seats"))
                assert "not connected" not in shown(pilot, "seats")
            await soon(lambda: "not connected" in shown(pilot, "seats"))

            while page.game is None or 1 not in page.game.view.away:
                quiet.actor.expire(game_id)
                await pilot.pause()
            await soon(lambda: "away" in shown(pilot, "seats"))
            assert "not connected" not in shown(pilot, "seats")

            await quiet.actor.quit("p-1", game_id)
            await soon(lambda: "has quit, a bot plays" in shown(pilot, "seats"))
