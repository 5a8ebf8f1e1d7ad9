"""A short run of `capicua torture`: every kind of process killed once, and an owner of games that oversleeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from capicua.cli.torture.report import report
from capicua.cli.torture.run import Plan, torture
from capicua.cli.torture.schedule import KINDS, Fault, schedule
from capicua.store.embedded_store import server_binary

FAULTS = (
    Fault(0.5, "kill", "game-actor", 0, 1.0),
    Fault(1.0, "kill", "gateway", 0, 0.5),
    Fault(2.0, "kill", "timer", 0, 0.5),
    Fault(3.0, "pause", "game-actor", 1, 2.5),
    Fault(3.5, "kill", "matchmaking", 0, 0.5),
    Fault(4.0, "kill", "bots", 0, 0.5),
    Fault(4.5, "cut", "gateway", 0, 0.0),
    Fault(5.5, "kill-store", "store", 0, 0.5),
    Fault(6.0, "drain", "game-actor", 2, 0.5),
)


@pytest.mark.timeout(90)
async def test_nothing_is_lost_whoever_is_killed(tmp_path: Path) -> None:
    """I-1 to I-9: given a move that a replica has before it is accepted, every promise holds and every game ends."""
    try:
        server_binary()
    except RuntimeError as missing:
        pytest.skip(str(missing))
    outcome = await torture(Plan(seed=1, seconds=7, faults=FAULTS, tables=4, wait=1, lease=1.0), tmp_path / "run", 40)
    text = report(outcome, "test")

    assert outcome.violations == [], text
    assert {hit.fault for hit in outcome.injected} == set(FAULTS), text
    assert outcome.figures.moves > 100, text
    assert not outcome.errors, text


def test_the_same_seed_gives_the_same_faults() -> None:
    """What was found once can be looked for again."""
    assert schedule(7, 60) == schedule(7, 60) != schedule(8, 60)
    assert {fault.kind for fault in schedule(7, 600)} == set(KINDS)
