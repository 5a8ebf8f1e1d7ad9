"""Whatever options a client sends, it gets rules in force or a refusal that says why (I-10, R-32 to R-43)."""

from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.types_pb2 import GameOptions
from capicua.api.v1.update_pb2 import Refusal
from capicua.engine import VARIANTS, to_json
from capicua.game_actor.options import Rules, rules_of
from capicua.store.memory_store import MemoryStore
from kit.actor import Actor

PARAMETERS = sorted({name for variant in VARIANTS.values() for name in json.loads(to_json(variant))})
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
# Each parameter as some variant has it.
KNOWN = {name: [json.loads(to_json(v)).get(name) for v in VARIANTS.values()] for name in PARAMETERS}


def _overrides(names: st.SearchStrategy[str], *, wild: bool) -> st.SearchStrategy[str]:
    def values(name: str) -> st.SearchStrategy[object]:
        known = st.sampled_from(KNOWN.get(name, [None]))
        return known | VALUES if wild else known

    chosen = st.lists(names, max_size=3).flatmap(
        lambda names: st.fixed_dictionaries({name: values(name) for name in names})
    )
    return chosen.map(json.dumps)


LIKELY = st.builds(
    GameOptions,
    variant=st.sampled_from(list(VARIANTS)),
    seats=st.none() | st.integers(2, 4),
    target=st.none() | st.integers(1, 200),
    turn_seconds=st.none() | st.integers(5, 120),
    overrides_json=_overrides(st.sampled_from(PARAMETERS), wild=False),
)
WORD = st.none() | st.integers(0, 150) | st.integers(0, 2**32 - 1)
WILD = st.builds(
    GameOptions,
    variant=st.sampled_from(["", "chess", *VARIANTS]),
    seats=WORD,
    target=WORD,
    turn_seconds=WORD,
    overrides_json=_overrides(st.sampled_from(PARAMETERS) | st.text(max_size=8), wild=True) | st.text(max_size=20),
)


@given(LIKELY | WILD)
def test_any_options_give_a_refusal_or_a_game(asked: GameOptions) -> None:
    """Never a mistake of the server; what is in force, asked for again, is in force as it is, and can be played."""
    rules = rules_of(asked)
    if isinstance(rules, Refusal):
        assert rules.message
        assert rules.reason in (reasons.ERROR_REASON_INVALID_OPTIONS, reasons.ERROR_REASON_UNKNOWN_VARIANT)
    else:
        again = rules_of(rules.options)
        assert isinstance(again, Rules), again
        assert again.options == rules.options
        asyncio.run(_play(rules.options))


async def _play(options: GameOptions) -> None:
    """Create the game and let turns expire: every event can be stored and shown."""
    actor = Actor(MemoryStore())
    game_id = await actor.start(**{field.name: value for field, value in options.ListFields()})
    eyes = [actor.watch(f"p-{seat}", game_id) for seat in range(options.seats)]
    first = eyes[0].frames[0].reset.view.seq
    for _ in range(30):
        if game_id in actor.timer.due:
            actor.expire(game_id)
            await asyncio.sleep(0)
    last = (await actor.view("", game_id)).seq

    assert last > first
    assert all(seen.seqs == list(range(first + 1, last + 1)) for seen in eyes)


@pytest.mark.parametrize("variant", VARIANTS)
def test_nothing_is_left_open(variant: str) -> None:
    """Given a variant's key alone, every option in force is named."""
    rules = rules_of(GameOptions(variant=variant))

    assert isinstance(rules, Rules)
    assert (rules.options.variant, rules.options.overrides_json) == (variant, "")
    assert all(rules.options.HasField(name) for name in ("seats", "target", "turn_seconds"))
