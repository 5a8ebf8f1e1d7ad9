"""A round that can go on in one way only ends in a playout as it ends in the engine."""

from __future__ import annotations

from random import Random

import pytest

from capicua.bots.expert import ends_after
from capicua.bots.playout import playout
from capicua.engine import Variant, build
from kit.forced import forced_rounds

HOYLE_FOR_MORE: dict[str, object] = {
    "seats": [3, 4],
    "hand_size": {3: 7, 4: 5},
    "target": {"kind": "at_least", "value": {3: 100, 4: 100}, "check": "round_end"},
}


@pytest.mark.parametrize(
    ("key", "overrides"),
    [
        ("block", {}),
        ("block", {"set": 12}),
        ("block", {"block_winner": "lowest_hand"}),
        ("block", {"block_winner": "none"}),
        ("draw", {}),
        ("draw_hoyle", {}),
        ("draw_hoyle", HOYLE_FOR_MORE),
        ("draw_last_mover", {}),
        ("partners_100", {}),
        ("jamaican_partner", {}),
        ("cuban_double_nine", {}),
    ],
)
def test_a_forced_round_ends_as_in_the_engine(key: str, overrides: dict[str, object]) -> None:
    """R-14, R-21, R-25 to R-27, R-29, R-57, R-58, R-60: won, tied or lost, by a domino out or a blocked line."""
    variant, compared = build(key, overrides), 0
    assert isinstance(variant, Variant), variant
    for state, knowledge, play, _, end in forced_rounds(variant, 40):
        own = knowledge.hand ^ 1 << play[0]
        if not own:
            continue
        hands = (own, *state.hands[state.turn + 1 :], *state.hands[: state.turn])
        play_on = playout(knowledge, Random(1))
        # Where there is no choice no manner of playing makes a difference.
        play_as = Random(compared).choices((None, 0.0, 0.5, 1.0), k=knowledge.seats)
        outcome = play_on(hands, state.boneyard[state.drawn :], *ends_after(knowledge, play), play_as)
        won = end.winner_side == knowledge.side(state.turn)
        assert outcome == (0 if end.winner_side is None else 1 if won else -1), play
        compared += 1
    assert compared > 60
