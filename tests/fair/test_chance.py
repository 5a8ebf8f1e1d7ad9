"""The deal is a function of the seeds alone, the same in every language, and favours nobody (docs/fair_deal.md)."""

from __future__ import annotations

import json
from collections import Counter
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capicua.engine import NAMES, PIPS, tile, tile_count
from capicua.fair import Chance, commitment
from capicua.fair.chance import _below

VECTORS = json.loads((Path(__file__).parents[2] / "docs" / "fair_deal.json").read_text())
DEALS = 30_000
"""Enough to see a bias of a hundredth; `python tests/fair/test_chance.py` looks at a million."""
SEEDS = st.lists(st.binary(max_size=32), min_size=2, max_size=8)
WORD = st.integers(0, 2**32 - 1)


def _chance(number: int, seats: int = 2) -> Chance:
    return Chance(f"g-{number}", 1, number.to_bytes(32, "big"), [b""] * seats)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["game_id"])
def test_the_vectors_come_out(vector: dict[str, Any]) -> None:
    """Commitment, key, hands, boneyard and both lots, byte by byte and tile by tile."""
    game_id, number = vector["game_id"], vector["round"]
    server_seed = bytes.fromhex(vector["server_seed"])
    chance = Chance(game_id, number, server_seed, list(map(bytes.fromhex, vector["seat_seeds"])))
    full = tile_count(vector["set"])
    order = chance.order(tile(name) for name in NAMES[:full] if name != vector["engine_tile"])

    assert commitment(game_id, number, server_seed).hex() == vector["commitment"]
    assert chance.key.hex() == vector["key"]
    hands = [name for hand in vector["hands"] for name in hand]
    assert [NAMES[dealt] for dealt in order] == [*hands, *vector["boneyard"]]
    assert chance.lot_seat() == vector["lot_seat"]
    assert [[NAMES[drawn] for drawn in draw] for draw in chance.lot_tiles(full)] == vector["lot_tiles"]


@given(seeds=SEEDS, server_seed=st.binary(min_size=32, max_size=32), number=st.integers(1, 99))
def test_every_seed_of_every_seat_matters(seeds: list[bytes], server_seed: bytes, number: int) -> None:
    """Other seeds, another order of them, another round or another game: other chance; the same: the same."""
    key = Chance("g-1", number, server_seed, seeds).key
    others = [
        Chance("g-2", number, server_seed, seeds),
        Chance("g-1", number + 1, server_seed, seeds),
        Chance("g-1", number, bytes(255 - byte for byte in server_seed), seeds),
        Chance("g-1", number, server_seed, [*seeds, b""]),
        *(
            Chance("g-1", number, server_seed, [*seeds[:s], seeds[s] + b"\0", *seeds[s + 1 :]])
            for s in range(len(seeds))
        ),
    ]
    if seeds[0] != seeds[1]:
        others.append(Chance("g-1", number, server_seed, [seeds[1], seeds[0], *seeds[2:]]))

    assert key == Chance("g-1", number, server_seed, seeds).key
    assert key not in {other.key for other in others}


@given(m=st.integers(1, 200), words=st.lists(WORD, min_size=1))
def test_below_takes_whole_multiples_only(m: int, words: list[int]) -> None:
    """As many words lead to each answer: those above the last multiple of m lead to none."""
    accepted = [word for word in words if word < 2**32 - 2**32 % m]

    assert (2**32 - 2**32 % m) % m == 0
    assert _below(iter([*words, 0]), m) == (accepted[0] % m if accepted else 0)


@given(number=st.integers(0, 2**200), seats=st.integers(2, 8))
def test_a_lot_by_tiles_is_decided(number: int, seats: int) -> None:
    """R-19: whoever has most pips goes on, until one has them alone; every draw has different tiles."""
    tied = seats
    for draw in _chance(number, seats).lot_tiles(28):
        pips = [sum(PIPS[drawn]) for drawn in draw]

        assert tied == len(set(draw)) == len(draw) > 1
        tied = pips.count(max(pips))
    assert tied == 1


def test_chance_favours_no_seat_and_no_tile() -> None:
    """Every tile lies in every place, and every seat wins the lot, as often."""
    _hold_against_chi_square(DEALS)


def _hold_against_chi_square(deals: int) -> None:
    places: Counter[tuple[int, int]] = Counter()
    lots: Counter[int] = Counter()
    for number in range(deals):
        chance = _chance(number, 4)
        places.update(enumerate(chance.order(range(28))))
        lots[chance.lot_seat()] += 1

    # A permutation fixes its last row and column, so 27 × 27 cells are free of 28 × 28.
    assert _too_odd(places, deals / 28) * 27 / 28 < _bound(27 * 27)
    assert _too_odd(lots, deals / 4) < _bound(3)


def _too_odd(seen: Counter[tuple[int, int]] | Counter[int], expected: float) -> float:
    return sum((times - expected) ** 2 / expected for times in seen.values())


def _bound(freedom: int) -> float:
    """What chi-square does not exceed once in a million times."""
    return freedom + 5 * sqrt(2 * freedom) + 16


if __name__ == "__main__":
    _hold_against_chi_square(1_000_000)
    print("1,000,000 deals: no tile and no seat is favoured")
