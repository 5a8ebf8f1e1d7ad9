"""A connection's outbox: what waits goes out in one message, and nobody waits for a slow or vanished reader."""

from __future__ import annotations

import asyncio

import pytest

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.game_service_pb2 import SessionResponse
from capicua.api.v1.update_pb2 import Accepted, CommandAnswer, Frame, Refusal, Update
from capicua.gateway.connection import MAX_WAITING_BYTES, Connection
from capicua.runtime.refusals import refusal
from kit.eventually import eventually
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
