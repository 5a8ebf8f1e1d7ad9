"""Calls between processes, over real sockets: every call is answered or ended, whatever happens to the link."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.update_pb2 import Refusal
from capicua.links.frames import RESPONSE, read_reply
from capicua.links.link import Link
from capicua.links.link_server import Handler, Incoming, LinkServer, link_token
from capicua.links.wire import HEAD, MAX_FRAME_BYTES, Wire
from kit.eventually import eventually

SECRET = b"s" * 32


class Caller:
    """What one call heard."""

    def __init__(self) -> None:
        self.replies: list[tuple[bytes, int]] = []
        self.ended: list[Refusal | None] = []

    def start(self, link: Link, method: str, request: bytes = b"") -> bytes:
        return link.call(method, request, lambda data, seq: self.replies.append((data, seq)), self.ended.append)


@pytest.fixture
async def connect() -> AsyncIterator[Callable[..., object]]:
    """Links to a server with the given handlers."""
    servers: list[LinkServer] = []
    links: list[Link] = []

    async def make(handlers: dict[str, Handler], secret: bytes = SECRET) -> Link:
        server = LinkServer(handlers, SECRET)
        servers.append(server)
        port = await server.start("127.0.0.1:0")
        links.append(await Link.connect(f"127.0.0.1:{port}", link_token(secret), lambda _: None))
        return links[-1]

    yield make
    for link in links:
        link.close()
    for server in servers:
        await server.stop()


async def test_a_call_has_any_number_of_replies_and_one_end(connect: Callable) -> None:  # type: ignore[type-arg]
    """Replies come in order with their seqs; the end comes once, with or without a last response."""

    def count(call: Incoming) -> None:
        for number in range(int(call.request)):
            call.reply(str(number).encode(), number)
        call.end()

    link = await connect({"Count": count, "Echo": lambda call: call.end(call.request)})
    many, echo = Caller(), Caller()
    many.start(link, "Count", b"100")
    echo.start(link, "Echo", b"x" * 1_000_000)
    await eventually(lambda: bool(many.ended and echo.ended))

    assert many.replies == [(str(number).encode(), number) for number in range(100)]
    assert (echo.replies, echo.ended, many.ended) == ([(b"x" * 1_000_000, 0)], [None], [None])


async def test_what_many_calls_get_is_sent_once(connect: Callable) -> None:  # type: ignore[type-arg]
    """Given 100 viewers of one game, the bytes of an update cross the wire once."""
    waiting: list[Incoming] = []
    link = await connect({"Watch": waiting.append})
    viewers = [Caller() for _ in range(100)]
    for viewer in viewers:
        viewer.start(link, "Watch")
    await eventually(lambda: len(waiting) == 100)
    frames: list[bytes] = []
    hear = link._wire.on_frame
    link._wire.on_frame = lambda data: (frames.append(data), hear(data))  # type: ignore[func-returns-value]
    update = b"u" * 1000
    for call in waiting:
        call.reply(update, 7)
    await eventually(lambda: all(viewer.replies for viewer in viewers))

    ((holds, call_ids, body, seq),) = map(read_reply, frames)
    assert (holds, len(call_ids), body, seq) == (RESPONSE, 100, update, 7)
    assert {viewer.replies[0] for viewer in viewers} == {(update, 7)}


async def test_refusals_mistakes_and_unknown_methods_end_the_call(connect: Callable) -> None:  # type: ignore[type-arg]
    """No call is left open: a mistake in one handler is INTERNAL for that call only."""

    def fail(_: Incoming) -> None:
        raise RuntimeError("a mistake")

    full = Refusal(reason=reasons.ERROR_REASON_TABLE_FULL, message="full")
    link = await connect({"Fail": fail, "Full": lambda call: call.end(full)})
    callers = {method: Caller() for method in ("Fail", "Full", "Nothing")}
    for method, caller in callers.items():
        caller.start(link, method)
    await eventually(lambda: all(caller.ended for caller in callers.values()))
    seen = {method: caller.ended[0].reason for method, caller in callers.items() if caller.ended[0] is not None}

    assert seen == {
        "Fail": reasons.ERROR_REASON_INTERNAL,
        "Full": reasons.ERROR_REASON_TABLE_FULL,
        "Nothing": reasons.ERROR_REASON_UNAVAILABLE,
    }


async def test_a_cancelled_call_hears_nothing_more_and_the_callee_is_told(connect: Callable) -> None:  # type: ignore[type-arg]
    """Also where a reply is on its way."""
    calls: list[Incoming] = []
    told: list[str] = []

    def watch(call: Incoming) -> None:
        calls.append(call)
        call.on_cancel = lambda: told.append("cancelled")
        call.reply(b"first")

    link = await connect({"Watch": watch})
    caller = Caller()
    call_id = caller.start(link, "Watch")
    await eventually(lambda: bool(calls))
    link.cancel(call_id)
    calls[0].reply(b"second")
    await eventually(lambda: bool(told))
    calls[0].end()
    await asyncio.sleep(0)

    assert told == ["cancelled"]
    assert caller.ended == []


async def test_a_lost_link_ends_every_call_on_both_sides(connect: Callable) -> None:  # type: ignore[type-arg]
    """The caller learns that the outcome is unknown, the callee that nobody listens."""
    told: list[str] = []

    def watch(call: Incoming) -> None:
        call.on_cancel = lambda: told.append(call.request.decode())

    link = await connect({"Watch": watch, "Echo": lambda call: call.end()})
    callers = [Caller() for _ in range(3)]
    for number, caller in enumerate(callers):
        caller.start(link, "Watch", str(number).encode())
    ready = Caller()
    ready.start(link, "Echo")
    await eventually(lambda: bool(ready.ended))
    link.close()
    await eventually(lambda: len(told) == 3 and all(caller.ended for caller in callers))

    assert {caller.ended[0].reason for caller in callers if caller.ended[0]} == {reasons.ERROR_REASON_UNAVAILABLE}
    assert sorted(told) == ["0", "1", "2"]


async def test_who_is_not_of_the_installation_is_not_heard(connect: Callable) -> None:  # type: ignore[type-arg]
    """Given another secret the link is cut before any call."""
    called: list[Incoming] = []
    link = await connect({"Echo": called.append}, secret=b"t" * 32)
    caller = Caller()
    caller.start(link, "Echo")
    await eventually(lambda: bool(caller.ended))

    assert (called, link.lost) == ([], True)


@given(st.lists(st.binary(max_size=300), min_size=1, max_size=20), st.data())
def test_frames_are_whole_however_the_bytes_arrive(frames: list[bytes], data: st.DataObject) -> None:
    """A stream cut at any places gives the frames that were sent."""
    seen: list[bytes] = []

    async def feed() -> None:
        wire = Wire(seen.append, lambda: None)
        stream = b"".join(len(frame).to_bytes(HEAD, "big") + frame for frame in frames)
        while stream:
            size = data.draw(st.integers(1, len(stream)))
            wire.data_received(stream[:size])
            stream = stream[size:]

    asyncio.run(feed())

    assert seen == frames


async def test_a_frame_too_long_ends_the_connection(connect: Callable) -> None:  # type: ignore[type-arg]
    """Nobody can make a process keep more than one frame's bytes."""
    link = await connect({})
    assert link._wire._transport is not None
    link._wire._transport.write((MAX_FRAME_BYTES + 1).to_bytes(HEAD, "big"))
    await eventually(lambda: bool(link.lost))
