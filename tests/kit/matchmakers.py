"""Matchmakers and gateways with links between them, all in this process."""

from __future__ import annotations

from collections import defaultdict

import msgspec

from capicua.api.v1.table_service_pb2 import Assignment, QuickMatchRequest, Waiting
from capicua.api.v1.types_pb2 import Seat
from capicua.api.v1.update_pb2 import Refusal
from capicua.internal.v1.game_actor_service_pb2 import CreateGameRequest
from capicua.links.directory import Directory
from capicua.links.installation import TICKETS, Held, Installation, Member, Shard
from capicua.links.link_server import LinkServer, link_token
from capicua.links.remote_matchmaking import RemoteMatchmaking
from capicua.matchmaking.endpoint import MatchmakingEndpoint
from capicua.matchmaking.service import MatchmakingService
from capicua.runtime.clock import wall_clock
from capicua.runtime.shard import SHARDS
from capicua.store.memory_store import MemoryStore
from kit.actor import Actor

SECRET = b"s" * 32


class Matchmakers:
    """Some matchmakers, of which one has the tickets, and gateways, on one game-actor and one store."""

    def __init__(self, bot_fill: float) -> None:
        self.actor = Actor(MemoryStore())
        self.told: defaultdict[str, list[Waiting | CreateGameRequest | Assignment | Refusal]] = defaultdict(list)
        """What each player's last ticket was told."""
        self.gateways: list[RemoteMatchmaking] = []
        self._directory = Directory(self.actor.store)
        self._bot_fill = bot_fill
        self._servers: dict[str, LinkServer] = {}
        self._members: dict[str, Member] = {}
        self._version = 0

    async def start(self, gateways: int) -> None:
        """Let gateways come; there is no matchmaker yet."""
        await self.actor.take_over()
        await self._directory.start()
        for _ in range(gateways):
            self.gateways.append(RemoteMatchmaking(self._directory, link_token(SECRET), self.actor.service))

    async def stop(self) -> None:
        """Stop everything."""
        self._directory.stop()
        for gateway in self.gateways:
            gateway.close()
        for server in self._servers.values():
            await server.stop()

    async def take_tickets(self, name: str) -> MatchmakingService:
        """A new matchmaker takes over all tickets."""
        service = MatchmakingService(self.actor.service, self.actor.store, wall_clock, self._bot_fill)
        service.taken(TICKETS, Held(1, 0))
        self._servers[name] = LinkServer(MatchmakingEndpoint(service).handlers, SECRET)
        address = f"127.0.0.1:{await self._servers[name].start('127.0.0.1:0')}"
        self._members = {name: Member("matchmaking", address, 0, 0)}
        await self._write(name)
        return service

    async def kill(self, name: str) -> None:
        """The matchmaker is gone from one moment to the next, and nobody knows."""
        await self._servers.pop(name).stop()

    async def enqueue(self, gateway: int, player_id: str, request: QuickMatchRequest) -> None:
        """A player asks at one of the gateways."""
        seat = Seat(player_id=player_id, name=player_id)
        self.told[player_id] = []
        assert not isinstance(await self.gateways[gateway].enqueue(seat, request, self.told[player_id].append), Refusal)

    def seated(self) -> list[Assignment]:
        """Every assignment that was told."""
        return [news for told in self.told.values() for news in told if isinstance(news, Assignment)]

    async def _write(self, owner: str) -> None:
        table = Installation(self._members, {"matchmaking": [Shard(owner, 1, 0)] * SHARDS})
        assert await self.actor.store.set_installation(self._version, msgspec.json.encode(table))
        self._version += 1
