"""Calls to another process: any number at once over one connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.update_pb2 import Refusal
from capicua.internal.v1.link_pb2 import Call, Reply
from capicua.links.wire import Wire
from capicua.runtime.refusals import refusal

CONNECT_SECONDS = 3.0

OnReply = Callable[[bytes, int], None]
"""Hears each response, and its seq where it has one."""
OnEnd = Callable[[Refusal | None], None]
"""Hears, once, that no more will come, and why if it was refused."""


class _Open(NamedTuple):
    on_reply: OnReply
    on_end: OnEnd


def link_lost() -> Refusal:
    """What became of a call is unknown."""
    return refusal(reasons.ERROR_REASON_UNAVAILABLE, "a part of the server cannot be reached now: send the same again")


class Link:
    """The calling side of a connection to one process."""

    def __init__(self, on_lost: Callable[[Link], object]) -> None:
        self._wire = Wire(self._frame, self._ended)
        self._on_lost = on_lost
        self._calls: dict[int, _Open] = {}
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

    def call(self, method: str, request: bytes, on_reply: OnReply, on_end: OnEnd) -> int:
        """Begin a call; gives its id."""
        self._last_id = call_id = self._last_id + 1
        self._calls[call_id] = _Open(on_reply, on_end)
        self._wire.send(Call(call_id=call_id, method=method, request=request).SerializeToString())
        return call_id

    def cancel(self, call_id: int) -> None:
        """End a call; nothing more is heard of it."""
        if self._calls.pop(call_id, None):
            self._wire.send(Call(call_id=call_id, cancel=True).SerializeToString())

    def close(self) -> None:
        """End the connection and with it every call."""
        self._wire.abort()

    def _frame(self, data: bytes) -> None:
        reply = Reply.FromString(data)
        response, seq = reply.response, reply.seq
        for call_id in reply.call_ids:
            call = self._calls.get(call_id)
            if call is None:
                continue
            if reply.HasField("response"):
                call.on_reply(response, seq)
            if reply.end:
                self._calls.pop(call_id, None)
                call.on_end(reply.refused if reply.HasField("refused") else None)

    def _ended(self) -> None:
        self.lost = True
        self._on_lost(self)
        calls, self._calls = self._calls, {}
        for call in calls.values():
            call.on_end(link_lost())
