"""One ordered, pipelined connection to a Redis-compatible server, from its making to its loss.

Commands of one turn of the event loop leave in one write, so everything that waits is committed together.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

import hiredis

from capicua.store.store import SeqTaken, StoreUnavailable

Argument = bytes | str | int
SILENCE_SECONDS = 5.0
"""A server that leaves a call unanswered for this long, at most twice as long, is taken for gone."""
CONFIRM_MS = 1_000
"""How long replicas may take to have a write."""
READS = frozenset(
    ("ASKING", "AUTH", "CLUSTER", "CONFIG", "EVAL_RO", "GET", "HMGET", "INFO", "PING", "SELECT", "SMEMBERS", "XRANGE")
)
"""Commands that change nothing a replica would have to have."""


class ReplyError(StoreUnavailable):
    """The server refused a command: full, read-only, loading, moved, …; the text is its own."""


class Call(Protocol):
    """Sends one command; gives a future of its reply: bytes, int, None or a list."""

    def __call__(self, *arguments: Argument) -> asyncio.Future[Any]: ...


def _refusal(text: str) -> Exception:
    return (SeqTaken if "equal or smaller" in text else ReplyError)(text)


class Connection(asyncio.Protocol):
    """`call` sends a command. When the connection is lost, all that waits for a reply fails."""

    def __init__(self, on_lost: Callable[[Connection], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._on_lost = on_lost
        self._reader = hiredis.Reader(replyError=_refusal)
        self._transport: asyncio.Transport | None = None
        self._outgoing: list[bytes] = []
        self._waiting: deque[asyncio.Future[Any]] = deque()
        self._oldest: asyncio.Future[Any] | None = None
        self._end = self._loop.create_future()
        self._why = "the connection to the store broke"

    @property
    def lost(self) -> bool:
        return self._transport is None

    def call(self, *arguments: Argument) -> asyncio.Future[Any]:
        reply: asyncio.Future[Any] = self._loop.create_future()
        if not self._outgoing:
            self._loop.call_soon(self._flush)
        self._outgoing.append(hiredis.pack_command(arguments))  # type: ignore[arg-type]
        self._waiting.append(reply)
        return reply

    async def close(self) -> None:
        if self._transport is not None:
            self._transport.close()
            await self._end

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]
        self._listening = self._loop.call_later(SILENCE_SECONDS, self._listen)

    def data_received(self, data: bytes) -> None:
        """Hand each reply to the call that waits longest: the server answers in order."""
        self._reader.feed(data)
        while self._waiting:
            try:
                reply = self._reader.gets()
            except hiredis.ProtocolError:
                self._why = "what answers there is no Redis-compatible server"
                self.abort()
                return
            if reply is False:
                return
            waiting = self._waiting.popleft()
            if waiting.done():
                continue
            if isinstance(reply, Exception):
                waiting.set_exception(reply)
                if str(reply).startswith("READONLY"):
                    # The master is another one now, and this server may have lost what it acknowledged.
                    self.abort()
            else:
                waiting.set_result(reply)

    def connection_lost(self, failure: Exception | None) -> None:
        """Nobody knows what became of what was sent."""
        self._transport = None
        self._listening.cancel()
        self._outgoing.clear()
        while self._waiting:
            waiting = self._waiting.popleft()
            if not waiting.done():
                waiting.set_exception(StoreUnavailable(self._why))
        self._end.set_result(None)
        self._on_lost(self)

    def _flush(self) -> None:
        if self._transport is not None and self._outgoing:
            self._transport.write(b"".join(self._outgoing))
            self._outgoing.clear()

    def _listen(self) -> None:
        oldest = self._waiting[0] if self._waiting else None
        if oldest is not None and oldest is self._oldest:
            self._why = f"the store has not answered for {SILENCE_SECONDS:g} seconds"
            self.abort()
        self._oldest = oldest
        self._listening = self._loop.call_later(SILENCE_SECONDS, self._listen)


class ConfirmedConnection(Connection):
    """A connection whose writes are acknowledged only once `replicas` replicas have them, 1 or more.

    A write that too few have within CONFIRM_MS fails with StoreUnavailable, though the master has carried it
    out. One WAIT confirms all writes of a flush. While it is under way what comes next is held back, for the
    server would not look at it anyway, and then confirmed together: a missing replica costs everybody two
    waits at most, not one for each flush.
    """

    def __init__(self, on_lost: Callable[[Connection], None], replicas: int) -> None:
        super().__init__(on_lost)
        self._replicas = replicas
        self._writes: list[tuple[asyncio.Future[Any], asyncio.Future[Any]]] = []
        self._confirming = False

    def call(self, *arguments: Argument) -> asyncio.Future[Any]:
        reply = super().call(*arguments)
        if arguments[0] in READS:
            return reply
        confirmed: asyncio.Future[Any] = self._loop.create_future()
        self._writes.append((reply, confirmed))
        return confirmed

    def connection_lost(self, failure: Exception | None) -> None:
        """What was held back fails too."""
        super().connection_lost(failure)
        _settle(self._writes, None)
        self._writes = []

    def _flush(self) -> None:
        if self._confirming or self._transport is None:
            return
        if self._writes:
            writes, self._writes = self._writes, []
            self._confirming = True
            super().call("WAIT", self._replicas, CONFIRM_MS).add_done_callback(
                lambda wait: self._confirmed(writes, wait)
            )
        super()._flush()

    def _confirmed(
        self, writes: list[tuple[asyncio.Future[Any], asyncio.Future[Any]]], wait: asyncio.Future[Any]
    ) -> None:
        self._confirming = False
        self._flush()
        failure = wait.exception()
        if failure is None and wait.result() < self._replicas:
            failure = StoreUnavailable(f"{wait.result()} of {self._replicas} replicas have the write")
        _settle(writes, failure)


def _settle(writes: list[tuple[asyncio.Future[Any], asyncio.Future[Any]]], unconfirmed: BaseException | None) -> None:
    """Tell the callers: a refusal is known, an acknowledgement counts if it is confirmed."""
    for reply, confirmed in writes:
        failure = reply.exception() or unconfirmed
        if confirmed.done():
            continue
        if failure is not None:
            confirmed.set_exception(failure)
        else:
            confirmed.set_result(reply.result())
