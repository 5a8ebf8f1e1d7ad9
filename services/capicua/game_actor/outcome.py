"""Which games are rated, and what they say: the policy of docs/ratings.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from capicua.engine import GameState, TilePlayed, Variant, from_json
from capicua.game_actor.history import History, fold
from capicua.log.v1 import entry_pb2 as log
from capicua.store.archive import Entries
from capicua.store.ratings import season_of


class Contender(NamedTuple):
    """Who sat on a seat of a rated game when it began."""

    player_id: str
    name: str
    bot: bool


class Outcome(NamedTuple):
    """A rated game."""

    game_id: str
    family: str
    ended_ms: int
    """Unix milliseconds, by the store's time."""
    sides: tuple[tuple[Contender, ...], ...]
    places: tuple[int, ...]
    """Of each side: 0 won, and sides with the same number did equally well."""
    left: frozenset[str] = frozenset()
    """Ids of players who quit while a partner stayed: for them their side is the last one."""

    @property
    def season(self) -> str:
        """The season in which the game ended."""
        return season_of(self.ended_ms)

    @property
    def people(self) -> list[str]:
        """The ids of the players that are no bots."""
        return [who.player_id for side in self.sides for who in side if not who.bot]


def family_of(variant: Variant, seats: int) -> str:
    """The family of a game (one of FAMILIES), by what its parameters ask of a player."""
    if variant.topology == "trains":
        return "trains"
    if variant.pairs(seats):
        return "partners"
    if variant.in_play.divisors:
        return "fives"
    return "block" if variant.draw.policy == "none" else "draw"


async def outcome_of(game_id: str, stored: Entries) -> Outcome | None:
    """What a whole log says of its players; None if the game is not rated.

    Raises UnknownEvent for a log of a newer version.
    """
    if not stored or not may_be_rated(log.Entry.FromString(stored[0][1]).events[0].game_started):
        return None
    history = await fold(stored)
    if not history.complete or not _contested(history):
        return None
    facts, setup, gone = history.facts, history.state.setup, _gone(history)
    left = {facts.players[quit.seat].player_id for quit in history.state.standing.quits}
    sides: list[list[Contender]] = [[] for _ in range(setup.sides)]
    for seat, player in enumerate(facts.players):
        sides[setup.side(seat)].append(Contender(player.player_id, player.name, player.bot))
    return Outcome(
        game_id,
        family_of(setup.variant, setup.seats),
        history.steps[-1].time_ms,
        tuple(map(tuple, sides)),
        _places(history.state, gone),
        frozenset(who.player_id for side, seats in enumerate(sides) if side not in gone for who in seats) & left,
    )


def may_be_rated(facts: log.GameStarted) -> bool:
    """Whether the beginning of a game allows that it is rated: public, as its variant has it, people on two sides."""
    variant = from_json(facts.parameters_json)
    people = [seat for seat, player in enumerate(facts.players) if not player.bot]
    return facts.public and not facts.overrides_json and _sides(people, variant.pairs(facts.seats)) > 1


def _contested(history: History) -> bool:
    """Whether people of two sides were there: not so who let turns expire and never played.

    Who never could play was there, and so was who quit.
    """
    plays = [step.event for step in history.steps if isinstance(step.event, TilePlayed)]
    absent = {play.seat for play in plays if play.expired} - {play.seat for play in plays if not play.expired}
    absent -= {quit.seat for quit in history.state.standing.quits}
    people = [seat for seat, player in enumerate(history.facts.players) if not player.bot and seat not in absent]
    return _sides(people, history.state.setup.pairs) > 1


def _sides(seats: Sequence[int], pairs: bool) -> int:
    return len({seat % 2 for seat in seats} if pairs else set(seats))


def _gone(history: History) -> dict[int, int]:
    """The sides whose people have all quit, with the seq at which the last of them did."""
    side_of, quits = history.state.setup.side, history.state.standing.quits
    people = {seat for seat, player in enumerate(history.facts.players) if not player.bot}
    staying = {side_of(seat) for seat in people - {quit.seat for quit in quits}}
    return {side_of(quit.seat): quit.seq for quit in quits if side_of(quit.seat) not in staying}


def _places(state: GameState, gone: Mapping[int, int]) -> tuple[int, ...]:
    """The winner first, then the others by their scores; behind them who has gone, the first of them last."""
    best_first = -1 if state.setup.variant.target.kind != "rounds_lowest" else 1
    order = [
        (True, False, -gone[side]) if side in gone else (False, side != state.standing.winner_side, best_first * score)
        for side, score in enumerate(state.scores)
    ]
    return tuple(sorted(set(order)).index(own) for own in order)
