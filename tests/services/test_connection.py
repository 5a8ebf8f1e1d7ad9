"""A connection's outbox: what waits goes out in one message, and nobody waits for a slow or vanished reader."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.game_service_pb2 import SessionResponse, WatchGameRequest
from capicua.api.v1.types_pb2 import Seat
from capicua.api.v1.update_pb2 import Accepted, CommandAnswer, Frame, Refusal, Update
from capicua.gateway.connection import MAX_WAITING_BYTES, Connection
from capicua.gateway.games import GameEndpoint
from capicua.gateway.limits import Limits
from capicua.runtime.refusals import refusal
from capicua.runtime.transport import Server, Stream
from capicua.store.memory_store import MemoryStore
from kit.actor import Actor
from kit.eventually import eventually
from kit.gateway import Caller, reason_of
from kit.peer import Peer


def update(seq: int, padding: int = 0) -> bytes:
    """An encoded update of some size."""
    frame = Frame(update=Update(seq=seq, game_id="g" * padding))
    return SessionResponse(frames=[frame]).SerializeToString()


def connect(peer: Peer) -> tuple[Connection, asyncio.Task[Refusal | None]]:
    """A connection to `peer` that runs."""
    connection = Connection("p-1", peer)  # type: ignore[arg-type]
    return connection, asyncio.create_task(connection.run())


async def test_all_that_waits_goes_out_in_one_message() -> None:
    """Given many updates in one turn of the loop, the peer gets one message, in order."""
    peer = Peer()
    connection, run = connect(peer)
    for seq in range(1, 101):
        connection.send(update(seq))
    connection.finish()

    assert await run is None
    assert peer.seqs == list(range(1, 101))
    assert peer.writes == 1


async def test_a_slow_reader_is_cut_and_nobody_else_waits() -> None:
    """Given a peer whose write never ends, `send` returns at once; past the bound it is cut with RESYNC."""
    slow, fast = Peer(), Peer()
    slow.reads.clear()
    (slow_connection, slow_run), (fast_connection, fast_run) = connect(slow), connect(fast)
    sent = 0
    while not slow_run.done():
        sent += 1
        for connection in (slow_connection, fast_connection):
            connection.send(update(sent, padding=1000))
        await asyncio.sleep(0)
    fast_connection.finish()

    refused = await slow_run
    assert refused is not None
    assert refused.reason == reasons.ERROR_REASON_RESYNC
    assert MAX_WAITING_BYTES // 1000 - 10 < sent < MAX_WAITING_BYTES // 1000 + 10
    assert await fast_run is None
    assert fast.seqs == list(range(1, sent + 1))


async def test_what_comes_after_the_end_harms_nobody() -> None:
    """I-1: given a client that hung up, the answer to its last command comes late and must not stop the game."""
    peer = Peer()
    connection, run = connect(peer)
    connection.send(update(1))
    await eventually(lambda: peer.seqs == [1])
    run.cancel()
    await asyncio.wait([run])
    connection.answer(CommandAnswer(accepted=Accepted(seq=2)))
    connection.send(update(2))
    connection.finish()
    connection.cut(refusal(reasons.ERROR_REASON_UNAVAILABLE, "too late"))

    assert peer.seqs == [1]


async def test_a_cut_says_why_and_drops_what_waits() -> None:
    """The first reason counts."""
    peer = Peer()
    connection, run = connect(peer)
    connection.send(update(1))
    connection.cut(refusal(reasons.ERROR_REASON_SUPERSEDED, "first"))
    connection.cut(refusal(reasons.ERROR_REASON_UNAVAILABLE, "second"))

    assert await run == refusal(reasons.ERROR_REASON_SUPERSEDED, "first")
    assert peer.seqs == []


async def test_it_ends_with_its_reader() -> None:
    """When reading ends the connection does; when reading fails, so does the connection."""

    async def nothing() -> None:
        """The peer closed its side."""

    async def mistake() -> None:
        raise ZeroDivisionError

    assert await Connection("p-1", Peer()).run(nothing()) is None  # type: ignore[arg-type]
    with pytest.raises(ZeroDivisionError):
        await Connection("p-1", Peer()).run(mistake())  # type: ignore[arg-type]


async def test_a_write_that_has_begun_comes_to_its_end() -> None:
    """Given a cut in the middle of a write: the connection is over at once, its last write when the peer has read."""
    peer = Peer()
    peer.reads.clear()
    connection, run = connect(peer)
    connection.send(update(1))
    await eventually(lambda: peer.writes == 1)
    connection.cut(refusal(reasons.ERROR_REASON_SUPERSEDED, "newer"))
    connection.send(update(2))
    await run
    assert peer.last_write is not None
    assert not peer.last_write.done()
    peer.reads.set()
    await peer.last_write

    assert peer.seqs == [1]


class CutSoon(GameEndpoint):
    """Shows something to whoever watches, and cuts them after so many steps of the loop as `last_seen_seq` says."""

    async def watch_game(self, caller: Seat, request: WatchGameRequest, stream: Stream) -> Refusal | None:
        """A stream that ends with SUPERSEDED."""
        connection, loop = Connection("", stream), asyncio.get_running_loop()

        def cut_in(steps: int) -> None:
            if steps:
                loop.call_soon(cut_in, steps - 1)
            else:
                connection.cut(refusal(reasons.ERROR_REASON_SUPERSEDED, "newer"))

        connection.send(update(1))
        cut_in(request.last_seen_seq)
        return await connection.run()


async def test_whoever_is_cut_is_told_why() -> None:
    """Given calls over real gRPC that are cut around the moment of a write: each ends at once with its reason."""
    actor = Actor(MemoryStore())
    server = Server([CutSoon(actor.service, actor.clock, Limits())], lambda _: Seat(), Limits())
    address = await server.listen("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(address) as channel:

        async def reason(steps: int) -> int:
            call = Caller(channel, None).call("WatchGame", WatchGameRequest(last_seen_seq=steps), timeout=20)
            try:
                while await call.read() is not grpc.aio.EOF:
                    pass
            except grpc.aio.AioRpcError as failure:
                return reason_of(failure)[1]
            return 0

        told = await asyncio.gather(*(reason(number % 8) for number in range(400)))
    await server.stop(1)

    assert set(told) == {reasons.ERROR_REASON_SUPERSEDED}
