"""A server that says what a test tells it to, over real gRPC."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc
import pytest

from capicua.api.v1.game_service_pb2 import SessionRequest, SessionResponse
from capicua.api.v1.player_service_pb2 import SignInRequest, SignInResponse
from capicua.api.v1.update_pb2 import Frame


class Connection:
    """The server's end of one session."""

    def __init__(self, context: Any) -> None:
        self.context = context

    async def heard(self) -> SessionRequest:
        """What the client says next."""
        request = await self.context.read()
        assert isinstance(request, SessionRequest)
        return request

    async def say(self, *frames: Frame) -> None:
        """Tell the client all of `frames` in one message."""
        await self.context.write(SessionResponse(frames=frames))


Script = Callable[[Connection], Awaitable[None]]
Serve = Callable[..., Awaitable[str]]


@pytest.fixture
async def serve() -> AsyncIterator[Serve]:
    """`await serve(first, second, …)` gives an address where session n follows script n, then ends."""
    servers = []

    async def start(*scripts: Script) -> str:
        waiting = iter(scripts)

        async def session(requests: Any, context: Any) -> None:
            await next(waiting)(Connection(context))

        async def sign_in(request: SignInRequest, context: Any) -> SignInResponse:
            return SignInResponse(player_id="p1", token="token", name=request.name)

        server = grpc.aio.server()
        server.add_generic_rpc_handlers(
            (
                grpc.method_handlers_generic_handler(
                    "capicua.api.v1.GameService",
                    {
                        "Session": grpc.stream_stream_rpc_method_handler(
                            session, SessionRequest.FromString, SessionResponse.SerializeToString
                        )
                    },
                ),
                grpc.method_handlers_generic_handler(
                    "capicua.api.v1.PlayerService",
                    {
                        "SignIn": grpc.unary_unary_rpc_method_handler(
                            sign_in, SignInRequest.FromString, SignInResponse.SerializeToString
                        )
                    },
                ),
            )
        )
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        servers.append(server)
        return f"127.0.0.1:{port}"

    yield start
    for server in servers:
        await server.stop(grace=0)
