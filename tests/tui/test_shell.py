"""From the first page to a table, as a person goes."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path

import psutil

from capicua.api.v1.types_pb2 import GameOptions, TableOptions
from capicua.client import connect
from capicua.tui.app import CapicuaApp
from capicua.tui.profile import Profile
from kit.eventually import eventually
from kit.gateway import ServerHere
from kit.pages import at_home, opened, shows, text
from kit.server import ServerProcess


async def test_whoever_was_here_before_need_not_sign_in_again(tmp_path: Path, quiet: ServerHere) -> None:
    """Name and token are kept, and nobody else on the machine may read them."""
    async with at_home(tmp_path, quiet.address):
        pass
    before = Profile.load(tmp_path / "profile.json")

    async with opened(tmp_path, quiet.address) as pilot:
        await shows(pilot, "1  Quick match")

    assert Profile.load(tmp_path / "profile.json").tokens == before.tokens
    assert stat.S_IMODE((tmp_path / "profile.json").stat().st_mode) == 0o600


async def test_two_keys_lead_to_a_quick_match_with_bots(tmp_path: Path, server: ServerProcess) -> None:
    """Sign in, 1, Enter: the table. The game is remembered."""
    async with at_home(tmp_path, server.address) as pilot:
        await pilot.press("1")
        await shows(pilot, "Find a game")
        await pilot.press("enter")
        await eventually(lambda: type(pilot.app.screen).__name__ == "TableScreen", 20)

    assert [game.variant for game in Profile.load(tmp_path / "profile.json").games] == ["block_rounds"]


async def test_friends_meet_at_a_private_table(tmp_path: Path, quiet: ServerHere) -> None:
    """The host sees the code and who sits down; the friend's link is enough; the host begins."""
    async with at_home(tmp_path, quiet.address) as host:
        await host.press("2")
        await shows(host, "Make the table")
        await host.press("enter")
        await shows(host, "capicua://join/")
        link = next(word.strip("\u2068\u2069") for word in text(host.app).split() if "capicua://join/" in word)
        async with connect(quiet.address, name="Bo") as friend:
            joined = await friend.join_table(link)
            await shows(host, "Bo")
            await shows(host, "Everybody is here.")
            await shows(host, "Target: 5. Time for a turn: 30 seconds.")
            await host.click("#begin")
            await eventually(lambda: type(host.app.screen).__name__ == "TableScreen", 20)
            changes = friend.watch_table(joined.table.table_id)

            assert [table.game_id != "" async for table in changes][-1]


async def test_a_link_sits_down_at_once(tmp_path: Path, quiet: ServerHere) -> None:
    """`capicua capicua://join/CODE` of somebody known; Escape gives the seat up."""
    async with at_home(tmp_path, quiet.address):
        pass
    async with connect(quiet.address, name="Bo") as host:
        table = await host.create_table(GameOptions(variant="block", seats=2))
        async with opened(tmp_path, quiet.address, code=f"capicua://join/{table.code}") as pilot:
            await shows(pilot, "The host begins the game.")
            await shows(pilot, "The table of \u2068Bo\u2069")
            await pilot.press("escape")
            await shows(pilot, "1  Quick match")
        changes = host.watch_table(table.table_id)

        assert [seat.name for seat in (await anext(changes)).seats] == ["Bo", ""]


async def test_a_wrong_code_and_a_full_table_are_explained(tmp_path: Path, quiet: ServerHere) -> None:
    """TABLE_NOT_FOUND and TABLE_FULL, each with what to do."""
    async with connect(quiet.address, name="Bo") as host, connect(quiet.address, name="Cy") as guest:
        table = await host.create_table(GameOptions(variant="block", seats=2))
        await guest.join_table(table.code)
        async with at_home(tmp_path, quiet.address) as pilot:
            await pilot.press("3")
            await shows(pilot, "Code or link")
            await pilot.press(*"ZZZZ", "enter")
            await shows(pilot, "No table waits with this code.")
            await pilot.press(*["backspace"] * 4, *table.code, "enter")
            await shows(pilot, "Every seat of this table is taken.")


