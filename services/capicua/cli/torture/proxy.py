"""A TCP proxy before a gateway that cuts connections in mid-frame, swallows their bytes or makes them late."""

from __future__ import annotations

import asyncio
from contextlib import suppress

CHUNK = 64 * 1024


class Proxy:
    """Stands before the gateway at `address`; clients connect to `proxy.address`, once started."""

    def __init__(self, address: str) -> None:
        self.address = ""
        self.delay = 0.0
        """Seconds by which every chunk of bytes comes late, either way."""
        self._host, _, port = address.rpartition(":")
        self._port = int(port)
        self._server: asyncio.Server | None = None
        self._open: set[_Connection] = set()

    async def start(self) -> None:
        """Listen on a free loopback port."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.address = "{}:{}".format(*self._server.sockets[0].getsockname())

    def cut(self) -> int:
        """Cut every connection in the middle of the next bytes that pass; gives how many there are."""
        for connection in self._open:
            connection.doomed = True
        return len(self._open)

    def swallow(self) -> int:
        """Let no byte of the open connections through any more, but keep them open; gives how many there are."""
        for connection in self._open:
            connection.silent = True
        return len(self._open)

    def stop(self) -> None:
        """Listen no more, and end every connection."""
        if self._server is not None:
            self._server.close()
        for connection in tuple(self._open):
            connection.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection(self._host, self._port)
        except OSError:
            writer.transport.abort()
            return
        connection = _Connection(self, writer, back)
        self._open.add(connection)
        try:
            await asyncio.gather(connection.pump(reader, back), connection.pump(there, writer))
        except OSError:
            pass
        finally:
            self._open.discard(connection)
            connection.abort()


class _Connection:
    def __init__(self, proxy: Proxy, *writers: asyncio.StreamWriter) -> None:
        self.doomed = self.silent = False
        self._proxy = proxy
        self._writers = writers

    async def pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(CHUNK):
            if self.silent:
                continue
            if self._proxy.delay:
                await asyncio.sleep(self._proxy.delay)
            if self.doomed:
                writer.write(data[: len(data) // 2])
                with suppress(OSError):
                    await writer.drain()
                break
            writer.write(data)
            await writer.drain()
        self.abort()

    def abort(self) -> None:
        for writer in self._writers:
            writer.transport.abort()
