"""The called side of links: endpoints whose methods answer calls of other processes."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections.abc import Awaitable, Callable, Mapping

import structlog
from google.protobuf.message import DecodeError, Message

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.update_pb2 import Refusal
from capicua.links.frames import END, REFUSED, RESPONSE, read_call, reply_frame
from capicua.links.wire import Wire
from capicua.runtime.refusals import refusal

logger = structlog.get_logger()


def link_token(secret: bytes) -> bytes:
    """What a process of the same installation shows before its first call."""
    return hmac.digest(secret, b"capicua/link/v2", hashlib.sha256)


class Incoming:
    """One call: its request, and the way back to the caller."""

    __slots__ = ("_call_id", "_connection", "on_cancel", "request")

    def __init__(self, connection: _Connection, call_id: bytes, request: bytes) -> None:
        self._connection = connection
        self._call_id = call_id
        self.request = request
        self.on_cancel: Callable[[], None] = lambda: None

    def reply(self, response: bytes, seq: int = 0) -> None:
        """Send one response; more may follow."""
        self._connection.reply(self._call_id, response, seq)

    def end(self, outcome: bytes | Refusal | None = None) -> None:
        """Send the last response or the refusal, if there is one, and end the call."""
        self._connection.end(self._call_id, outcome)


Handler = Callable[[Incoming], None]
_tasks: set[asyncio.Task[None]] = set()


def unary(answer: Callable[[bytes], Awaitable[Message | Refusal]]) -> Handler:
    """A handler that ends the call with what `answer` makes of the request."""

    async def run(call: Incoming) -> None:
        try:
            outcome = await answer(call.request)
        except DecodeError:
            outcome = refusal(reasons.ERROR_REASON_INVALID_ARGUMENT, "the bytes are no such request")
        except Exception:
            logger.exception("call_failed", method=getattr(answer, "__name__", ""))
            outcome = refusal(reasons.ERROR_REASON_INTERNAL, "the server made a mistake; try again")
        call.end(outcome if isinstance(outcome, Refusal) else outcome.SerializeToString())

    def handle(call: Incoming) -> None:
        task = asyncio.ensure_future(run(call))
        _tasks.add(task)
        task.add_done_callback(_tasks.discard)

    return handle


class LinkServer:
    """Listens for links and hands each call to the handler of its method."""

    def __init__(self, handlers: Mapping[str, Handler], secret: bytes) -> None:
        self._handlers = handlers
        self._token = link_token(secret)
        self._connections: set[_Connection] = set()
        self._server: asyncio.Server | None = None

    async def start(self, listen: str) -> int:
        """Listen on "host:port"; gives the port. Raises OSError if the address cannot be had."""
        host, _, port = listen.rpartition(":")
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._connect, host.strip("[]") or None, int(port))
        return int(self._server.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        """End every link."""
        if self._server is not None:
            self._server.close()
        for connection in tuple(self._connections):
            connection.wire.abort()

    def _connect(self) -> Wire:
        connection = _Connection(self._handlers, self._token, self._connections.discard)
        self._connections.add(connection)
        return connection.wire


class _Connection:
    """The calls of one link."""

    def __init__(self, handlers: Mapping[str, Handler], token: bytes, on_lost: Callable[[_Connection], object]) -> None:
        self.wire = Wire(self._greet, self._lost)
        self.wire.before_flush = self._push
        self._handlers = handlers
        self._token = token
        self._on_lost = on_lost
        self._calls: dict[bytes, Incoming] = {}
        self._waiting: list[bytes] = []
        """The calls that get `_response`, which is still to be sent."""
        self._response = b""
        self._seq = 0

    def reply(self, call_id: bytes, response: bytes, seq: int) -> None:
        """Queue a response; one that goes to many calls is sent once."""
        if self._waiting and self._response is response and self._seq == seq:
            self._waiting.append(call_id)
            return
        self._push()
        self.wire.wake()
        self._waiting, self._response, self._seq = [call_id], response, seq

    def end(self, call_id: bytes, outcome: bytes | Refusal | None) -> None:
        """Queue the end of a call."""
        if self._calls.pop(call_id, None) is None:
            return
        self._push()
        if outcome is None:
            holds, body = END, b""
        elif isinstance(outcome, bytes):
            holds, body = RESPONSE | END, outcome
        else:
            holds, body = REFUSED | END, outcome.SerializeToString()
        self.wire.send(reply_frame(holds, (call_id,), body))

    def _push(self) -> None:
        if self._waiting:
            self.wire.send(reply_frame(RESPONSE, self._waiting, self._response, self._seq))
            self._waiting, self._response = [], b""

    def _greet(self, frame: bytes) -> None:
        if not hmac.compare_digest(frame, self._token):
            logger.warning("link_refused", problem="not of this installation, or of another version")
            self.wire.abort()
            return
        self.wire.on_frame = self._frame

    def _frame(self, frame: bytes) -> None:
        call_id, method, request = read_call(frame)
        if not method:
            if incoming := self._calls.pop(call_id, None):
                incoming.on_cancel()
            return
        incoming = self._calls[call_id] = Incoming(self, call_id, request)
        handler = self._handlers.get(method)
        if handler is None:
            self.end(call_id, refusal(reasons.ERROR_REASON_UNAVAILABLE, f"{method} is not offered here"))
            return
        try:
            handler(incoming)
        except DecodeError:
            self.end(call_id, refusal(reasons.ERROR_REASON_INVALID_ARGUMENT, f"no request of {method}"))
        except Exception:
            logger.exception("call_failed", method=method)
            self.end(call_id, refusal(reasons.ERROR_REASON_INTERNAL, "the server made a mistake; try again"))

    def _lost(self) -> None:
        self._on_lost(self)
        calls, self._calls = self._calls, {}
        for incoming in calls.values():
            incoming.on_cancel()
