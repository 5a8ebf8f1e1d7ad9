"""Which of several plays does best over many worlds."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hypothesis import given
from hypothesis import strategies as st

from capicua.bots.race import race

SIXTEENTHS = st.integers(-16, 16).map(lambda number: number / 16)
"""Their sums are exact."""
VALUES = st.dictionaries(st.integers(0, 9), SIXTEENTHS, min_size=2)
World = tuple[float, Callable[[int], float]]


def endless(values: dict[int, float], asked: list[int]) -> Iterator[World]:
    """Worlds that are all alike, and keep in `asked` which options they were asked for."""

    def outcome(option: int) -> float:
        asked.append(option)
        return values[option]

    while True:
        yield 0.5, outcome


@given(VALUES, st.data())
def test_without_doubt_about_any_world_only_the_best_stay(values: dict[int, float], data: st.DataObject) -> None:
    """Given outcomes that do not differ from world to world: what an option has in advance counts in every world."""
    ahead = {option: data.draw(SIXTEENTHS) for option in values}
    sums = {option: values[option] + ahead[option] for option in values}
    worlds = (next(endless(values, [])) for _ in range(10))
    best = max(sums.values())

    assert race(ahead, worlds, 0.0, 60.0) == {option: 5.0 * best for option in sums if sums[option] == best}


@given(VALUES)
def test_who_cannot_be_told_apart_stays(values: dict[int, float]) -> None:
    """Given outcomes that differ by far more from world to world than from option to option."""
    worlds = (next(endless(values, [])) for _ in range(40))

    assert set(race(dict.fromkeys(values, 0.0), worlds, 10.0, 60.0)) == set(values)


@given(VALUES)
def test_without_time_one_world_is_tried(values: dict[int, float]) -> None:
    """Worlds without end take no longer than there is time, and every option is asked for once at least."""
    asked: list[int] = []
    total = race(dict.fromkeys(values, 0.0), endless(values, asked), 1.0, -1.0)

    assert asked == list(values)
    assert total == {option: 0.5 * value for option, value in values.items()}


def test_without_a_world_what_is_ahead_says_nothing() -> None:
    """Nobody is left out, so that a choice can be made all the same."""
    assert race({1: 0.5, 2: 0.0}, [], 1.0, 60.0) == {1: 0.0, 2: 0.0}
