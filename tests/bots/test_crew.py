"""A crew plays as its tables say, and a bot that fails misses its turn and no more."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from random import Random

import pytest

from capicua.api.v1.types_pb2 import Seat, TableOptions
from capicua.bots import LEVELS, Choose, Knowledge, run_crew
from capicua.bots.levels import DEEP, DEFAULT
from capicua.engine.legal import Play
from capicua.runtime.ids import BOT_LEVEL, BOT_LEVELS
from capicua.store.memory_store import MemoryStore
from kit.eventually import eventually
from kit.gateway import ServerHere, server_here


@pytest.fixture
async def server() -> AsyncIterator[ServerHere]:
    """A server at which bots sit on all seats that tests give out."""
    async with server_here(MemoryStore()) as here:
        tokens = [here.tokens.sign(Seat(player_id=f"p-{seat}", name="Abuela", bot=True)) for seat in range(2)]
        crew = asyncio.create_task(run_crew(here.address, tokens))
        yield here
        crew.cancel()


def test_a_table_may_have_every_level() -> None:
    """What a host may ask for is what a crew can play, in the same order."""
    assert tuple(LEVELS) == BOT_LEVELS
    assert BOT_LEVEL == DEFAULT


@pytest.mark.parametrize("level", [level for level in LEVELS if level not in DEEP])
async def test_every_table_s_own_level_plays(server: ServerHere, level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a table of a level, all choices of its game are made by that level and no other."""
    asked: Counter[str] = Counter()

    def counted(name: str, choose: Choose) -> Choose:
        def chosen(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
            asked[name] += 1
            return choose(knowledge, chance, seconds)

        return chosen

    for name, choose in [*LEVELS.items()]:
        monkeypatch.setitem(LEVELS, name, counted(name, choose))
    game_id = await server.actor.start_table(TableOptions(bots=level), "block", 2, target=1)
    await eventually(lambda: game_id not in server.actor.timer.due)

    # How many choices there are lies in the deal.
    assert asked.keys() == {level}


@pytest.mark.parametrize("failure", [TimeoutError, ZeroDivisionError])
async def test_a_bot_that_fails_tries_again_at_its_next_turn(
    server: ServerHere, failure: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given bots whose first choice takes too long or crashes, that turn expires and the game goes on to its end."""
    failed: list[int] = []
    greedy = LEVELS["greedy"]

    def choose(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
        if knowledge.seat not in failed:
            failed.append(knowledge.seat)
            raise failure
        return greedy(knowledge, chance, seconds)

    monkeypatch.setitem(LEVELS, "greedy", choose)
    game_id = await server.actor.start_table(TableOptions(bots="greedy"), "block", 2, target=1)
    for seats in (1, 2):
        await eventually(lambda seats=seats: len(failed) == seats)  # type: ignore[misc]
        server.actor.expire(game_id)
    await eventually(lambda: game_id not in server.actor.timer.due)

    record = await server.actor.service.record(game_id)
    assert isinstance(record, str)
    assert "winner" in record
