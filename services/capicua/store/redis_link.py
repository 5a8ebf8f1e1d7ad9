"""The link to one Redis-compatible server: its connection, and the next one when that is lost."""

from __future__ import annotations

import asyncio
import itertools
import random
import ssl
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import unquote, urlsplit

from capicua.store.redis_connection import Argument, Call, ConfirmedConnection, Connection
from capicua.store.store import StoreUnavailable

CONNECT_SECONDS = 5.0
LONGEST_WAIT = 1.0

generations = itertools.count(1)
"""Numbers for the times at which writes may have been lost, the same for all links so that they can be compared."""


class RedisLink:
    """`call` sends a command to the server at a redis://, rediss:// or unix:// URL.

    While the connection is down every call fails at once with StoreUnavailable, as do all that waited for
    a reply when it broke; a new connection is made in the background. With `replicas` > 0 a write is
    acknowledged once so many replicas have it. `find`, asked at every connecting, says where the server is
    if the URL does not (host and port). `on_lost` is called whenever the connection is lost.
    """

    def __init__(
        self,
        url: str,
        replicas: int = 0,
        *,
        find: Callable[[], Awaitable[tuple[str, int]]] | None = None,
        on_lost: Callable[[], None] = lambda: None,
    ) -> None:
        self.call: Call = self._fail
        self.replicas = replicas
        self._url = urlsplit(url)
        self._find = find
        self._on_lost = on_lost
        self._generation = 0
        self._connection: Connection | None = None
        self._reconnecting: asyncio.Task[None] | None = None

    @property
    def up(self) -> bool:
        """Whether there is a connection now."""
        return self._connection is not None

    def generation(self, key: str) -> int:
        """Grows whenever writes that were acknowledged may have been lost, whatever the key: with the connection."""
        return self._generation

    async def connect(self) -> None:
        """Make the connection. Raises StoreUnavailable, or ReplyError where the server lets nobody in."""
        connection = ConfirmedConnection(self._lost, self.replicas) if self.replicas else Connection(self._lost)
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

    def connect_soon(self) -> None:
        """Make the connection in the background, however many attempts it takes."""
        self._reconnecting = asyncio.ensure_future(self._reconnect())

    async def ready(self, seconds: float) -> None:
        """Wait for the connection that is being made, but no longer than so many seconds."""
        if not self.up and self._reconnecting is not None:
            await asyncio.wait([self._reconnecting], timeout=seconds)

    async def about(self) -> list[bytes]:
        """What the server says of itself (INFO)."""
        return [await self.call("INFO")]

    async def close(self) -> None:
        """End the connection for good; what still waits for a reply fails."""
        connection, self._connection = self._connection, None
        self.call = self._fail
        if self._reconnecting is not None:
            self._reconnecting.cancel()
            await asyncio.wait([self._reconnecting])
        if connection is not None:
            await connection.close()

    async def _open(self, connection: Connection) -> None:
        url, loop = self._url, asyncio.get_running_loop()
        if url.scheme == "unix":
            await loop.create_unix_connection(lambda: connection, unquote(url.path))
            return
        context = ssl.create_default_context() if url.scheme == "rediss" else None
        host, port = await self._find() if self._find else (url.hostname or "127.0.0.1", url.port or 6379)
        await loop.create_connection(lambda: connection, host, port, ssl=context)

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

    def _lost(self, connection: Connection) -> None:
        if connection is self._connection:
            self._connection = None
            self.call = self._fail
            self._generation = next(generations)
            self._on_lost()
            self.connect_soon()

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
