"""RatingService over real gRPC: what is shown of ratings, and what is refused."""

from __future__ import annotations

from collections.abc import AsyncIterator

import grpc
import pytest

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1 import rating_service_pb2 as api
from capicua.api.v1.types_pb2 import Seat
from capicua.client import Client, connect
from capicua.store.memory_store import MemoryStore
from capicua.store.ratings import Rating, season_of
from kit.actor import HandClock
from kit.gateway import ServerHere, reason_of, server_here


@pytest.fixture
async def server() -> AsyncIterator[ServerHere]:
    """A server on which 25 players have a rated game, p-24 with the best grade and p-0 and p-1 with equal ones."""
    store = MemoryStore()
    ratings = {f"p-{at}": Rating(mu=25 + max(1, at), games=1, name=f"Player {at}") for at in range(25)}
    season = season_of(HandClock()())
    assert await store.rate("block", 0, "g-1", season, ratings)
    async with server_here(store) as server:
        yield server


async def pages(client: Client, **asked: str) -> list[list[api.Ranked]]:
    """A leaderboard, page by page."""
    found: list[list[api.Ranked]] = []
    token = ""
    while not found or token:
        page = await client.leaderboard("block", size=10, page_token=token, **asked)
        found.append(list(page.ranked))
        token = page.next_page_token
    return found


async def test_a_leaderboard_is_told_page_by_page(server: ServerHere) -> None:
    """Best first, each player once; the last page says that it is the last."""
    async with connect(server.address, name="Ana") as ana:
        found = await pages(ana)
        other = await ana.leaderboard("draw")

    assert [len(page) for page in found] == [10, 10, 5]
    names = [ranked.name for page in found for ranked in page]
    assert names[:23] == [f"Player {at}" for at in range(24, 1, -1)]
    assert sorted(names[23:]) == ["Player 0", "Player 1"]
    assert [ranked.rank for page in found for ranked in page] == [*range(1, 24), 24, 24]
    assert (list(other.ranked), other.next_page_token, other.season) == ([], "", "1970-Q1")


async def test_a_player_finds_the_own_place_and_neighbours(server: ServerHere) -> None:
    """With the rank in the season that runs; a newcomer has the grade to begin with, and no rank."""
    async with connect(server.address, token=server.tokens.sign(_seat("p-20"))) as client:
        mine = await client.rating("block")
        newcomer = await client.rating("trains")
        another = await client.rating("block", "p-0")
        around = await client.leaderboard("block", size=5, around="p-20")
        top = await client.leaderboard("block", size=5, around="nobody")

    assert (mine.rank, mine.rating.player_id, mine.rating.name, mine.rating.games) == (5, "p-20", "Player 20", 1)
    assert (newcomer.rank, newcomer.rating.grade, newcomer.rating.games) == (0, 1000, 0)
    assert (another.rank, another.rating.grade) == (24, 1040)
    assert [ranked.rank for ranked in around.ranked] == [3, 4, 5, 6, 7]
    assert [ranked.rank for ranked in top.ranked] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "request_of",
    [
        api.GetRatingRequest(family="blocks"),
        api.GetRatingRequest(),
        api.GetRatingRequest(family="block", player_id="p" * 65),
        api.ListLeaderboardRequest(family="a:b"),
        api.ListLeaderboardRequest(family="block", page_size=101),
        api.ListLeaderboardRequest(family="block", page_size=-1),
        api.ListLeaderboardRequest(family="block", page_token="-1"),
        api.ListLeaderboardRequest(family="block", page_token="9" * 30),
        api.ListLeaderboardRequest(family="block", season="2" * 65),
    ],
)
async def test_what_cannot_be_asked_is_refused(
    server: ServerHere, request_of: api.GetRatingRequest | api.ListLeaderboardRequest
) -> None:
    """I-10: INVALID_ARGUMENT, never a mistake of ours."""
    method = type(request_of).__name__.removesuffix("Request")
    with pytest.raises(grpc.aio.AioRpcError) as failure:
        await server.caller("p-1").call(method, request_of)

    assert reason_of(failure.value)[1] == reasons.ERROR_REASON_INVALID_ARGUMENT


def _seat(player_id: str) -> Seat:
    return Seat(player_id=player_id, name="Ana")
