"""How well the lie of the tiles explains what was played."""

from __future__ import annotations

from random import Random
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capicua.bots import Knowledge
from capicua.bots.levels import LEVELS, Choose
from capicua.bots.likelihood import Chosen, chosen, likelihood
from capicua.bots.outlook import worth_shed
from capicua.bots.worlds import World
from capicua.cli.arena_round import Round, deal
from capicua.engine import GameState, Variant, build, tile_count
from capicua.engine.legal import Play
from capicua.engine.tiles import tiles_in

Moment = tuple[Knowledge, GameState]


def variant(key: str, **overrides: object) -> Variant:
    """A variant of the family."""
    built = build(key, overrides)
    assert isinstance(built, Variant), built
    return built


LINES = [
    (variant("block"), 2),
    (variant("block", set=12), 2),
    (variant("draw"), 2),
    (variant("draw", set=12), 2),
    (variant("partners_100"), 4),
    (variant("partners_100", set=12), 4),
    (variant("cuban_double_nine"), 4),
]


def played(rules: Variant, seats: int, seed: int, levels: tuple[str, ...]) -> list[Moment]:
    """Every moment of a round at which a seat was to act: what it knew, and how things were."""
    chance, moments = Random(seed), list[Moment]()
    current = Round(rules, seats, deal(rules, seats, chance))

    def watched(choose: Choose) -> Choose:
        def remembered(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
            moments.append((knowledge, current.state))
            return choose(knowledge, chance, seconds)

        return remembered

    current.play([watched(LEVELS[levels[seat % len(levels)]]) for seat in range(seats)], chance)
    return moments


def truth(state: GameState) -> World:
    """The world as it is."""
    return World(state.hands, state.boneyard[state.drawn :])


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(LINES), st.integers(0, 2**32))
def test_a_play_is_judged_by_how_things_were_then(game: tuple[Variant, int], seed: int) -> None:
    """No tile that was held then is left out, none is added where nobody draws, and sizes are those of the moment."""
    rules, seats = game
    moments = played(rules, seats, seed, ("easy",))
    last, end = moments[-1]
    then = {len(knowledge.placements): state for knowledge, state in moments}
    for seat, plays in chosen(last).items():
        by_layout = {made.unlaid.bit_count(): made for made in plays}
        for laid, state in then.items():
            made = by_layout.get(last.hand.bit_count() + last.hidden.bit_count() + len(last.placements) - laid)
            if made is None or state.turn != seat or laid == len(last.placements):
                continue
            held = (end.hands[seat] | made.later) & ~made.came
            assert held & state.hands[seat] == state.hands[seat]
            assert rules.draw.policy != "none" or held == state.hands[seat]
            assert [size for _, size in made.others] == [
                state.hands[(seat + turns) % seats].bit_count() for turns in range(1, seats)
            ]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(LINES), st.integers(0, 2**32))
def test_one_of_the_plays_that_could_be_made_was_made(game: tuple[Variant, int], seed: int) -> None:
    """For each kind of player the shares of all plays come to one."""
    last, end = played(*game, seed, ("easy",))[-1]
    shed = worth_shed(last)
    for seat, plays in chosen(last).items():
        for made in plays:
            options = (end.hands[seat] | made.later) & ~made.came & made.fits
            instead = [Chosen(tile, fitting, *made[2:]) for tile in tiles_in(options) for fitting in made.ways[tile]]
            shares = [likelihood({seat: [play]}, truth(end), shed)[0] for play in instead]
            assert sum(shares) == pytest.approx(likelihood({seat: []}, truth(end), shed)[0])


@pytest.mark.parametrize(
    ("rules", "seats"), [(variant("block"), 2), (variant("draw"), 2), (variant("partners_100"), 4)]
)
def test_those_who_think_are_told_from_those_who_do_not(rules: Variant, seats: int) -> None:
    """Given rounds of clever and of greedy players, the tiles as they lie tell in most of them who is who."""
    thoughtful: dict[str, list[float]] = {"clever": [], "greedy": [], "easy": []}
    for level, found in thoughtful.items():
        for seed in range(30):
            last, end = played(rules, seats, seed, (level,))[-1]
            _, manners = likelihood(chosen(last), truth(end), worth_shed(last))
            found += [manner.thoughtful for manner in manners.values()]

    assert mean(thoughtful["clever"]) > 0.65
    assert mean(thoughtful["greedy"]) < 0.25
    assert mean(thoughtful["easy"]) < 0.35


@pytest.mark.parametrize(("rules", "seats"), [(variant("partners_100"), 4), (variant("partners_100", set=12), 4)])
def test_a_lead_that_had_to_be_tells_nothing(rules: Variant, seats: int) -> None:
    """R-16: the highest double opens the first round by itself."""
    for seed in range(10):
        for knowledge, _ in played(rules, seats, seed, ("easy",)):
            for plays in chosen(knowledge).values():
                assert all(made.unlaid.bit_count() < tile_count(rules.set) for made in plays)
