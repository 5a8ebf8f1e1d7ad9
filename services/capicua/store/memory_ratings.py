"""Ratings in memory: for tests, and the plainest statement of what a store does with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import inf

from capicua.runtime.clock import Clock
from capicua.store.ratings import MARKED_SECONDS, Boards, Ranked, Rating


@dataclass
class _Family:
    version: int = 0
    ratings: dict[str, Rating] = field(default_factory=dict)
    seasons: dict[str, dict[str, int]] = field(default_factory=dict)
    forgotten_ms: dict[str, float] = field(default_factory=dict)
    """When each rated game is forgotten."""


class MemoryRatings:
    """Implements `Ratings`."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._families: dict[str, _Family] = defaultdict(_Family)

    async def ratings(self, player_ids: Iterable[str], family: str) -> tuple[int, dict[str, Rating]]:
        """Version and ratings."""
        held = self._families[family]
        return held.version, {player: held.ratings[player] for player in player_ids if player in held.ratings}

    async def rate(self, family: str, version: int, game_id: str, season: str, ratings: Mapping[str, Rating]) -> bool:
        """The mark of the game and all that follows from it."""
        held = self._families[family]
        if game_id in held.forgotten_ms:
            return True
        if version != held.version:
            return False
        held.version += 1
        held.forgotten_ms[game_id] = inf
        held.ratings.update(ratings)
        held.seasons.setdefault(season, {}).update({player: rating.grade for player, rating in ratings.items()})
        return True

    async def rated(self, family: str) -> tuple[int, set[str]]:
        """Version and marked games."""
        held = self._families[family]
        return held.version, set(held.forgotten_ms)

    async def forget_rated(self, family: str, game_id: str) -> None:
        """Later; those whose time has come are forgotten now."""
        held, now = self._families[family], self._clock()
        if game_id in held.forgotten_ms:
            held.forgotten_ms[game_id] = now + MARKED_SECONDS * 1000
        held.forgotten_ms = {game: at for game, at in held.forgotten_ms.items() if at > now}

    async def replace_ratings(self, family: str, version: int, boards: Boards) -> bool:
        """Everything anew but what is remembered."""
        held = self._families[family]
        if version != held.version:
            return False
        seasons = {season: dict(grades) for season, grades in boards.seasons.items()}
        remembered = dict.fromkeys(boards.game_ids, self._clock() + MARKED_SECONDS * 1000) | held.forgotten_ms
        self._families[family] = _Family(version + 1, dict(boards.ratings), seasons, remembered)
        return True

    async def leaderboard(self, family: str, season: str, first: int, count: int) -> list[Ranked]:
        """Places with the names of now."""
        held = self._families[family]
        grades = held.seasons.get(season, {})
        ranked = []
        for player in self._order(family, season)[first : first + count]:
            rank = 1 + sum(grade > grades[player] for grade in grades.values())
            rating = held.ratings[player]
            ranked.append(Ranked(rank, player, grades[player], rating.name, rating.games))
        return ranked

    async def position(self, family: str, season: str, player_id: str) -> int | None:
        """By counting."""
        order = self._order(family, season)
        return order.index(player_id) if player_id in order else None

    def _order(self, family: str, season: str) -> list[str]:
        grades = self._families[family].seasons.get(season, {})
        return sorted(grades, key=lambda player: (grades[player], player), reverse=True)
