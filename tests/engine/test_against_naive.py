"""Engine and naive rule writer, each written without the other, agree on random rounds field by field."""

from __future__ import annotations

import json
import random

import pytest

from capicua.cli.vectors import check_vector
from capicua.engine import Invalid, build, check
from engine.naive import VARIANTS
from engine.naive_setup import any_overrides, broken_rule, may_go_on, random_vector

ROUNDS = {variant: 60 if variant == "mexican_train" else 400 for variant in VARIANTS}
"""As many as a few seconds allow; `fuzz.py` plays on with fresh seeds."""


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_engine_agrees_with_the_naive_writer(variant: str) -> None:
    """R-1 to R-85: given random rounds of a variant, its parameters changed now and then, both write the same."""
    rng = random.Random(f"rounds of {variant}")
    for _ in range(ROUNDS[variant]):
        vector = random_vector(rng, variant)

        assert may_go_on(vector)
        assert check_vector(vector) is None, json.dumps(vector)


@pytest.mark.parametrize("variant", VARIANTS)
def test_both_allow_the_same_parameters(variant: str) -> None:
    """R-32 to R-43: given random parameters, valid or not, the engine refuses what the naive writer refuses."""
    rng = random.Random(f"parameters of {variant}")
    allowed = refused = 0
    for _ in range(500):
        seats, overrides = rng.choice(VARIANTS[variant]["seats"]), any_overrides(rng, variant)
        rules = {**VARIANTS[variant], **overrides}
        expected = broken_rule(rules, seats, rules["teams"] == "pairs")

        built = build(variant, overrides)
        found = built if isinstance(built, Invalid) else check(built, seats)
        assert (found is None) == (expected is None), (overrides, seats, expected, found)
        allowed, refused = allowed + (found is None), refused + (found is not None)

    assert min(allowed, refused) > 20
