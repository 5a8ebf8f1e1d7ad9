"""All ratings anew, from the logs of all games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from capicua.game_actor.outcome import Outcome, outcome_of
from capicua.game_actor.rater import rated
from capicua.store.archive import Archive
from capicua.store.ratings import FAMILIES, Boards, Rating
from capicua.store.store import Store, StoreUnavailable

PAGE = 500


class Rebuilt(NamedTuple):
    """What became of it."""

    games: dict[str, int]
    """Rated games by family."""
    faults: dict[str, str]
    """What is wrong with games that cannot be read, by id."""


class _Family:
    """The ratings of one family as game after game is rated."""

    def __init__(self) -> None:
        self.ratings: dict[str, Rating] = {}
        self.seasons: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self.game_ids: set[str] = set()

    def rate(self, outcome: Outcome) -> None:
        after = rated(outcome, self.ratings)
        self.ratings.update(after)
        self.seasons[outcome.season].update({player: rating.grade for player, rating in after.items()})
        self.game_ids.add(outcome.game_id)


async def rebuild(store: Store, archive: Archive) -> Rebuilt:
    """Rate every game in the order in which they ended, and put the result in place of what the store has.

    Servers may run meanwhile: what they rate until the last moment is in it. Raises StoreUnavailable, ArchiveAway.
    """
    faults: dict[str, str] = {}

    async def look_at(game_id: str) -> Outcome | None:
        try:
            return await outcome_of(game_id, await archive.entries(game_id) or await store.read(game_id))
        except StoreUnavailable:
            raise
        except Exception as failure:
            faults[game_id] = str(failure) or type(failure).__name__
            return None

    waiting: defaultdict[str, list[Outcome]] = defaultdict(list)
    last = ""
    while page := await archive.ids(last, PAGE):
        last = page[-1]
        for game_id in page:
            if outcome := await look_at(game_id):
                waiting[outcome.family].append(outcome)
    games = {family: await _replace(store, family, waiting[family], look_at) for family in FAMILIES}
    return Rebuilt(games, faults)


async def _replace(
    store: Store, family: str, waiting: list[Outcome], look_at: Callable[[str], Awaitable[Outcome | None]]
) -> int:
    anew = _Family()
    seen = {outcome.game_id for outcome in waiting}
    while True:
        version, remembered = await store.rated(family)
        # Rated already, and on their way into the archive, or behind our back since we have passed.
        for game_id in remembered - seen:
            seen.add(game_id)
            if outcome := await look_at(game_id):
                waiting.append(outcome)
        for outcome in sorted(waiting, key=lambda outcome: (outcome.ended_ms, outcome.game_id)):
            anew.rate(outcome)
        waiting = []
        if await store.replace_ratings(family, version, Boards(anew.ratings, anew.seasons, anew.game_ids)):
            return len(anew.game_ids)
