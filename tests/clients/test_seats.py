"""Leaving a seat and dropping out, as clients see it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager

import pytest

from capicua.api.v1.types_pb2 import Seat
from capicua.api.v1.update_pb2 import Presence, Reset, Update
from capicua.client import Client, Game, Refused, connect
from capicua.game_actor import presence
from capicua.runtime.ids import BOTS
from capicua.store.memory_store import MemoryStore
from kit.eventually import eventually
from kit.gateway import ServerHere, server_here


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ServerHere]:
    """A server with a short grace."""
    monkeypatch.setattr(presence, "GRACE_SECONDS", 0.01)
    async with server_here(MemoryStore()) as server:
        yield server


def client_of(server: ServerHere, player_id: str, *, seeds: bool = False) -> AbstractAsyncContextManager[Client]:
    """A client of one who signed in some time ago."""
    token = server.tokens.sign(Seat(player_id=player_id, name="Ana"))
    return connect(server.address, token=token, seeds=seeds)


async def quit_seen(game: Game) -> None:
    """Follow a game until somebody has quit."""
    async for item in game:
        if isinstance(item, Update) and item.HasField("seat_quit"):
            return


async def test_who_quits_goes_on_as_a_spectator(server: ServerHere) -> None:
    """Given a client that quits, its view is a spectator's, its seat is held no more, and it gives no more seeds."""
    game_id = await server.actor.start("draw", 2, target=200)
    async with client_of(server, "p-0", seeds=True) as client:
        game = await client.watch(game_id)
        await eventually(lambda: len(client.held_seats) == 1)
        first = await game.quit()
        again = await game.quit()
        await quit_seen(game)

        assert (first, again) == (game.view.seq, game.view.seq)
        assert (game.seat, list(game.view.hand), list(client.held_seats)) == (None, [], [])
        assert (game.view.seats[0].quit, game.view.seats[0].name) == (True, BOTS[0][1])
        moves = 0
        while game.view.round < 2:
            moves += await server.actor.play(game_id, 1, first=moves)
            await asyncio.wait_for(game.__anext__(), 5)
        assert game.witness.seeds.keys() <= {2}
        with pytest.raises(Refused, match="NOT_SEATED"):
            await game.give_seed(b"too late")


async def test_a_client_follows_who_is_there(server: ServerHere) -> None:
    """Given another player who goes and comes back, iterating gives a Presence each time, and only then."""
    game_id = await server.actor.start("draw", 2)
    async with client_of(server, "p-0") as client:
        game = await client.watch(game_id)
        first = await game.__anext__()
        assert isinstance(first, Reset)
        other = server.actor.watch("p-1", game_id)
        server.actor.service.unwatch(other, game_id)
        gone = await game.__anext__()
        dropped = list(game.view.dropped)
        server.actor.service.watch(other, game_id, 0)
        back = await game.__anext__()
        server.actor.service.watch(other, game_id, 0)
        await server.actor.play(game_id, 1)
        update = await game.__anext__()

    assert (gone, dropped) == (Presence(game_id=game_id, seat=1, connected=False), [1])
    assert (back, list(game.view.dropped)) == (Presence(game_id=game_id, seat=1, connected=True), [])
    assert isinstance(update, Update)


async def test_a_spectator_has_no_seat_to_leave(server: ServerHere) -> None:
    """Spectating has no way to quit, and watching without a seat is refused."""
    game_id = await server.actor.start("draw", 2)
    async with client_of(server, "p-9") as client:
        with pytest.raises(TypeError, match="no seat"):
            await (await client.spectate(game_id)).quit()
        with pytest.raises(Refused, match="NOT_SEATED"):
            await (await client.watch(game_id)).quit()
