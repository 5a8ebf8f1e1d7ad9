"""Moves that must be refused, with the code of R-80."""

from __future__ import annotations

from typing import Any

import pytest

from capicua.engine import Command, DrawTile, PassTurn, PlayTile, Rejection, decide, tile
from kit.vectors import VECTORS, load, state_after

CASES = load("illegal_moves.json")


@pytest.mark.parametrize("case", CASES, ids=[f"{case['vector']}-{case['error']}" for case in CASES])
def test_the_move_is_refused_with_its_code(case: dict[str, Any]) -> None:
    """R-80: the first code that applies, in the order of the table."""
    state = state_after(VECTORS[case["vector"]], case["after_step"])
    move, seat = case["move"], case["seat"]
    wish: Command
    if "draw" in move:
        wish = DrawTile(seat)
    elif "pass" in move:
        wish = PassTurn(seat)
    else:
        wish = PlayTile(seat, tile(move["tile"]), move.get("end") or move["train"])

    outcome = decide(state, wish, 0)

    assert isinstance(outcome, Rejection)
    assert outcome.reason == case["error"]
