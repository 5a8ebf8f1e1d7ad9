"""Rounds that can go on in one way only."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from capicua.bots import Knowledge
from capicua.cli.arena_round import Round, deal
from capicua.engine import Event, GameState, Phase, PlayTile, Rejection, RoundEnded, Variant, legal_plays
from capicua.engine.decide import advance
from capicua.engine.legal import Play

Forced = tuple[GameState, Knowledge, Play, GameState, RoundEnded]
"""A moment, what the seat to act knows, a play after which nobody has a choice, the end, and the event of that."""


def forced_rounds(variant: Variant, rounds: int) -> Iterator[Forced]:
    """All such moments of rounds that are played at random, with any number of seats that the variant allows."""
    for number in range(rounds):
        chance = Random(number)
        seats = chance.choice(variant.seats)
        played, found = Round(variant, seats, deal(variant, seats, chance)), list[Forced]()

        def choose(
            knowledge: Knowledge, chance: Random, _: float, played: Round = played, found: list[Forced] = found
        ) -> Play:
            for play in knowledge.legal:
                if end := _forced_end(played.state, play):
                    found.append((played.state, knowledge, play, *end))
            return chance.choice(knowledge.legal)

        played.play([choose] * seats, chance)
        yield from found


def _forced_end(state: GameState, play: Play) -> tuple[GameState, RoundEnded] | None:
    events, state = _after(state, play)
    while state.phase is Phase.PLAYING:
        first, *others = legal_plays(state)
        if others:
            return None
        events, state = _after(state, first)
    return state, next(event for event in events if isinstance(event, RoundEnded))


def _after(state: GameState, play: Play) -> tuple[tuple[Event, ...], GameState]:
    decided = advance(state, PlayTile(state.turn, *play), 0)
    assert not isinstance(decided, Rejection)
    events, states = decided
    return events, states[-1]
