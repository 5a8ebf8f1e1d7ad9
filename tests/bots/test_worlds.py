"""Worlds agree with everything a seat has seen, and each is as likely as another."""

from __future__ import annotations

from collections import Counter
from itertools import islice, permutations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from capicua.bots import Knowledge
from capicua.bots.worlds import World, worlds
from capicua.cli.arena_round import Round, deal
from capicua.engine import VARIANTS, Variant
from capicua.engine.legal import Play
from capicua.engine.tiles import mask, tiles_in
from kit.games import playable

LINES = [(variant, seats) for variant, seats in playable() if variant.topology == "line"]


def played(variant: Variant, seats: int, seed: int) -> list[tuple[Knowledge, Round]]:
    """What each seat in turn knew in a round of random plays, with the round, which is over by now."""
    chance = Random(seed)
    current = Round(variant, seats, deal(variant, seats, chance))
    known = []

    def choose(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
        known.append((knowledge, current))
        return chance.choice(knowledge.legal)

    current.play([choose] * seats, chance)
    return known


def agrees(world: World, knowledge: Knowledge) -> bool:
    """Whether a world could be the truth, by a count that does not ask when which tile was drawn."""
    hands = list(world.hands)
    everywhere = [*hands, sum(1 << tile for tile in world.boneyard)]
    if sum(everywhere) != knowledge.hand | knowledge.hidden or hands[knowledge.seat] != knowledge.hand:
        return False
    if [hand.bit_count() for hand in hands] != list(knowledge.sizes):
        return False
    for number, stuck in enumerate(knowledge.stuck):
        drawn_since = sum(later.drawn for later in knowledge.stuck[number + 1 :] if later.seat == stuck.seat)
        # What was drawn last fits, and is to be played now.
        to_play = stuck.seat == knowledge.seat and stuck.after == len(knowledge.placements)
        if (hands[stuck.seat] & stuck.fits).bit_count() > drawn_since + to_play:
            return False
    return True


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(LINES), st.integers(0, 2**32))
def test_a_world_agrees_with_all_that_was_seen(game: tuple[Variant, int], seed: int) -> None:
    """R-56, R-57: a seat that drew or passed held no tile that fitted; tiles are conserved (I-9)."""
    for knowledge, _ in played(*game, seed)[::4]:
        for world in islice(worlds(knowledge, Random(seed)), 3):
            assert agrees(world, knowledge)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(LINES), st.integers(0, 2**32))
def test_nothing_is_known_that_is_not_true(game: tuple[Variant, int], seed: int) -> None:
    """What a seat takes for impossible is so: the true hands pass the same test as any world."""
    chance = Random(seed)
    variant, seats = game
    current = Round(variant, seats, deal(variant, seats, chance))

    def choose(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
        state = current.state
        assert agrees(World(state.hands, state.boneyard[state.drawn :]), knowledge)
        lead = knowledge.placements[0][1] if knowledge.placements else None
        assert lead is None or not any(knowledge.undealt >> tile & 1 for hand in state.held for tile in hand[:1])
        return chance.choice(knowledge.legal)

    current.play([choose] * seats, chance)


def every_world(knowledge: Knowledge) -> set[World]:
    """All ways to deal the hidden tiles of a game without a boneyard, by trying every order."""
    others = [seat for seat in range(knowledge.seats) if seat != knowledge.seat]
    found = set()
    for order in permutations(tiles_in(knowledge.hidden)):
        hands, left = [0] * knowledge.seats, iter(order)
        hands[knowledge.seat] = knowledge.hand
        for seat in others:
            hands[seat] = mask(islice(left, knowledge.sizes[seat]))
        found.add(World(tuple(hands), ()))
    return {world for world in found if agrees(world, knowledge)}


def test_every_world_is_as_likely_as_another() -> None:
    """Late in a round the few worlds that are left are all met, and about equally often."""
    late = [
        knowledge
        for seed in range(12)
        for knowledge, _ in played(VARIANTS["partners_100"], 4, seed)
        if 4 <= knowledge.hidden.bit_count() <= 6 and len(knowledge.stuck) > 2
    ]
    assert len(late) > 5
    for knowledge in late:
        met = Counter(islice(worlds(knowledge, Random(1)), 4000))
        expected = met.total() / len(met)
        assert met.keys() == every_world(knowledge)
        assert all(0.5 * expected < times < 2 * expected for times in met.values())
