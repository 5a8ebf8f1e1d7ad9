"""The gateway: gRPC for clients in front of the other services."""

from __future__ import annotations

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.gateway.games import GameEndpoint
from capicua.gateway.limits import Limits
from capicua.gateway.players import PlayerEndpoint
from capicua.gateway.ratings import RatingEndpoint
from capicua.gateway.tables import TableEndpoint
from capicua.gateway.tokens import Tokens
from capicua.runtime.clock import Clock
from capicua.runtime.ports import GameActor, Matchmaking
from capicua.runtime.refusals import refusal
from capicua.runtime.transport import Endpoint, Server
from capicua.store.ratings import Ratings


class Gateway:
    """One server with the public services."""

    def __init__(
        self, actor: GameActor, matchmaking: Matchmaking, ratings: Ratings, tokens: Tokens, clock: Clock
    ) -> None:
        limits = Limits()
        self._games = GameEndpoint(actor, clock, limits)
        self._tables = TableEndpoint(matchmaking, actor)
        matchmaking.on_offers(self._games.offers.hear)
        rating = RatingEndpoint(ratings, clock)
        endpoints: list[Endpoint] = [PlayerEndpoint(tokens), self._tables, self._games, rating]
        self._server = Server(endpoints, tokens.player, limits)
        self.refused = self._server.refused
        self.listen = self._server.listen
        self.start = self._server.start

    @property
    def sessions(self) -> int:
        """How many sessions are open."""
        return self._games.sessions

    async def stop(self) -> None:
        """End every stream with UNAVAILABLE, then stop."""
        going = refusal(reasons.ERROR_REASON_UNAVAILABLE, "the server is stopping: connect again and resume")
        self._tables.close(going)
        self._games.close(going)
        await self._server.stop(grace=2)
