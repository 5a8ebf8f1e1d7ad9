"""Whole rounds, field by field: opener, every step, result."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from capicua.cli.vectors import check_vector
from capicua.engine import VARIANTS
from kit.vectors import VECTORS


@pytest.mark.parametrize("name", VECTORS)
def test_the_engine_plays_the_vector(name: str) -> None:
    """R-1 to R-85: legal plays, draws, passes, counts, points and the end of the round are as the vector says."""
    assert check_vector(VECTORS[name]) is None


def test_every_variant_has_a_vector() -> None:
    """No variant goes unproved."""
    assert {vector["variant"] for vector in VECTORS.values()} == set(VARIANTS)


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [leaf for key in value for leaf in _leaves(value[key], (*path, key))]
    if isinstance(value, list):
        return [leaf for index in range(len(value)) for leaf in _leaves(value[index], (*path, index))]
    return [path]


def _changed(vector: dict[str, Any], path: tuple[Any, ...]) -> dict[str, Any]:
    other = copy.deepcopy(vector)
    place: Any = other
    for key in path[:-1]:
        place = place[key]
    old = place[path[-1]]
    place[path[-1]] = old + 1 if type(old) is int else (not old if isinstance(old, bool) else "changed")
    return other


@pytest.mark.parametrize(
    "name", ["draw-01-several-draws-then-play", "all_fives-01-lone-5-5-and-four-arms", "mexican_train-04-blocked"]
)
def test_no_field_goes_unchecked(name: str) -> None:
    """Given a vector with any one expected field changed, the difference is found."""
    vector = VECTORS[name]
    compared = [path for path in _leaves(vector) if path[0] in ("opener", "steps", "result") and "contrib" not in path]
    missed = [path for path in compared if check_vector(_changed(vector, path)) is None]

    assert len(compared) > 100
    assert missed == []


def test_pairs_are_in_force_where_the_vector_says_so() -> None:
    """R-14: given a round of pairs, it is another round for single seats."""
    vector = VECTORS["draw_lowest-04-pairs-block"]

    assert check_vector({**vector, "overrides": {}}) is None
    assert check_vector({**vector, "teams": False}) is not None


@pytest.mark.parametrize(
    "bad", [{}, {"variant": "chess"}, {"variant": "draw", "overrides": {"set": 7}, "seats": 2}, json.loads("[]")]
)
def test_what_is_no_vector_is_a_difference_too(bad: Any) -> None:
    """A malformed file is named, never a traceback."""
    found = check_vector(bad)

    assert found is not None
    assert found.key == "vector"
