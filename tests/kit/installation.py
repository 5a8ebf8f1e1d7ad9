"""A real installation of several processes, and players who speak to its gateways without the SDK."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import grpc

from capicua.api.v1 import game_service_pb2 as games
from capicua.api.v1 import table_service_pb2 as tables
from capicua.api.v1.player_service_pb2 import SignInRequest
from capicua.api.v1.types_pb2 import GameOptions, TableOptions
from capicua.api.v1.update_pb2 import CommandAnswer, Frame, View
from capicua.cli.local_installation import LocalInstallation, Member
from capicua.runtime.shard import shard_of
from kit.eventually import eventually
from kit.gateway import Caller


class Player(Caller):
    """A signed-in player at one gateway."""

    def __init__(self, channel: grpc.aio.Channel, token: str, player_id: str) -> None:
        super().__init__(channel, token)
        self.token = token
        self.player_id = player_id

    def at(self, channel: grpc.aio.Channel) -> Player:
        """The same player at another gateway."""
        return Player(channel, self.token, self.player_id)

    async def view(self, game_id: str) -> View:
        """What the player sees of a game."""
        response = await self.call("GetView", games.GetViewRequest(game_id=game_id), timeout=20)
        view: View = response.view
        return view


class Session:
    """An open session, and all frames it has got."""

    def __init__(self, player: Caller) -> None:
        self.frames: list[Frame] = []
        self.failure: grpc.aio.AioRpcError | None = None
        self._call = player.call("Session", timeout=120)
        self._task = asyncio.ensure_future(self._read())

    async def _read(self) -> None:
        try:
            async for response in self._call:
                self.frames += response.frames
        except grpc.aio.AioRpcError as failure:
            self.failure = failure

    async def say(self, **request: Any) -> None:
        """Send one request, for example `watch=Watch(…)`."""
        await self._call.write(games.SessionRequest(**request))

    def seqs(self) -> list[int]:
        """Seqs of the updates; a reset counts as its view's seq, negative."""
        kinds = [(frame.WhichOneof("frame"), frame) for frame in self.frames]
        return [
            frame.update.seq if kind == "update" else -frame.reset.view.seq
            for kind, frame in kinds
            if kind in ("update", "reset")
        ]

    def answers(self) -> list[CommandAnswer]:
        """Answers to commands."""
        return [frame.answer for frame in self.frames if frame.HasField("answer")]

    def close(self) -> None:
        """Go without a goodbye."""
        self._call.cancel()
        self._task.cancel()


class World:
    """The installation and a channel to each gateway."""

    def __init__(self, installation: LocalInstallation, channels: list[grpc.aio.Channel]) -> None:
        self.installation = installation
        self.channels = channels

    async def player(self, name: str, gateway: int = 0) -> Player:
        """A new player."""
        channel = self.channels[gateway]
        signed = await Caller(channel, None).call("SignIn", SignInRequest(name=name))
        return Player(channel, signed.token, signed.player_id)

    async def table(self, players: list[Player], *, table_options: TableOptions | None = None, **options: Any) -> str:
        """A game that the players have begun at a table; gives its id."""
        wanted = GameOptions(seats=len(players), **options)
        create = tables.CreateTableRequest(options=wanted, table_options=table_options)
        created = await players[0].call("CreateTable", create, timeout=20)
        for player in players[1:]:
            await player.call("JoinTable", tables.JoinTableRequest(code=created.table.code), timeout=20)
        start = tables.StartTableRequest(table_id=created.table.table_id)
        started = await players[0].call("StartTable", start, timeout=20)
        game_id: str = started.assignment.game_id
        return game_id

    async def owner(self, game_id: str) -> Member:
        """The process that writes a game."""
        table = await self.installation.table()
        name = table.shards["game-actor"][shard_of(game_id)].owner
        return next(member for member in self.installation.of("game-actor") if f"-{member.pid}-" in name)

    async def moved(self, game_id: str, owner: Member) -> None:
        """Wait until another process owns the game."""
        pid = owner.pid

        async def elsewhere() -> bool:
            name = (await self.installation.table()).shards["game-actor"][shard_of(game_id)].owner
            return bool(name) and f"-{pid}-" not in name

        for _ in range(200):
            if await elsewhere():
                return
            await asyncio.sleep(0.05)
        raise AssertionError("nobody took the game over")


def play(view: View, request_id: str = "") -> games.Command:
    """The first legal play of a view as a command."""
    return games.Command(
        game_id=view.game_id,
        request_id=request_id or uuid4().hex,
        expected_seq=view.seq,
        play_tile=games.PlayTile(play=view.legal[0]),
    )


@asynccontextmanager
async def world(installation: LocalInstallation) -> AsyncIterator[World]:
    """Channels to the gateways of an installation that runs."""
    channels = [grpc.aio.insecure_channel(address) for address in installation.gateways]
    try:
        yield World(installation, channels)
    finally:
        for channel in channels:
            await channel.close()


__all__ = ["Player", "Session", "World", "eventually", "play", "world"]
