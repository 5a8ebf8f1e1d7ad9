"""A client that vanishes, at whatever moment, leaves nothing behind: here with every service behind links."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import msgspec
import pytest

from capicua.api.v1 import game_service_pb2 as games
from capicua.api.v1 import table_service_pb2 as tables
from capicua.api.v1.types_pb2 import PHRASE_HELLO, GameOptions, Seat, TableOptions
from capicua.game_actor.deadlines import Deadlines
from capicua.game_actor.endpoint import ActorEndpoint
from capicua.gateway.games import GameEndpoint
from capicua.gateway.limits import Limits
from capicua.gateway.tables import TableEndpoint
from capicua.links.directory import Directory
from capicua.links.installation import Held, Installation, Member, Shard
from capicua.links.link_server import LinkServer, link_token
from capicua.links.remote_actor import RemoteActor
from capicua.links.remote_matchmaking import RemoteMatchmaking
from capicua.matchmaking.endpoint import MatchmakingEndpoint
from capicua.matchmaking.service import MatchmakingService
from capicua.runtime.shard import SHARDS
from capicua.store.memory_store import MemoryStore
from kit.actor import Actor
from kit.eventually import eventually

SECRET = b"s" * 32
TURNS = 40
"""Turns of the event loop after which every call has been answered."""
ANA = Seat(player_id="p-0", name="Ana")


class Peer:
    """The client's end of a stream (implements `transport.Stream`): says what it was given, then nothing."""

    def __init__(self, *requests: games.SessionRequest) -> None:
        self._requests = list(requests)
        self.got = 0

    async def read(self) -> Any:
        """The next request."""
        if not self._requests:
            await asyncio.get_running_loop().create_future()
        return self._requests.pop(0)

    async def write(self, data: bytes) -> None:
        """Take it."""
        self.got += 1


class Split:
    """A gateway's endpoints, an actor and a matchmaker, all in this process, but with links between them."""

    async def start(self) -> None:
        self.store = MemoryStore()
        self.actor = Actor(self.store)
        self.game_id = await self.actor.start()
        endpoint = ActorEndpoint(self.actor.service, Deadlines(self.actor.clock, self.actor.service.expire_turn))
        self.matchmaking = MatchmakingService(self.actor.service, self.store, self.actor.clock, 60)
        for shard in range(SHARDS):
            self.matchmaking.taken(shard, Held(1, 0))
        await self.matchmaking.ready()
        handlers = {"game-actor": endpoint.handlers, "matchmaking": MatchmakingEndpoint(self.matchmaking).handlers}
        self.servers = {role: LinkServer(each, SECRET) for role, each in handlers.items()}
        addresses = {role: f"127.0.0.1:{await each.start('127.0.0.1:0')}" for role, each in self.servers.items()}
        members = {role: Member(role, address, 0, 0) for role, address in addresses.items()}
        table = Installation(members, {role: [Shard(role, 1, 0)] * SHARDS for role in members})
        await self.store.set_installation(0, msgspec.json.encode(table))
        self.directory = Directory(self.store)
        await self.directory.start()
        self.remote_actor = RemoteActor(self.directory, link_token(SECRET))
        self.remote_matchmaking = RemoteMatchmaking(self.directory, link_token(SECRET), self.remote_actor)
        self.games = GameEndpoint(self.remote_actor, self.actor.clock, Limits())
        self.tables = TableEndpoint(self.remote_matchmaking, self.remote_actor)
        self.table = await self.remote_matchmaking.create_table(ANA, GameOptions(variant="block"), TableOptions())
        assert isinstance(self.table, tables.Table)
        await eventually(lambda: len(self.remote_actor._router.members()) == 1)
        self.quiet = self.left_over()

    async def stop(self) -> None:
        self.directory.stop()
        self.remote_actor.close()
        self.remote_matchmaking.close()
        for server in self.servers.values():
            await server.stop()

    def left_over(self) -> tuple[int, ...]:
        """Sessions, viewers, tickets, who watches a table or the lobby, calls under way on either side, and tasks."""
        waiting = self.matchmaking._tables._tables[self.table.code]  # type: ignore[union-attr]
        routers = (self.remote_actor._router, self.remote_matchmaking._router)
        return (
            self.games.sessions,
            self.actor.service.stats().viewers,
            self.matchmaking.tickets,
            len(waiting.watchers),
            len(self.tables._lobby),
            sum(len(router._calls) for router in routers),
            sum(len(link._calls) for router in routers for link in router._links.values()),
            sum(len(each._calls) for server in self.servers.values() for each in server._connections),
            len(asyncio.all_tasks()),
        )


