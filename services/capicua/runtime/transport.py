"""The wire: gRPC streams of bytes. The only module that knows grpcio's server types.

Handlers see a `Caller`, request messages, and a `Stream` to write encoded messages to; a refusal is
something they return. Responses travel as bytes that were encoded once, however many viewers get them.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import grpc
import structlog
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from grpc.aio import EOF
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.types_pb2 import Seat
from capicua.api.v1.update_pb2 import Refusal
from capicua.runtime.refusals import refusal, rich_status, short_name
from capicua.runtime.threads import unhurried

log = structlog.get_logger()

MAX_REQUEST_BYTES = 64 * 1024
Authenticate = Callable[[str], Seat | Refusal]
"""Gives the player (id, name, bot) behind a token."""

_OPTIONS = [
    ("grpc.max_receive_message_length", MAX_REQUEST_BYTES),
    # Without both limits raised, half of several thousand streams opened at once were refused.
    ("grpc.server.max_pending_requests", 1_000_000),
    ("grpc.server.max_pending_requests_hard_limit", 1_000_000),
    ("grpc.so_reuseport", 0),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
]


class Stream:
    """One open call: read requests, write encoded responses."""

    def __init__(self, context: Any, request_type: type[Message]) -> None:
        self._context = context
        self._request_type = request_type
        self.last_write: asyncio.Future[None] | None = None
        """Over when nothing is being written any more: gRPC cannot end a call in the middle of a message."""

    async def read(self) -> Any:
        """The next request, None at the end, a Refusal for bytes that are no such message."""
        data = await self._context.read()
        if data is EOF:
            return None
        return _parse(self._request_type, data)

    def write(self, data: bytes) -> Awaitable[None]:
        """Send one encoded response."""
        return self._context.write(data)  # type: ignore[no-any-return]


class Gatekeeper(Protocol):
    """Says who asks too often. `peer` is the caller's address as gRPC names it, for example "ipv4:1.2.3.4:567"."""

    def admit(self, method: str, player_id: str, peer: str) -> Refusal | None:
        """Let a call in, or say why not."""

    def left(self, method: str, player_id: str, peer: str) -> None:
        """Take note that a call that was let in is over."""

    def refused(self, method: str, player_id: str, peer: str, refused: Refusal) -> None:
        """Take note of how a call ended that was let in, also where its caller has hung up."""


class Endpoint(Protocol):
    """One service of the API: a method for each of its RPCs, in snake case.

    `(caller, request)` gives a message or a Refusal; streaming methods get a Stream besides, and give
    None or a Refusal when the stream is to end.
    """

    descriptor: ServiceDescriptor
    open_methods: frozenset[str]
    """RPCs that need no token."""


def _parse(kind: type[Message], data: bytes) -> Any:
    try:
        return kind.FromString(data)
    except DecodeError:
        name = kind.DESCRIPTOR.name
        return refusal(reasons.ERROR_REASON_INVALID_ARGUMENT, f"the bytes are not a {name}; check the protos")


async def _abort(context: Any, refused: Refusal) -> None:
    code, details = rich_status(refused)
    await context.abort(code, refused.message, (("grpc-status-details-bin", details),))


def _token(context: Any) -> str:
    for key, value in context.invocation_metadata() or ():
        if key == "authorization":
            return str(value).removeprefix("Bearer ").strip()
    return ""


