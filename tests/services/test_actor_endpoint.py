"""The game-actor as other processes call it."""

from __future__ import annotations

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.game_service_pb2 import GameSummary
from capicua.api.v1.update_pb2 import Refusal
from capicua.game_actor.deadlines import Deadlines
from capicua.game_actor.endpoint import ActorEndpoint
from capicua.internal.v1.game_actor_service_pb2 import WatchSeatsResponse
from capicua.links.directory import Directory
from capicua.links.installation import Installation, Member, Shard
from capicua.links.link import Link
from capicua.links.link_server import LinkServer, link_token
from capicua.links.remote_actor import RemoteActor
from capicua.runtime.shard import SHARDS
from capicua.store.memory_store import MemoryStore
from kit.actor import Actor
from kit.eventually import eventually

SECRET = b"s" * 32


async def test_who_watches_seats_hears_of_those_that_are_there() -> None:
    """A gateway finds an actor a moment after it began to play; bots learn of their seats by this alone."""
    actor = Actor(MemoryStore())
    endpoint = ActorEndpoint(actor.service, Deadlines(actor.clock, lambda due: actor.service.expire_turn(due)))
    server = LinkServer(endpoint.handlers, SECRET)
    port = await server.start("127.0.0.1:0")
    before = await actor.start("block")
    told: list[str] = []

    def hear(data: bytes, _: int) -> None:
        told.extend(seat.game_id for seat in WatchSeatsResponse.FromString(data).seats)

    link = await Link.connect(f"127.0.0.1:{port}", link_token(SECRET), lambda _: None)
    link.call("WatchSeats", b"", hear, lambda _: None)
    await eventually(lambda: len(told) == 2)
    after = await actor.start("draw")
    await eventually(lambda: len(told) == 4)
    link.close()
    await server.stop()

    assert told == [before] * 2 + [after] * 2


async def test_a_finished_game_is_told_in_brief() -> None:
    """Over a link as in the process itself; one that runs, or never was, is refused."""
    actor = Actor(MemoryStore())
    endpoint = ActorEndpoint(actor.service, Deadlines(actor.clock, lambda due: actor.service.expire_turn(due)))
    server = LinkServer(endpoint.handlers, SECRET)
    member = Member("game-actor", f"127.0.0.1:{await server.start('127.0.0.1:0')}", 0, 0)
    table = Installation({"one": member}, {"game-actor": [Shard("one", 1, 0)] * SHARDS})
    await actor.store.set_installation(0, table.written())
    directory = Directory(actor.store)
    await directory.start()
    remote = RemoteActor(directory, link_token(SECRET))
    game_id = await actor.start("draw", 3, target=40)
    running, unknown = await remote.finished_game(game_id), await remote.finished_game("g-0")
    await actor.play(game_id, 10_000)
    finished = await remote.finished_game(game_id)
    directory.stop()
    remote.close()
    await server.stop()

    assert isinstance(running, Refusal)
    assert isinstance(unknown, Refusal)
    assert running.reason == reasons.ERROR_REASON_GAME_RUNNING
    assert unknown.reason == reasons.ERROR_REASON_GAME_NOT_FOUND
    assert isinstance(finished, GameSummary)
    assert finished == await actor.service.finished_game(game_id)
    assert [seat.player_id for seat in finished.seats] == ["p-0", "p-1", "p-2"]
    assert (finished.options.variant, finished.options.target, max(finished.scores) >= 40) == ("draw", 40, True)