async def test_the_lobby_lives(tmp_path: Path, quiet: ServerHere) -> None:
    """A public table appears, Enter sits down; it is gone from the list of others when it is full."""
    async with at_home(tmp_path, quiet.address) as pilot, connect(quiet.address, name="Zoe") as host:
        await pilot.press("4")
        await shows(pilot, "What")
        table = await host.create_table(GameOptions(variant="draw", seats=3), TableOptions(public=True))
        await shows(pilot, "Zoe")
        await pilot.press("enter")
        await shows(pilot, "The host begins the game.")
        await host.leave_table(table.table_id)
        await shows(pilot, "Begin whenever you like")


async def test_a_second_terminal_takes_over(tmp_path: Path, quiet: ServerHere) -> None:
    """SUPERSEDED: the older one says so on its first page, and does not fight."""
    async with at_home(tmp_path, quiet.address) as older, opened(tmp_path, quiet.address) as newer:
        await shows(newer, "1  Quick match")
        await shows(older, "You have signed in somewhere else.")


async def test_a_token_of_another_server_asks_for_the_name_again(tmp_path: Path, quiet: ServerHere) -> None:
    """UNAUTHENTICATED: the name is still there, one Enter signs in anew."""
    profile = Profile(name="Ana", server=quiet.address, tokens={quiet.address: "stale"})
    profile.save(tmp_path / "profile.json")
    async with opened(tmp_path, "") as pilot:
        await shows(pilot, "The server does not know you any more. Sign in again.")
        await pilot.press("enter")
        await shows(pilot, "1  Quick match")


async def test_a_language_is_spoken_at_once(tmp_path: Path, quiet: ServerHere) -> None:
    """Chosen in the settings, kept for the next time."""
    async with at_home(tmp_path, quiet.address) as pilot:
        await pilot.press("7")
        await shows(pilot, "Language")
        await pilot.press("enter", "down", "down", "down", "enter")
        await shows(pilot, "Ustawienia")
        await pilot.press("escape")
        await shows(pilot, "1  Szybka gra")
        app = pilot.app
        assert isinstance(app, CapicuaApp)
        assert Profile.load(app.path).language == "pl"


async def test_without_a_server_one_of_ones_own_is_two_keys_away(tmp_path: Path) -> None:
    """The sentence says so, the button is chosen; the server is gone with the client, and what it kept stays."""
    async with opened(tmp_path, "127.0.0.1:9") as pilot:
        app = pilot.app
        assert isinstance(app, CapicuaApp)
        await pilot.press(*"Ana", "enter")
        await shows(pilot, "No server answers at \u2068127.0.0.1:9\u2069.")
        await pilot.press("enter")
        await shows(pilot, "1  Quick match", 20)
        assert app.own is not None
        pid = app.own.pid

    assert not psutil.pid_exists(pid)
    assert (tmp_path / "own").is_dir()
    assert Profile.load(tmp_path / "profile.json").tokens.keys() == {"own"}


async def test_a_server_of_ones_own_that_dies_is_started_again(tmp_path: Path) -> None:
    """Given a game there that goes on: the player is back at it without a key, at the same address."""
    async with opened(tmp_path, "") as pilot:
        app = pilot.app
        assert isinstance(app, CapicuaApp)
        await pilot.press(*"Ana")
        await pilot.click("#own")
        await shows(pilot, "1  Quick match")
        await pilot.press("1", "enter")
        await shows(pilot, "boneyard")
        own = app.own
        assert own is not None
        address, died = own.address, own.pid

        psutil.Process(died).kill()

        await eventually(lambda: own.pid != died, 20)
        await eventually(lambda: app.reconnecting, 20)
        await eventually(lambda: not app.reconnecting, 20)
        assert own.address == address
        assert "boneyard" in text(app)

    assert not psutil.pid_exists(own.pid)


