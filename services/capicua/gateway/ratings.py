"""Ratings and leaderboards."""

from __future__ import annotations

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1 import rating_service_pb2 as api
from capicua.api.v1.types_pb2 import Seat
from capicua.api.v1.update_pb2 import Refusal
from capicua.runtime.clock import Clock
from capicua.runtime.refusals import refusal, store_away
from capicua.store.ratings import FAMILIES, Rating, Ratings, season_of
from capicua.store.store import StoreUnavailable

DEFAULT_PAGE, LONGEST_PAGE = 20, 100
MAX_ID = 64
"""Characters of an id or a season; no longer one was ever made."""


class RatingEndpoint:
    """RatingService: asks the store, for a leaderboard is the same at every gateway."""

    descriptor = api.DESCRIPTOR.services_by_name["RatingService"]
    open_methods: frozenset[str] = frozenset()

    def __init__(self, store: Ratings, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def get_rating(self, caller: Seat, request: api.GetRatingRequest) -> api.GetRatingResponse | Refusal:
        """The rating of a player, and the rank in the season that runs."""
        player_id, family = request.player_id or caller.player_id, request.family
        if wrong := _wrong(family, player_id):
            return wrong
        season = season_of(self._clock())
        try:
            _, found = await self._store.ratings([player_id], family)
            place = await self._store.position(family, season, player_id)
            here = [] if place is None else await self._store.leaderboard(family, season, place, 1)
        except StoreUnavailable:
            return store_away()
        rating = found.get(player_id, Rating())
        shown = api.Rating(
            player_id=player_id,
            name=rating.name,
            grade=rating.grade,
            mu=rating.mu,
            sigma=rating.sigma,
            games=rating.games,
        )
        return api.GetRatingResponse(rating=shown, season=season, rank=here[0].rank if here else 0)

    async def list_leaderboard(
        self, _: Seat, request: api.ListLeaderboardRequest
    ) -> api.ListLeaderboardResponse | Refusal:
        """A page of the players of a season."""
        family, season = request.family, request.season or season_of(self._clock())
        if wrong := _wrong(family, season, request.around_player_id):
            return wrong
        size, token = request.page_size or DEFAULT_PAGE, request.page_token
        if not 0 < size <= LONGEST_PAGE:
            return _invalid(f"`page_size` must be 1 to {LONGEST_PAGE}, not {size}")
        if token and not (token.isascii() and token.isdecimal() and len(token) < 10):
            return _invalid("`page_token` must be the `next_page_token` of a page")
        try:
            first = int(token) if token else await self._first(family, season, request.around_player_id, size)
            # One more than is shown says whether there is another page.
            found = await self._store.leaderboard(family, season, first, size + 1)
        except StoreUnavailable:
            return store_away()
        ranked = [api.Ranked(**place._asdict()) for place in found[:size]]
        more = str(first + size) if len(found) > size else ""
        return api.ListLeaderboardResponse(ranked=ranked, next_page_token=more, season=season)

    async def _first(self, family: str, season: str, player_id: str, size: int) -> int:
        place = await self._store.position(family, season, player_id) if player_id else None
        return max(0, (place or 0) - size // 2)


def _wrong(family: str, *texts: str) -> Refusal | None:
    if family not in FAMILIES:
        return _invalid(f"`family` must be one of {', '.join(FAMILIES)}, not {family[:MAX_ID]!r}")
    if any(len(text) > MAX_ID for text in texts):
        return _invalid(f"ids and seasons have {MAX_ID} characters at most")
    return None


def _invalid(problem: str) -> Refusal:
    return refusal(reasons.ERROR_REASON_INVALID_ARGUMENT, problem)
