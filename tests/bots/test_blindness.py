"""A bot cannot go by what its seat has not seen (I-7)."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest

from capicua.api.v1.update_pb2 import Update
from capicua.bots import LEVELS, Knowledge
from capicua.bots.levels import DEEP
from capicua.cli.arena_round import Round, deal
from capicua.engine import VARIANTS, StartRound
from capicua.engine.legal import Play

WAYS = 100
ASKED = 6
"""The choice of the seat that is asked, of all choices of all seats."""


class Stopped(Exception):
    """The round has come to the choice that is asked for, or cannot go the same way."""


class Way:
    """A deal played on by given plays, or by random ones, to the choice that is asked for."""

    def __init__(self, variant: str, seats: int, dealt: StartRound, plays: list[Play] | None = None) -> None:
        self.plays: list[Play] = []
        self.known: Knowledge | None = None
        self.shown: list[Update] = []
        played = Round(VARIANTS[variant], seats, dealt)

        def choose(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
            if len(self.plays) == ASKED:
                self.known, self.shown = knowledge, played.shown[knowledge.seat]
                raise Stopped
            play = chance.choice(knowledge.legal) if plays is None else plays[len(self.plays)]
            if play not in knowledge.legal:
                raise Stopped
            self.plays.append(play)
            return play

        with suppress(Stopped):
            played.play([choose] * seats, Random(1))


@pytest.mark.parametrize(
    ("variant", "seats"),
    [("block", 2), ("draw", 2), ("draw", 4), ("partners_100", 4), ("muggins", 3), ("mexican_train", 2)],
)
def test_what_lies_hidden_changes_no_choice(variant: str, seats: int) -> None:
    """Unseen tiles are changed round in a hundred ways that the seat is shown the same of: all levels choose alike."""
    chance = Random(7)
    while True:
        dealt = deal(VARIANTS[variant], seats, chance)
        truth = Way(variant, seats, dealt)
        if truth.known is not None and len(truth.known.legal) > 2:
            break
    unseen = [number for number, tile in enumerate(dealt.order) if truth.known.hidden >> tile & 1]
    ways = {dealt.order: truth}
    tries = 0
    while len(ways) <= WAYS:
        tries += 1
        assert tries < 30 * WAYS, "too few ways look the same"
        order = list(chance.choice(list(ways)))
        for _ in range(chance.randint(1, 6)):
            one, two = chance.sample(unseen, 2)
            order[one], order[two] = order[two], order[one]
        changed = StartRound(tuple(order), dealt.lot_seat, dealt.lot_tiles)
        way = Way(variant, seats, changed, truth.plays)
        if way.shown == truth.shown:
            ways[changed.order] = way

    assert all(way.known == truth.known for way in ways.values())
    for level, choose in LEVELS.items():
        asked = list(ways.values())[:: WAYS // 2 if level in DEEP else 1]
        assert len({choose(way.known, Random(3), 60) for way in asked if way.known}) == 1
