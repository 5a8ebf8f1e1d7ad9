"""Ratings and leaderboards as every store keeps them. What they are made of: docs/ratings.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple, Protocol

import msgspec

FAMILIES = ("block", "draw", "fives", "partners", "trains")
"""Each has ratings of its own."""
MARKED_SECONDS = 7 * 24 * 3600
"""How long a store remembers a rated game whose log has gone: a process that still has it may have been paused."""
MONTHS = 3
"""Of a season."""
START_MU = 25.0
START_SIGMA = START_MU / 3


class Rating(msgspec.Struct, frozen=True, array_like=True):
    """What a player's games of one family say of their strength. Stored bytes: fields are only added, at the end."""

    mu: float = START_MU
    """The likeliest strength."""
    sigma: float = START_SIGMA
    """How uncertain that is: the standard deviation."""
    games: int = 0
    """Rated games so far."""
    name: str = ""
    """The player's name in the last of them."""

    @property
    def grade(self) -> int:
        """The number that is shown: 1000 for a newcomer, and low while a player is not well known."""
        return round(1000 + 40 * (self.mu - 3 * self.sigma))


class Ranked(NamedTuple):
    """A place on a leaderboard."""

    rank: int
    """From 1; players of the same grade share it."""
    player_id: str
    grade: int
    """After the player's last game of the season."""
    name: str
    games: int
    """Rated games of the family in all seasons."""


class Boards(NamedTuple):
    """All ratings of a family, and the leaderboards that belong to them."""

    ratings: Mapping[str, Rating]
    seasons: Mapping[str, Mapping[str, int]]
    """The grade of each player of a season."""
    game_ids: Iterable[str]
    """The games that they come from; their logs have gone, or are remembered already."""


def season_of(time_ms: int) -> str:
    """The season of an instant (Unix ms): its year and quarter in UTC, for example "2026-Q3"."""
    date = datetime.fromtimestamp(time_ms / 1000, UTC)
    return f"{date.year:04}-Q{(date.month - 1) // MONTHS + 1}"


class Ratings(Protocol):
    """What every store can do with ratings; all methods may raise StoreUnavailable.

    The ratings of a family have a version that grows with every change, so that of two who have read the same
    ratings one is refused. All changes of a family are one row: each is made to what the one before has left.
    """

    async def ratings(self, player_ids: Iterable[str], family: str) -> tuple[int, dict[str, Rating]]:
        """The version of the family, and the ratings of those of the players who have one."""

    async def rate(self, family: str, version: int, game_id: str, season: str, ratings: Mapping[str, Rating]) -> bool:
        """Give players the ratings that follow from a game, unless that was done before.

        All or nothing. False, with nothing changed, where the version is another: read again.
        """

    async def rated(self, family: str) -> tuple[int, set[str]]:
        """The version of the family, and the games that the store remembers to be rated."""

    async def forget_rated(self, family: str, game_id: str) -> None:
        """Remember that a game is rated for MARKED_SECONDS more, and no longer: its log has gone."""

    async def replace_ratings(self, family: str, version: int, boards: Boards) -> bool:
        """Put these in place of everything there is of the family, and remember that its games are
        rated, besides those that are remembered.

        All or nothing. False, with nothing changed, where the version is another.
        """

    async def leaderboard(self, family: str, season: str, first: int, count: int) -> list[Ranked]:
        """Up to `count` places from the `first` on, counted from 0; best first."""

    async def position(self, family: str, season: str, player_id: str) -> int | None:
        """Where on the leaderboard a player is, counted from 0; None if nowhere."""
