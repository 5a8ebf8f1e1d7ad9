"""Calls that follow their shard from process to process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import msgspec
import pytest

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.update_pb2 import Refusal
from capicua.internal.v1.game_actor_service_pb2 import GetRecordRequest, GetRecordResponse
from capicua.links import directory as directories
from capicua.links import router as routers
from capicua.links.directory import Directory
from capicua.links.installation import Installation, Member, Shard
from capicua.links.link_server import Incoming, LinkServer, link_token
from capicua.links.router import Router
from capicua.runtime.shard import SHARDS
from capicua.store.memory_store import MemoryStore
from kit.eventually import eventually

SECRET = b"s" * 32
MOVED = Refusal(reason=reasons.ERROR_REASON_UNAVAILABLE, message="moved")


class Callee:
    """A process that keeps every call it gets."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.calls: list[Incoming] = []
        self.cancelled: list[Incoming] = []
        self.server = LinkServer({"Watch": self._watch, "GetRecord": self._record}, SECRET)
        self.refuse = 0

    def _watch(self, call: Incoming) -> None:
        self.calls.append(call)
        call.on_cancel = lambda: self.cancelled.append(call)

    def _record(self, call: Incoming) -> None:
        self.calls.append(call)
        if self.refuse:
            self.refuse -= 1
            call.end(MOVED)
        else:
            call.end(GetRecordResponse(record=self.name).SerializeToString())


class World:
    """A table of processes that the test writes, and a router that reads it."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.callees = {name: Callee(name) for name in ("a", "b")}
        self.ports: dict[str, int] = {}
        self.heard: list[tuple[bytes, int]] = []
        self.ended: list[Refusal | None] = []

    async def start(self) -> None:
        for name, callee in self.callees.items():
            self.ports[name] = await callee.server.start("127.0.0.1:0")
        await self.owned_by("a")
        directory = self.directory = Directory(self.store)
        await directory.start()
        self.router = Router(directory, "game-actor", link_token(SECRET))
        await eventually(lambda: len(self.router.members()) == 2)

    async def owned_by(self, owner: str, living: str = "ab") -> None:
        """Write who owns every shard, and who lives."""
        members = {name: Member("game-actor", f"127.0.0.1:{self.ports[name]}", 0, 0) for name in living}
        table = Installation(members, {"game-actor": [Shard(owner, 1, 0) for _ in range(SHARDS)]})
        _, version, _ = await self.store.installation()
        await self.store.set_installation(version, msgspec.json.encode(table))

    def watch(self) -> routers.Routed:
        """A call whose request names the last seq heard."""

        def heard(data: bytes, seq: int) -> None:
            self.heard.append((data, seq))

        def request() -> bytes:
            return str(self.heard[-1][1] if self.heard else 0).encode()

        return self.router.call(7, "Watch", request, heard, self.ended.append)

    async def ask(self) -> GetRecordResponse | Refusal:
        return await self.router.ask(7, "GetRecord", GetRecordRequest(), GetRecordResponse)


@pytest.fixture
async def world(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """Two processes, of which "a" owns everything."""
    monkeypatch.setattr(directories, "LOOK_SECONDS", 0.02)
    world = World()
    await world.start()
    yield world
    world.router.close()
    world.directory.stop()
    for callee in world.callees.values():
        await callee.server.stop()


async def test_a_watch_goes_on_at_the_next_owner_from_where_it_was(world: World) -> None:
    """Whether the old owner is dead or only replaced, the viewer notices nothing."""
    a, b = world.callees["a"], world.callees["b"]
    world.watch()
    await eventually(lambda: bool(a.calls))
    a.calls[0].reply(b"one", 5)
    await eventually(lambda: world.heard == [(b"one", 5)])
    await world.owned_by("b")
    await eventually(lambda: bool(b.calls))
    b.calls[0].reply(b"two", 6)
    a.calls[0].reply(b"of an owner that does not know yet", 6)
    await eventually(lambda: len(world.heard) > 1)

    assert [call.request for call in (a.calls[0], b.calls[0])] == [b"0", b"5"]
    assert world.heard == [(b"one", 5), (b"two", 6)]
    await eventually(lambda: a.cancelled == a.calls)


@pytest.mark.parametrize("living", ["ab", "b"])
async def test_a_call_that_a_paused_owner_never_answers_is_sent_to_the_next(world: World, living: str) -> None:
    """Given the owner takes the call and sleeps: as soon as another owns the shard it is asked."""
    a, b = world.callees["a"], world.callees["b"]
    world.watch()
    await eventually(lambda: bool(a.calls))
    await world.owned_by("b", living)
    await eventually(lambda: bool(b.calls))
    b.calls[0].end()
    await eventually(lambda: world.ended == [None])


async def test_a_call_is_sent_again_while_the_owner_is_not_ready(world: World) -> None:
    """UNAVAILABLE is not the last word: the shard is on its way."""
    world.callees["a"].refuse = 3
    answer = await world.ask()

    assert isinstance(answer, GetRecordResponse)
    assert len(world.callees["a"].calls) == 4


async def test_a_call_whose_link_breaks_is_sent_to_the_next_owner(world: World) -> None:
    """What became of it is unknown, so it is asked again: such calls are made to be repeated."""
    a, b = world.callees["a"], world.callees["b"]
    world.watch()
    await eventually(lambda: bool(a.calls))
    await a.server.stop()
    await world.owned_by("b", "b")
    await eventually(lambda: bool(b.calls))
    answer = await world.ask()

    assert isinstance(answer, GetRecordResponse)
    assert answer.record == "b"


async def test_patience_has_an_end(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody serves the shard for too long the caller is told, and may ask again."""
    monkeypatch.setattr(routers, "PATIENCE_SECONDS", 0.1)
    await world.owned_by("", "ab")
    await eventually(lambda: world.directory.installation.owner("game-actor", 7) is None)
    answers = [*await asyncio.gather(world.ask(), world.ask())]
    world.callees["a"].refuse = 1000
    await world.owned_by("a")
    answers += [await world.ask()]

    assert all(isinstance(a, Refusal) and a.reason == reasons.ERROR_REASON_UNAVAILABLE for a in answers)


async def test_a_cancelled_call_is_not_sent_again(world: World) -> None:
    """Also where it was waiting for its owner."""
    watch = world.watch()
    await eventually(lambda: bool(world.callees["a"].calls))
    watch.cancel()
    await world.owned_by("b")
    await world.ask()

    assert all(call.request != b"0" for call in world.callees["b"].calls)
    assert world.ended == []


async def test_who_stands_hears_of_members_that_were_there_before(world: World) -> None:
    """Links are made as soon as members are known, which may be before anybody has asked for news of them."""
    world.router.stand("Watch", b"news", lambda *_: None, lambda _: None)

    await eventually(lambda: all(len(callee.calls) == 1 for callee in world.callees.values()))