@pytest.fixture
async def split() -> AsyncIterator[Split]:
    """It runs."""
    there = Split()
    await there.start()
    yield there
    await there.stop()


def _session(split: Split, peer: Peer, seen: int | None) -> Coroutine[Any, Any, Any]:
    if seen is not None:
        watch = games.Watch(game_id=split.game_id, last_seen_seq=seen)
        peer._requests.append(games.SessionRequest(watch=watch))
    return split.games.session(ANA, peer)  # type: ignore[arg-type]


def _talk(split: Split, peer: Peer) -> Coroutine[Any, Any, Any]:
    peer._requests.append(games.SessionRequest(say=games.Say(game_id=split.game_id, phrase=PHRASE_HELLO)))
    return _session(split, peer, 0)


def _watch_game(split: Split, peer: Peer, seen: int) -> Coroutine[Any, Any, Any]:
    request = games.WatchGameRequest(game_id=split.game_id, last_seen_seq=seen)
    return split.games.watch_game(ANA, request, peer)  # type: ignore[arg-type]


STREAMS: dict[str, Callable[[Split, Peer], Coroutine[Any, Any, Any]]] = {
    "Session": lambda split, peer: _session(split, peer, None),
    "Session that watches": lambda split, peer: _session(split, peer, 0),
    "Session that resumes": lambda split, peer: _session(split, peer, 1),
    "Session that talks": _talk,
    "WatchGame": lambda split, peer: _watch_game(split, peer, 0),
    "WatchGame that resumes": lambda split, peer: _watch_game(split, peer, 1),
    "QuickMatch": lambda split, peer: split.tables.quick_match(ANA, tables.QuickMatchRequest(), peer),  # type: ignore[arg-type]
    "WatchTable": lambda split, peer: split.tables.watch_table(
        ANA,
        tables.WatchTableRequest(table_id=split.table.table_id),  # type: ignore[union-attr]
        peer,  # type: ignore[arg-type]
    ),
    "WatchLobby": lambda split, peer: split.tables.watch_lobby(ANA, tables.WatchLobbyRequest(), peer),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("kind", STREAMS)
async def test_a_stream_leaves_nothing_behind_whenever_it_ends(split: Split, kind: str) -> None:
    """Given it is cancelled after any number of turns of the event loop, or once it was answered: no session, viewer,
    ticket, call or task."""
    for turns in (*range(TURNS), None):
        peer = Peer()
        stream = asyncio.ensure_future(STREAMS[kind](split, peer))
        if turns is None:
            await eventually(lambda peer=peer: peer.got > 0)  # type: ignore[misc]
        for _ in range(turns or 0):
            await asyncio.sleep(0)
        stream.cancel()
        await asyncio.wait([stream])
        await eventually(lambda: split.left_over() == split.quiet)


async def test_a_session_forgets_what_it_cannot_watch(split: Split) -> None:
    """Given ids of games that are not there, by the hundred: nothing is kept of them while the session lasts."""
    unknown = [games.SessionRequest(watch=games.Watch(game_id=f"g-{number}")) for number in range(100)]
    peer = Peer(*unknown)
    stream = asyncio.ensure_future(split.games.session(ANA, peer))  # type: ignore[arg-type]
    await eventually(lambda: split.games.sessions == 1)
    session = split.games._sessions[ANA.player_id]
    await eventually(lambda: not peer._requests)
    await eventually(lambda: not session.watched)
    stream.cancel()

    assert split.left_over()[5:7] == split.quiet[5:7]
