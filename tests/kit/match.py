"""Ten thousand quick matches: who asks, for what, and how long it took."""

from __future__ import annotations

import random
import statistics
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from capicua.api.v1.table_service_pb2 import Assignment, QuickMatchRequest
from capicua.api.v1.types_pb2 import GameOptions
from capicua.store.ratings import Boards, Rating, Ratings

VARIANT, FAMILY = "block", "block"
WISHES = {
    "two seats": QuickMatchRequest(options=GameOptions(variant=VARIANT, seats=2)),
    "four seats": QuickMatchRequest(options=GameOptions(variant=VARIANT, seats=4)),
    "any": QuickMatchRequest(options=GameOptions(variant=VARIANT), any_seats=True, any_target=True),
}


class Wait(NamedTuple):
    """How long a player waited for a seat."""

    player_id: str
    seconds: float
    game_id: str
    seat: int


def wait_of(player_id: str, began: float, ended: float, seat: Assignment) -> Wait:
    """What came of a wish, from one instant to the other (seconds)."""
    return Wait(player_id, ended - began, seat.game_id, seat.seat)


async def rated(ratings: Ratings, player_ids: Sequence[str], seed: int) -> None:
    """Let players have some games behind them: most are near the middle."""
    chance = random.Random(seed)
    strengths = {player_id: Rating(chance.gauss(25, 8), 2.0, 30) for player_id in player_ids}
    version, _ = await ratings.ratings((), FAMILY)
    assert await ratings.replace_ratings(FAMILY, version, Boards(strengths, {}, ()))


def wish_of(number: int, weights: Sequence[float]) -> QuickMatchRequest:
    """What the player with this number wants, by the weights of WISHES; always the same."""
    return random.Random(number).choices(list(WISHES.values()), weights=weights)[0]


def summary(waits: Sequence[Wait]) -> str:
    """The figures in a line; AssertionError where two have the same seat, or one has two."""
    seats = Counter((wait.game_id, wait.seat) for wait in waits)
    assert max(seats.values()) == 1, "two players have the same seat"
    assert len({wait.player_id for wait in waits}) == len(waits), "a player has two seats"
    cuts = statistics.quantiles((wait.seconds * 1000 for wait in waits), n=100, method="inclusive")
    games = len({wait.game_id for wait in waits})
    most = max(wait.seconds for wait in waits) * 1000
    return (
        f"{len(waits)} tickets, {games} games: waited p50 {cuts[49]:.0f} ms, p99 {cuts[98]:.0f} ms, most {most:.0f} ms"
    )
