"""A server that says what a test tells it to, over real gRPC."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc
import pytest

from capicua.api.v1 import game_service_pb2_grpc, player_service_pb2_grpc
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

        class Games(game_service_pb2_grpc.GameServiceServicer):
            async def Session(self, requests: Any, context: Any) -> None:  # type: ignore[override]
                await next(waiting)(Connection(context))

        class Players(player_service_pb2_grpc.PlayerServiceServicer):
            async def SignIn(self, request: SignInRequest, context: Any) -> SignInResponse:  # type: ignore[override]
                return SignInResponse(player_id="p1", token="token", name=request.name)

        server = grpc.aio.server()
        for method in ("SubmitCommand", "WatchGame", "GetView", "ListGames", "GetRecord"):
            setattr(Games, method, None)
        Games.__abstractmethods__ = frozenset()  # type: ignore[attr-defined]
        game_service_pb2_grpc.add_GameServiceServicer_to_server(Games(), server)  # type: ignore[no-untyped-call, abstract]
        player_service_pb2_grpc.add_PlayerServiceServicer_to_server(Players(), server)  # type: ignore[no-untyped-call]
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        servers.append(server)
        return f"127.0.0.1:{port}"

    yield start
    for server in servers:
        await server.stop(grace=0)
