"""Closing a client at any moment ends all that it began, and whoever waits for something is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import pytest

from capicua.api.v1.types_pb2 import Seat
from capicua.client import Client, Refused, Stale, Unreachable, connect
from capicua.store.memory_store import MemoryStore
from kit.eventually import eventually
from kit.gateway import ServerHere, server_here

Doing = Callable[[Client, str], Awaitable[object]]


async def watching(client: Client, game_id: str) -> None:
    async for _ in await client.watch(game_id):
        pass


async def playing(client: Client, game_id: str) -> None:
    async for _ in (game := await client.watch(game_id)):
        if game.my_turn:
            with suppress(Stale):
                await game.play(game.view.legal[0].tile, game.view.legal[0].end)


async def spectating(client: Client, game_id: str) -> None:
    async for _ in await client.spectate(game_id):
        pass


async def asking_for_seats(client: Client, game_id: str) -> None:
    async for _ in client.seats():
        pass


async def showing_the_connection(client: Client, game_id: str) -> None:
    async for _ in client.connections():
        pass


async def in_the_lobby(client: Client, game_id: str) -> None:
    async for _ in client.lobby():
        pass


async def queueing(client: Client, game_id: str) -> None:
    await client.quick_match()


async def asking_once(client: Client, game_id: str) -> None:
    await client.view(game_id)


DOINGS = [watching, playing, spectating, asking_for_seats, showing_the_connection, in_the_lobby, queueing, asking_once]


@pytest.fixture
async def server() -> AsyncIterator[ServerHere]:
    """A server over gRPC."""
    async with server_here(MemoryStore()) as here:
        yield here


def tasks() -> set[asyncio.Task[object]]:
    """All that run but the server's own, which awaits each next call in a new one."""
    return {task for task in asyncio.all_tasks() if "AioServer" not in repr(task)}


async def turn_over(turns: int) -> None:
    for _ in range(turns):
        await asyncio.sleep(0)


@pytest.mark.parametrize(("turns", "lost"), [((0, 3, 30, 300), False), ((300,), True)], ids=["connected", "lost"])
@pytest.mark.parametrize("doing", DOINGS, ids=lambda doing: doing.__name__)
async def test_no_task_outlives_its_client(
    server: ServerHere, doing: Doing, turns: tuple[int, ...], lost: bool
) -> None:
    """Given something under way for some turns of the loop, and perhaps no server any more, closing ends it."""
    game_id = await server.actor.start()
    token = server.tokens.sign(Seat(player_id="p-0", name="Ana"))
    for each in turns:
        before = tasks()
        async with connect(server.address, token=token, seeds=True) as client:
            task = asyncio.ensure_future(doing(client, game_id))
            await turn_over(each)
            if lost:
                await server.stop()
                await turn_over(each)
        with suppress(Refused, Unreachable):
            async with asyncio.timeout(1):
                await task
        await eventually(lambda before=before: tasks() <= before, within=1)  # type: ignore[misc]
