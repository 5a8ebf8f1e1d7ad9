"""Deep choices are made in worker processes, and a lost worker costs one choice."""

from __future__ import annotations

import sys
from concurrent.futures import BrokenExecutor
from random import Random

import psutil
import pytest

from capicua.bots import Knowledge
from capicua.bots.thinking import Thinking
from capicua.cli.arena_round import Round, deal
from capicua.engine import VARIANTS
from capicua.engine.legal import Play


def a_choice() -> Knowledge:
    """What the opener of a round knows before the lead."""
    known: list[Knowledge] = []

    def choose(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
        known.append(knowledge)
        return knowledge.legal[0]

    variant = VARIANTS["block"]
    Round(variant, 2, deal(variant, 2, Random(1))).play([choose] * 2, Random(1))
    return known[0]


def workers() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if "spawn_main" in " ".join(child.cmdline())]


async def test_a_lost_worker_costs_one_choice() -> None:
    """The choice under way fails at once, the next one is made by a new worker, and none is left in the end."""
    knowledge = a_choice()
    with Thinking() as thinking:
        assert await thinking.choose("expert", knowledge) in knowledge.legal
        (worker,) = workers()

        worker.kill()
        with pytest.raises(BrokenExecutor):
            await thinking.choose("expert", knowledge)

        assert await thinking.choose("expert", knowledge) in knowledge.legal
        left = workers()
    assert not psutil.wait_procs(left, timeout=10)[1]


async def test_a_quick_choice_needs_no_worker() -> None:
    """The levels below choose where they are asked, and so does a seat without a choice."""
    with Thinking() as thinking:
        for level in ("easy", "greedy", "clever"):
            await thinking.choose(level, a_choice())
        assert not workers()


async def test_a_choice_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """TimeoutError for that choice; the next one is made, by the same worker."""
    knowledge = a_choice()
    with Thinking() as thinking:
        with monkeypatch.context() as hurried:
            hurried.setattr(sys.modules[Thinking.__module__], "_PATIENCE_SECONDS", 0)
            with pytest.raises(TimeoutError):
                await thinking.choose("expert", knowledge)

        assert await thinking.choose("expert", knowledge) in knowledge.legal
