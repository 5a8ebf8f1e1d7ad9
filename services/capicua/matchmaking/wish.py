"""From what a player asks for to the kinds of games that will do, and how strong the player is in them."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import structlog

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.table_service_pb2 import QuickMatchRequest
from capicua.api.v1.types_pb2 import GameOptions
from capicua.api.v1.update_pb2 import Refusal
from capicua.internal.v1.game_actor_service_pb2 import CheckOptionsResponse
from capicua.matchmaking.pairing import Kind
from capicua.runtime.ports import GameActor
from capicua.runtime.refusals import refusal
from capicua.store.ratings import START_MU, Ratings
from capicua.store.store import StoreUnavailable

log = structlog.get_logger()

RATING_SECONDS = 1.0
"""A store that takes longer to tell ratings is not waited for."""
KNOWN_SECONDS, MOST_KNOWN = 10.0, 1000
"""What can be played is asked anew after this time, for game-actors may be of a newer version; so many are known."""


class Game(NamedTuple):
    """A complete game that will do."""

    kind: Kind
    family: str
    """Of the players' ratings."""


class Wishes:
    """What the game-actors say can be played, remembered for a moment: many want the same."""

    def __init__(self, actor: GameActor) -> None:
        self._actor = actor
        self._known: dict[tuple[bytes, bool, bool, bool], tuple[float, list[Game]]] = {}

    async def games(self, request: QuickMatchRequest) -> list[Game] | Refusal:
        """Every complete game that will do, or why there is none; in pairs where a party asks."""
        options = request.options.SerializeToString(deterministic=True)
        key, now = (
            (options, request.any_seats, request.any_target, bool(request.party)),
            asyncio.get_running_loop().time,
        )
        until, games = self._known.get(key, (0.0, []))
        if now() < until:
            return games
        asked = await _ask(self._actor, request)
        if isinstance(asked, Refusal):
            return asked
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[key] = now() + KNOWN_SECONDS, asked
        return asked


async def strengths(ratings: Ratings, player_id: str, games: list[Game]) -> dict[int, float]:
    """The player's mu in each of the games, by its number of seats; a newcomer's where it cannot be known."""
    known: dict[str, float] = {}
    try:
        async with asyncio.timeout(RATING_SECONDS):
            for family in {game.family for game in games}:
                _, found = await ratings.ratings([player_id], family)
                if player_id in found:
                    known[family] = found[player_id].mu
    except (StoreUnavailable, TimeoutError) as failure:
        log.debug("rating_unknown", player=player_id, error=str(failure))
    return {game.kind.seats: known.get(game.family, START_MU) for game in games}


async def _ask(actor: GameActor, request: QuickMatchRequest) -> list[Game] | Refusal:
    options = GameOptions()
    options.CopyFrom(request.options)
    if request.any_target:
        options.ClearField("target")
    if request.any_seats:
        options.ClearField("seats")
    first = await actor.check_options(options)
    if isinstance(first, Refusal):
        return first
    checked: list[CheckOptionsResponse | Refusal] = [first]
    if request.any_seats:
        for seats in first.seats:
            if seats != first.options.seats:
                options.seats = seats
                checked.append(await actor.check_options(options))
    # Rules of one's own may allow fewer numbers of seats than the variant does.
    games = [_game(each) for each in checked if not isinstance(each, Refusal)]
    if request.party and not (games := [each for each in games if each.kind.pairs]):
        no_pairs = "nobody has a partner in this game: ask without a party, or for four seats in pairs"
        return refusal(reasons.ERROR_REASON_PARTY_NOT_POSSIBLE, no_pairs)
    return games


def _game(checked: CheckOptionsResponse) -> Game:
    scope = GameOptions()
    scope.CopyFrom(checked.options)
    scope.ClearField("target")
    key, scope_key = (each.SerializeToString(deterministic=True) for each in (checked.options, scope))
    return Game(Kind(key, scope_key, checked.options.seats, checked.pairs), checked.family)
