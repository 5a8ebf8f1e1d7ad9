"""A round that can go on in one way only ends in a playout as it ends in the engine."""

from __future__ import annotations

from random import Random

import pytest

from capicua.bots.knowledge import Knowledge
from capicua.bots.points_playout import points_playout
from capicua.cli.arena_round import Round, deal
from capicua.engine import VARIANTS, GameState, Phase, PlayTile, Rejection, legal_plays
from capicua.engine.decide import advance
from capicua.engine.legal import Play
from capicua.engine.line import Line
from capicua.engine.scoring import points_of


def forced_end(state: GameState) -> GameState | None:
    """The round played to its end, if nobody has a choice after the next play."""
    while state.phase is Phase.PLAYING:
        first, *others = legal_plays(state)
        if others:
            return None
        state = after(state, first)
    return state


def after(state: GameState, play: Play) -> GameState:
    decided = advance(state, PlayTile(state.turn, *play), 0)
    assert not isinstance(decided, Rejection)
    return decided[1][-1]


@pytest.mark.parametrize("key", ["all_fives", "muggins", "fives_four_way", "fives_and_threes"])
def test_a_forced_round_ends_as_in_the_engine(key: str) -> None:
    """R-23 to R-28, R-55, R-62, R-63: points of plays, of the end, of a blocked line, and a target met on the way."""
    variant, compared = VARIANTS[key], 0
    for number in range(100):
        chance = Random(number)
        seats = chance.choice(variant.seats)
        played = Round(variant, seats, deal(variant, seats, chance))

        def choose(knowledge: Knowledge, chance: Random, seconds: float, played: Round = played) -> Play:
            nonlocal compared
            state = played.state
            for play in knowledge.legal:
                end = forced_end(after(state, play))
                if end is None:
                    continue
                assert isinstance(state.layout, Line)
                shape = state.layout.place(state.turn, *play).shape
                hands = (knowledge.hand ^ 1 << play[0], *state.hands[state.turn + 1 :], *state.hands[: state.turn])
                boneyard = state.boneyard[state.drawn :]
                made = points_of(variant.in_play, shape.count)
                lead = points_playout(knowledge, chance)(hands, boneyard, shape, made)
                own = end.scores[state.turn]
                others = [score for side, score in enumerate(end.scores) if side != state.turn]
                assert lead == own - max(others), play
                compared += 1
            return chance.choice(knowledge.legal)

        played.play([choose] * seats, chance)
    assert compared > 100
