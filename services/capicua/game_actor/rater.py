"""Rates finished games, each once, every one from the ratings that the one before has left."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence

from openskill.models import PlackettLuce

from capicua.game_actor.outcome import Outcome, may_be_rated, outcome_of
from capicua.log.v1 import entry_pb2 as log
from capicua.store.archive import Entries
from capicua.store.ratings import START_MU, START_SIGMA, Rating
from capicua.store.store import Store

BOT = Rating(mu=25.0, sigma=2.0)
"""Every bot, for ever: what the scale is tied to."""
_MODEL = PlackettLuce(mu=START_MU, sigma=START_SIGMA)


class Rater:
    """Puts what follows from a game into the store, with the mark that this was done."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def ended(self, game_id: str) -> None:
        """Rate a game that is over. Raises as `rate` does."""
        first = await self._store.entry(game_id, 1)
        # Most games are of one person and bots: their logs need not be read once more.
        if first is not None and may_be_rated(log.Entry.FromString(first).events[0].game_started):
            await self.rate(game_id, await self._store.read(game_id))

    async def rate(self, game_id: str, stored: Entries) -> str | None:
        """Rate the game of a whole log unless that was done; gives its family, or None for a game that is not rated.

        Raises StoreUnavailable, UnknownEvent.
        """
        outcome = await outcome_of(game_id, stored)
        if outcome is None:
            return None
        # Games that end here at the same time need not refuse each other.
        async with self._turns[outcome.family]:
            while True:
                version, held = await self._store.ratings(outcome.people, outcome.family)
                after = rated(outcome, held)
                if await self._store.rate(outcome.family, version, game_id, outcome.season, after):
                    return outcome.family


def rated(outcome: Outcome, held: Mapping[str, Rating]) -> dict[str, Rating]:
    """The ratings of the people after a game, from those `held` before it; who is not there begins."""
    after = _rated(outcome, held, outcome.places)
    for number, side in enumerate(outcome.sides):
        if left := [player.player_id for player in side if player.player_id in outcome.left]:
            places = [len(outcome.sides) if other == number else place for other, place in enumerate(outcome.places)]
            lost = _rated(outcome, held, places)
            after |= {player_id: lost[player_id] for player_id in left}
    return after


def _rated(outcome: Outcome, held: Mapping[str, Rating], places: Sequence[int]) -> dict[str, Rating]:
    before = [
        [BOT if player.bot else held.get(player.player_id, Rating()) for player in side] for side in outcome.sides
    ]
    teams = [[_MODEL.create_rating([rating.mu, rating.sigma]) for rating in side] for side in before]
    after = _MODEL.rate(teams, ranks=list(places))
    return {
        player.player_id: Rating(new.mu, new.sigma, old.games + 1, player.name)
        for side, olds, news in zip(outcome.sides, before, after, strict=True)
        for player, old, new in zip(side, olds, news, strict=True)
        if not player.bot
    }
