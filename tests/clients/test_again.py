"""Another game on the line, at the end of one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from capicua.cli.again import again
from capicua.cli.keyboard import Keyboard
from capicua.client import Client
from capicua.store.memory_store import MemoryStore
from kit.eventually import eventually
from kit.gateway import server_here
from kit.tables import client_of


class Typed(Keyboard):
    """Lines that the test types."""

    def __init__(self) -> None:
        self.lines: asyncio.Queue[str | None] = asyncio.Queue()

    async def line(self) -> str | None:
        """The next one."""
        return await self.lines.get()


class Person:
    """Somebody who has played a game and is asked."""

    def __init__(self, client: Client, game_id: str) -> None:
        self.type = (keyboard := Typed()).lines.put_nowait
        self.game = asyncio.create_task(again(client, keyboard, game_id))


@pytest.fixture
async def people() -> AsyncIterator[list[Person]]:
    """Both who have played a game."""
    async with server_here(MemoryStore()) as server:
        game_id = await server.actor.start("block", 2)
        await server.actor.play(game_id, 10_000)
        async with client_of(server, 0) as ana, client_of(server, 1) as ben:
            yield [Person(client, game_id) for client in (ana, ben)]


class Screen:
    """What both were told."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self._told = ""

    async def shows(self, text: str) -> None:
        """Wait for it."""

        def shown() -> bool:
            self._told += self._capsys.readouterr().out
            return text in self._told

        await eventually(shown)


async def test_both_play_on(people: list[Person], capsys: pytest.CaptureFixture[str]) -> None:
    """Given one wants another game with turned seats, the other is told, and agrees: both are led to it."""
    ana, ben = people
    screen = Screen(capsys)
    ana.type("turn")
    await screen.shows("Wants another game: Player 0. Type again to agree.")
    await screen.shows("At the table: Player 1 (asked), Player 0; Player 0 is the host")
    ben.type("again")
    assert await ana.game == await ben.game != ""


@pytest.mark.parametrize("no", ["no", "", None])
async def test_who_leaves_declines(people: list[Person], capsys: pytest.CaptureFixture[str], no: str | None) -> None:
    """Any other word, an empty line and the end of the input alike; the host sees it and begins with a bot."""
    ana, ben = people
    screen = Screen(capsys)
    ana.type("again")
    await screen.shows("Wants another game")
    ben.type(no)
    assert await ben.game == ""
    await screen.shows("At the table: Player 0, (free); Player 0 is the host")
    ana.type("start")
    assert await ana.game != ""


async def test_nobody_asked_and_nobody_stays(people: list[Person]) -> None:
    """Given nobody wants another game, both are asked no more."""
    for person in people:
        person.type(None)
    assert [await person.game for person in people] == ["", ""]
