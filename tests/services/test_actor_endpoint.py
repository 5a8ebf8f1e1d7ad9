"""The game-actor as other processes call it."""

from __future__ import annotations

from capicua.game_actor.deadlines import Deadlines
from capicua.game_actor.endpoint import ActorEndpoint
from capicua.internal.v1.game_actor_service_pb2 import WatchSeatsResponse
from capicua.links.link import Link
from capicua.links.link_server import LinkServer, link_token
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
