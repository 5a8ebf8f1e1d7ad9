"""Every level plays every variant, and a higher one plays better."""

from __future__ import annotations

from random import Random

import pytest

from capicua.bots import LEVELS, Choose, Knowledge
from capicua.cli.arena_round import Round, deal
from capicua.engine import VARIANTS
from capicua.engine.legal import Play


def careful(choose: Choose) -> Choose:
    """The same choice, with the proof that it is a legal one."""

    def chosen(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
        play = choose(knowledge, chance, 0)
        assert play in knowledge.legal
        return play

    return chosen


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_level_plays_every_variant(level: str, variant: str) -> None:
    """R-12: all variants with all their numbers of seats; without any time to think a play is legal all the same."""
    for seats in VARIANTS[variant].seats:
        chance = Random(seats)
        played = Round(VARIANTS[variant], seats, deal(VARIANTS[variant], seats, chance))
        played.play([careful(LEVELS[level])] * seats, chance)


@pytest.mark.parametrize(
    ("variant", "better"),
    [("block", 0.55), ("draw", 0.6), ("partners_100", 0.55), ("all_fives", 0.65), ("mexican_train", 0.6)],
)
def test_the_clever_bot_is_better_than_the_easy_one(variant: str, better: float) -> None:
    """The same deals from both sides; the seed makes the outcome certain."""
    rules, deals, won = VARIANTS[variant], 120, 0.0
    seats = min(rules.seats)
    for number in range(deals):
        dealt = deal(rules, seats, Random(number))
        for turned in (0, 1):
            levels = [LEVELS["clever" if seat % 2 == turned else "easy"] for seat in range(seats)]
            played = Round(rules, seats, dealt)
            played.play(levels, Random(number))
            winners = {side % 2 for side in played.winners()}
            won += 0.5 if len(winners) != 1 else float(winners == {turned})

    assert won / (2 * deals) > better
