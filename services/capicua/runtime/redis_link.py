"""One ordered, pipelined connection to a Redis-compatible server.

Commands of one turn of the event loop leave in one write, so everything that waits is committed together.
"""

from __future__ import annotations

import asyncio
import random
import ssl
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

import hiredis

from capicua.runtime.store import SeqTaken, StoreUnavailable

Argument = bytes | str | int
CONNECT_SECONDS = 5.0
LONGEST_WAIT = 1.0
SILENCE_SECONDS = 5.0
"""A server that leaves a call unanswered for this long, at most twice as long, is taken for gone."""


class ReplyError(StoreUnavailable):
    """The server refused a command: full, read-only, loading, moved, …; the text is its own."""


class Call(Protocol):
    """Sends one command; gives a future of its reply: bytes, int, None or a list."""

    def __call__(self, *arguments: Argument) -> asyncio.Future[Any]: ...


def _refusal(text: str) -> Exception:
    return (SeqTaken if "equal or smaller" in text else ReplyError)(text)


class RedisLink:
    """`call` sends a command to the server at a redis://, rediss:// or unix:// URL.

    While the connection is down every call fails at once with StoreUnavailable, as do all that waited for
    a reply when it broke; a new connection is made in the background.
    """

    def __init__(self, url: str) -> None:
        self.call: Call = self._fail
        self._url = urlsplit(url)
        self._connection: _Connection | None = None
        self._reconnecting: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Make the connection. Raises StoreUnavailable, or ReplyError where the server lets nobody in."""
        connection = _Connection(self._lost)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await self._open(connection)
                # Nobody else's command may come before these: it would run in another database.
                await asyncio.gather(*(connection.call(*words) for words in self._greeting()))
            if connection.lost:
                raise StoreUnavailable("the connection to the store broke at once")
        except BaseException as failure:
            connection.abort()
            if isinstance(failure, OSError | TimeoutError):
                why = str(failure) or f"no answer within {CONNECT_SECONDS:g} seconds"
                raise StoreUnavailable(f"cannot reach the store: {why}") from failure
            raise
        self._connection = connection
        self.call = connection.call

    async def close(self) -> None:
        """End the connection for good; what still waits for a reply fails."""
        connection, self._connection = self._connection, None
        self.call = self._fail
        if self._reconnecting is not None:
            self._reconnecting.cancel()
            await asyncio.wait([self._reconnecting])
        if connection is not None:
            await connection.close()

    async def _open(self, connection: _Connection) -> None:
        url, loop = self._url, asyncio.get_running_loop()
        if url.scheme == "unix":
            await loop.create_unix_connection(lambda: connection, unquote(url.path))
        elif url.scheme in ("redis", "rediss"):
            context = ssl.create_default_context() if url.scheme == "rediss" else None
            host, port = url.hostname or "127.0.0.1", url.port or 6379
            await loop.create_connection(lambda: connection, host, port, ssl=context)
        else:
            raise ValueError(f"a store's URL begins with redis://, rediss:// or unix://, not {url.geturl()[:20]!r}")

    def _greeting(self) -> list[tuple[str, ...]]:
        url = self._url
        greeting: list[tuple[str, ...]] = []
        if url.password:
            user = (unquote(url.username),) if url.username else ()
            greeting.append(("AUTH", *user, unquote(url.password)))
        database = url.path.strip("/")
        if url.scheme != "unix" and database:
            greeting.append(("SELECT", database))
        return [*greeting, ("PING",)]

    def _lost(self, connection: _Connection) -> None:
        if connection is self._connection:
            self._connection = None
            self.call = self._fail
            self._reconnecting = asyncio.ensure_future(self._reconnect())

    def _fail(self, *_: Argument) -> asyncio.Future[Any]:
        reply: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        reply.set_exception(StoreUnavailable("no connection to the store"))
        return reply

    async def _reconnect(self) -> None:
        wait = 0.05
        while True:
            # Random, so that many processes do not come back in one wave.
            await asyncio.sleep(random.uniform(0, wait))
            try:
                await self.connect()
            except StoreUnavailable:
                wait = min(wait * 2, LONGEST_WAIT)
            else:
                return


class _Connection(asyncio.Protocol):
    """One connection, from its making to its loss."""

    def __init__(self, on_lost: Callable[[_Connection], None]) -> None:
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
