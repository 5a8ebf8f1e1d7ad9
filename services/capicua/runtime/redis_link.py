"""One ordered, pipelined connection to a Redis-compatible server.

Commands of one turn of the event loop leave in one write, so everything that waits is committed together.
"""

from __future__ import annotations

import asyncio
import random
import ssl
from collections import deque
from typing import Any
from urllib.parse import unquote, urlsplit

import hiredis

from capicua.runtime.store import SeqTaken, StoreUnavailable

Argument = bytes | str | int
CONNECT_SECONDS = 5.0
LONGEST_WAIT = 1.0


class ReplyError(StoreUnavailable):
    """The server refused a command: full, read-only, loading, moved, …; the text is its own."""


def _refusal(text: str) -> Exception:
    return (SeqTaken if "equal or smaller" in text else ReplyError)(text)


class RedisLink(asyncio.Protocol):
    """`call` sends a command and gives a future of its reply (bytes, int, None or a list).

    While the connection is down every call fails at once with StoreUnavailable, as do all that waited for
    a reply when it broke; a new connection is made in the background.
    """

    def __init__(self, url: str) -> None:
        self._url = urlsplit(url)
        self._loop = asyncio.get_running_loop()
        self._reader = self._new_reader()
        self._transport: asyncio.WriteTransport | None = None
        self._outgoing: list[bytes] = []
        self._waiting: deque[asyncio.Future[Any]] = deque()
        self._reconnecting: asyncio.Task[None] | None = None
        self._closed = False

    @staticmethod
    def _new_reader() -> hiredis.Reader:
        return hiredis.Reader(replyError=_refusal)

    def call(self, *arguments: Argument) -> asyncio.Future[Any]:
        """Send one command."""
        reply: asyncio.Future[Any] = self._loop.create_future()
        if self._transport is None:
            reply.set_exception(StoreUnavailable("no connection to the store"))
            return reply
        if not self._outgoing:
            self._loop.call_soon(self._flush)
        self._outgoing.append(hiredis.pack_command(arguments))  # type: ignore[arg-type]
        self._waiting.append(reply)
        return reply

    async def connect(self) -> None:
        """Make the connection. Raises StoreUnavailable, or ReplyError where the server lets nobody in."""
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await self._open()
        except (OSError, TimeoutError) as failure:
            raise StoreUnavailable(f"cannot reach the store: {failure}") from failure
        url = self._url
        if url.password:
            user = (unquote(url.username),) if url.username else ()
            await self.call("AUTH", *user, unquote(url.password))
        database = url.path.strip("/")
        if url.scheme != "unix" and database:
            await self.call("SELECT", database)

    async def close(self) -> None:
        """End the connection for good."""
        self._closed = True
        if self._reconnecting is not None:
            self._reconnecting.cancel()
        if self._transport is not None:
            self._transport.close()

    async def _open(self) -> None:
        url = self._url
        if url.scheme == "unix":
            await self._loop.create_unix_connection(lambda: self, url.path)
        elif url.scheme in ("redis", "rediss"):
            context = ssl.create_default_context() if url.scheme == "rediss" else None
            await self._loop.create_connection(lambda: self, url.hostname or "127.0.0.1", url.port or 6379, ssl=context)
        else:
            raise ValueError(f"a store's URL begins with redis://, rediss:// or unix://, not {url.scheme!r}")

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start anew: nothing of an older connection is left."""
        self._transport = transport  # type: ignore[assignment]
        self._reader = self._new_reader()

    def data_received(self, data: bytes) -> None:
        """Hand each reply to the call that waits longest: the server answers in order."""
        self._reader.feed(data)
        while self._waiting:
            try:
                reply = self._reader.gets()
            except hiredis.ProtocolError:
                # Whoever speaks there is no store.
                self._transport.abort()  # type: ignore[union-attr]
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
        self._outgoing.clear()
        lost = StoreUnavailable("the connection to the store broke")
        while self._waiting:
            waiting = self._waiting.popleft()
            if not waiting.done():
                waiting.set_exception(lost)
        if not self._closed:
            self._reconnecting = asyncio.ensure_future(self._reconnect())

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

    def _flush(self) -> None:
        if self._transport is not None and self._outgoing:
            self._transport.write(b"".join(self._outgoing))
            self._outgoing.clear()
