"""Calls to another process: any number at once over one connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.update_pb2 import Refusal
from capicua.links.frames import CALL_ID_BYTES, END, REFUSED, RESPONSE, call_frame, read_reply
from capicua.links.wire import Wire
from capicua.runtime.refusals import refusal

CONNECT_SECONDS = 3.0

OnReply = Callable[[bytes, int], None]
"""Hears each response, and its seq where it has one."""
OnEnd = Callable[[Refusal | None], None]
"""Hears, once, that no more will come, and why if it was refused."""


def link_lost() -> Refusal:
    """What became of a call is unknown."""
    return refusal(reasons.ERROR_REASON_UNAVAILABLE, "a part of the server cannot be reached now: send the same again")


class Link:
    """The calling side of a connection to one process."""

    def __init__(self, on_lost: Callable[[Link], object]) -> None:
        self._wire = Wire(self._frame, self._ended)
        self._on_lost = on_lost
        self._calls: dict[bytes, tuple[OnReply, OnEnd]] = {}
        self._last_id = 0
        self.lost = False

    @classmethod
    async def connect(cls, address: str, token: bytes, on_lost: Callable[[Link], object]) -> Link:
        """Connect to "host:port". Raises OSError or TimeoutError."""
        link = cls(on_lost)
        host, _, port = address.rpartition(":")
        async with asyncio.timeout(CONNECT_SECONDS):
            await asyncio.get_running_loop().create_connection(lambda: link._wire, host.strip("[]"), int(port))
        link._wire.send(token)
        return link

    def call(self, method: str, request: bytes, on_reply: OnReply, on_end: OnEnd) -> bytes:
        """Begin a call; gives its id."""
        self._last_id += 1
        call_id = self._last_id.to_bytes(CALL_ID_BYTES, "big")
        self._calls[call_id] = on_reply, on_end
        self._wire.send(call_frame(call_id, method, request))
        return call_id

    def cancel(self, call_id: bytes) -> None:
        """End a call; nothing more is heard of it."""
        if self._calls.pop(call_id, None):
            self._wire.send(call_frame(call_id, ""))

    def close(self) -> None:
        """End the connection and with it every call."""
        self._wire.abort()

    def _frame(self, frame: bytes) -> None:
        holds, call_ids, body, seq = read_reply(frame)
        for call_id in call_ids:
            call = self._calls.get(call_id)
            if call is None:
                continue
            on_reply, on_end = call
            if holds & RESPONSE:
                on_reply(body, seq)
            if holds & END:
                self._calls.pop(call_id, None)
                on_end(Refusal.FromString(body) if holds & REFUSED else None)

    def _ended(self) -> None:
        self.lost = True
        self._on_lost(self)
        calls, self._calls = self._calls, {}
        for _, on_end in calls.values():
            on_end(link_lost())
