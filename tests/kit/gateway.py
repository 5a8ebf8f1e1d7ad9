"""A whole server in this process, over real gRPC, on a store in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
from google.rpc import error_details_pb2, status_pb2

from capicua.api.v1.error_reason_pb2 import ErrorReason
from capicua.api.v1.game_service_pb2_grpc import GameServiceStub
from capicua.api.v1.player_service_pb2_grpc import PlayerServiceStub
from capicua.api.v1.rating_service_pb2_grpc import RatingServiceStub
from capicua.api.v1.table_service_pb2_grpc import TableServiceStub
from capicua.api.v1.types_pb2 import Seat
from capicua.gateway.bind import Gateway
from capicua.gateway.tokens import Tokens
from capicua.links.installation import Held
from capicua.matchmaking.service import MatchmakingService
from capicua.runtime.shard import SHARDS
from capicua.store.archive import Archive
from capicua.store.store import Store
from kit.actor import Actor

Metadata = tuple[tuple[str, str], ...]


class Caller:
    """Calls of one player over a channel; without a token where `token` is None."""

    def __init__(self, channel: grpc.aio.Channel, token: str | None) -> None:
        self.metadata: Metadata = () if token is None else (("authorization", f"Bearer {token}"),)
        self._stubs: tuple[Any, ...] = (
            PlayerServiceStub(channel),
            TableServiceStub(channel),
            GameServiceStub(channel),
            RatingServiceStub(channel),
        )

    def call(self, method: str, request: Any = None, timeout: float = 5) -> Any:
        """Begin an RPC by name, for example "GetView"; a stream of requests where `request` is None."""
        rpc = next(getattr(stub, method) for stub in self._stubs if hasattr(stub, method))
        given = () if request is None else (request,)
        return rpc(*given, metadata=self.metadata, timeout=timeout)


class ServerHere:
    """The server and a channel to it."""

    def __init__(self, actor: Actor, gateway: Gateway, tokens: Tokens, address: str, channel: grpc.aio.Channel) -> None:
        self.actor = actor
        self.stop = gateway.stop
        self.tokens = tokens
        self.address = address
        self.channel = channel

    def caller(self, player_id: str, name: str = "Ana") -> Caller:
        """A player who signed in some time ago."""
        return Caller(self.channel, self.tokens.sign(Seat(player_id=player_id, name=name)))

    def nobody(self, token: str | None = None) -> Caller:
        """Somebody with a bad token, or none."""
        return Caller(self.channel, token)


@asynccontextmanager
async def server_here(store: Store, archive: Archive | None = None) -> AsyncIterator[ServerHere]:
    """Gateway, matchmaking and game-actor on `store`; time stands still."""
    actor = Actor(store, archive=archive)
    await actor.take_over()
    matchmaking = MatchmakingService(actor.service, store, actor.clock, 8.0)
    for shard in range(SHARDS):
        matchmaking.taken(shard, Held(1, 0))
    await matchmaking.ready()
    tokens = Tokens(await store.secret("session-tokens"))
    gateway = Gateway(actor.service, matchmaking, store, tokens, actor.clock)
    address = await gateway.listen("127.0.0.1:0")
    await gateway.start()
    async with grpc.aio.insecure_channel(address) as channel:
        yield ServerHere(actor, gateway, tokens, address, channel)
    await gateway.stop()


def reason_of(failure: grpc.aio.AioRpcError) -> tuple[grpc.StatusCode, ErrorReason.ValueType]:
    """Status and reason of a refused call; AssertionError where it carries no ErrorInfo of ours."""
    for key, value in failure.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            assert isinstance(value, bytes)
            info = error_details_pb2.ErrorInfo()
            assert status_pb2.Status.FromString(value).details[0].Unpack(info)
            assert info.domain == "capicua"
            return failure.code(), ErrorReason.Value(f"ERROR_REASON_{info.reason}")
    raise AssertionError(f"no ErrorInfo: {failure.code()} {failure.details()}")
