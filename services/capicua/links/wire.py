"""Frames over one connection: what is sent in one turn of the event loop leaves in one write."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from struct import Struct

HEAD = 4
_HEAD = Struct(">I")
MAX_FRAME_BYTES = 16 * 1024 * 1024
MAX_WAITING_BYTES = 64 * 1024 * 1024
"""A peer that reads this far behind is cut off."""


class Wire(asyncio.Protocol):
    """A frame is a four-byte big-endian length and as many bytes. `on_frame` hears each, `on_lost` the end."""

    def __init__(self, on_frame: Callable[[bytes], None], on_lost: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self.on_frame = on_frame
        self._on_lost = on_lost
        self._transport: asyncio.Transport | None = None
        self._outgoing: list[bytes] = []
        self._rest = b""
        self.before_flush: Callable[[], None] = lambda: None

    def send(self, frame: bytes) -> None:
        """Send a frame with all others of this turn; dropped where the connection is gone."""
        self.wake()
        self._outgoing += (_HEAD.pack(len(frame)), frame)

    def wake(self) -> None:
        """See to it that `before_flush` is called and all frames are written at the end of this turn."""
        if not self._outgoing:
            self._outgoing.append(b"")
            self._loop.call_soon(self._flush)

    def abort(self) -> None:
        """End the connection now."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self._transport = transport  # type: ignore[assignment]

    def connection_lost(self, failure: Exception | None) -> None:
        """End; what was on its way may or may not have arrived."""
        self._transport = None
        self._on_lost()

    def data_received(self, data: bytes) -> None:
        """Cut the bytes into frames."""
        if self._rest:
            data = self._rest + data
        start, end = HEAD, len(data)
        while start <= end:
            (size,) = _HEAD.unpack_from(data, start - HEAD)
            if size > MAX_FRAME_BYTES:
                self.abort()
                return
            if start + size > end:
                break
            self.on_frame(data[start : start + size])
            start += size + HEAD
        self._rest = data[start - HEAD :]

    def _flush(self) -> None:
        self.before_flush()
        frames, self._outgoing = self._outgoing, []
        if self._transport is not None:
            self._transport.write(b"".join(frames))
            if self._transport.get_write_buffer_size() > MAX_WAITING_BYTES:
                self.abort()