def _handler(
    endpoint: Endpoint,
    method: MethodDescriptor,
    authenticate: Authenticate,
    gatekeeper: Gatekeeper,
    refused: Counter[tuple[str, str]],
) -> grpc.RpcMethodHandler[Any, Any]:
    call = getattr(endpoint, re.sub(r"(?<!^)(?=[A-Z])", "_", method.name).lower())
    request_type = GetMessageClass(method.input_type)
    streams_in, streams_out = method.client_streaming, method.server_streaming
    anonymous = method.name in endpoint.open_methods
    carried_out: set[asyncio.Future[Any]] = set()

    async def answer(caller: Seat, peer: str, data: Any, stream: Stream) -> Message | None:
        try:
            outcome: Message | None
            if streams_in:
                outcome = await call(caller, stream)
            elif isinstance(request := _parse(request_type, data), Refusal):
                outcome = request
            elif streams_out:
                outcome = await call(caller, request, stream)
            else:
                outcome = await call(caller, request)
        finally:
            gatekeeper.left(method.name, caller.player_id, peer)
        if isinstance(outcome, Refusal):
            gatekeeper.refused(method.name, caller.player_id, peer, outcome)
        return outcome

    async def carry_out(caller: Seat, peer: str, data: Any, stream: Stream) -> Message | None:
        answering = answer(caller, peer, data, stream)
        if streams_in or streams_out:
            return await answering
        # Who hangs up must not leave it half done, with others waiting for the rest.
        task = asyncio.ensure_future(answering)
        carried_out.add(task)
        task.add_done_callback(carried_out.discard)
        return await asyncio.shield(task)

    async def serve(data: Any, context: Any) -> bytes | None:
        caller, peer = Seat() if anonymous else authenticate(_token(context)), context.peer()
        stream = Stream(context, request_type)
        outcome: Message | None
        try:
            if isinstance(caller, Refusal):
                outcome = caller
            elif (kept_out := gatekeeper.admit(method.name, caller.player_id, peer)) is not None:
                outcome = kept_out
            else:
                outcome = await carry_out(caller, peer, data, stream)
        except Exception:
            log.exception("call_failed", method=method.full_name, player=caller.player_id)  # type: ignore[union-attr]
            outcome = refusal(reasons.ERROR_REASON_INTERNAL, "the server made a mistake; try again")
        if isinstance(outcome, Refusal):
            reason = short_name(outcome.reason)
            refused[method.name, reason] += 1
            # UNAVAILABLE ends every stream of a server that stops: nothing to look at.
            tell = log.debug if outcome.reason == reasons.ERROR_REASON_UNAVAILABLE else log.info
            tell("call_refused", method=method.full_name, reason=reason)
        if stream.last_write is not None:
            await asyncio.wait([stream.last_write])
        if isinstance(outcome, Refusal):
            await _abort(context, outcome)
        return outcome.SerializeToString() if outcome is not None else None

    if streams_in:

        async def serve_stream(_requests: Any, context: Any) -> None:
            await serve(None, context)

        return grpc.stream_stream_rpc_method_handler(serve_stream)
    if streams_out:

        async def serve_watch(data: Any, context: Any) -> None:
            await serve(data, context)

        return grpc.unary_stream_rpc_method_handler(serve_watch)
    return grpc.unary_unary_rpc_method_handler(serve)


class Server:
    """A gRPC server of endpoints, with health and reflection."""

    def __init__(self, endpoints: list[Endpoint], authenticate: Authenticate, gatekeeper: Gatekeeper) -> None:
        self.refused: Counter[tuple[str, str]] = Counter()
        """Calls that ended with a refusal, by method and reason."""
        with unhurried():
            self._server = grpc.aio.server(options=_OPTIONS)
        for endpoint in endpoints:
            handlers = {
                method.name: _handler(endpoint, method, authenticate, gatekeeper, self.refused)
                for method in endpoint.descriptor.methods
            }
            self._server.add_generic_rpc_handlers(
                (grpc.method_handlers_generic_handler(endpoint.descriptor.full_name, handlers),)
            )
        names = [endpoint.descriptor.full_name for endpoint in endpoints]
        self._health = health.aio.HealthServicer()
        self._names = ["", *names]
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection([*names, health.SERVICE_NAME, reflection.SERVICE_NAME], self._server)

    async def listen(self, listen: str, credentials: grpc.ServerCredentials | None = None) -> str:
        """Take "host:port", with `credentials` for TLS; gives it with the port taken. To be called before `start`.

        Raises OSError if the address cannot be had.
        """
        host, _, wanted = listen.rpartition(":")
        try:
            await asyncio.get_running_loop().getaddrinfo(host.strip("[]"), wanted)
        except OSError as failure:
            raise OSError(f"{listen} is no address of this machine: {failure}") from failure
        try:
            if credentials is None:
                port = self._server.add_insecure_port(listen)
            else:
                port = self._server.add_secure_port(listen, credentials)
        except RuntimeError as failure:
            raise OSError(f"cannot listen on {listen}: it is in use, or not this machine's") from failure
        return f"{host}:{port}"

    async def start(self) -> None:
        """Answer calls."""
        await self._server.start()
        for name in self._names:
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)

    async def stop(self, grace: float) -> None:
        """Stop; the endpoints must have ended their streams, else this waits `grace` seconds."""
        await self._health.enter_graceful_shutdown()
        await self._server.stop(grace)