async def test_whoever_had_a_server_here_starts_it_with_one_key(tmp_path: Path) -> None:
    """Its button is chosen, as long as no other server was named."""
    Profile(name="Ana", tokens={"own": "a token"}).save(tmp_path / "profile.json")
    for server, chosen in (("", "own"), ("127.0.0.1:9", "name")):
        async with opened(tmp_path, server) as pilot:
            await shows(pilot, "Start a server here")
            assert pilot.app.focused is not None
            assert pilot.app.focused.id == chosen


async def test_what_is_no_address_is_said_before_it_is_tried(tmp_path: Path) -> None:
    """Host and port, with an example."""
    async with opened(tmp_path, "nonsense") as pilot:
        await pilot.press(*"Ana", "enter")
        await shows(pilot, "This is no address.")


async def test_a_name_is_asked_for_before_a_server(tmp_path: Path) -> None:
    """Enter without a name asks no server; what is typed next is the name."""
    async with opened(tmp_path, "127.0.0.1:9") as pilot:
        await pilot.press("enter")
        await shows(pilot, "This name cannot be used.")
        await pilot.press("A", "n", "a")
        await shows(pilot, "Ana")


async def test_a_lost_connection_is_told_and_mended(tmp_path: Path) -> None:
    """The banner comes and goes by itself, and the page works as before."""
    with ServerProcess(tmp_path) as server:
        async with at_home(tmp_path, server.address) as pilot:
            await asyncio.to_thread(server.kill)
            await shows(pilot, "The connection is lost.")
            await asyncio.to_thread(server.start)
            await eventually(lambda: "The connection is lost." not in text(pilot.app), 20)
            await pilot.press("6")
            await shows(pilot, "You: grade 1000")


async def test_a_live_game_is_watched_from_the_lobby(tmp_path: Path, quiet: ServerHere) -> None:
    """Enter on a game that others play shows it without a hand."""
    async with connect(quiet.address, name="Zoe") as host, connect(quiet.address, name="Bo") as guest:
        table = await host.create_table(GameOptions(variant="block", seats=2), TableOptions(public=True))
        await guest.join_table(table.code)
        await host.start_table(table.table_id)
        async with at_home(tmp_path, quiet.address) as pilot:
            await pilot.press("4")
            await shows(pilot, "0 : 0")
            await pilot.press("enter")
            await shows(pilot, "You watch.")
            await pilot.press("q")
            await shows(pilot, "1  Quick match")

    assert Profile.load(tmp_path / "profile.json").games == []


async def test_a_game_left_for_now_waits_on_the_first_page(tmp_path: Path, quiet: ServerHere) -> None:
    """0 goes back to it; it is among the games that were played, not over yet."""
    async with at_home(tmp_path, quiet.address) as pilot, connect(quiet.address, name="Bo") as guest:
        table = await guest.create_table(GameOptions(variant="block", seats=2))
        await pilot.press("3", *table.code, "enter")
        await shows(pilot, "The host begins the game.")
        await guest.start_table(table.table_id)
        await shows(pilot, "boneyard")
        await pilot.press("q")
        await shows(pilot, "Leave the table?")
        await pilot.press("q")
        await shows(pilot, "0  Back to your game")
        await pilot.press("5")
        await shows(pilot, "not over")
        await pilot.press("escape")
        await shows(pilot, "0  Back to your game")
        await pilot.press("0")
        await shows(pilot, "boneyard")


async def test_news_that_come_while_the_client_closes_find_no_half_page(tmp_path: Path, quiet: ServerHere) -> None:
    """Given news without end of seats that wait on the first page, closing the client is no failure."""
    async with at_home(tmp_path, quiet.address) as pilot:
        app = pilot.app
        assert isinstance(app, CapicuaApp)

        async def news() -> None:
            while True:
                app.fill_home()
                await asyncio.sleep(0)

        app.run_worker(news())
        await pilot.pause()
