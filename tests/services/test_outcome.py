"""Which games are rated, and what they say of their players: the policy of docs/ratings.md."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capicua.engine import VARIANTS
from capicua.game_actor.history import fold
from capicua.game_actor.outcome import Contender, Outcome, family_of, outcome_of
from capicua.game_actor.rater import rated
from capicua.log.v1 import entry_pb2 as log
from capicua.store.archive import Entries
from capicua.store.ratings import FAMILIES, Rating
from kit.rated import a_log


def outcome(stored: Entries) -> Outcome | None:
    """What a log says."""
    return asyncio.run(outcome_of("g-1", stored))


def test_every_variant_has_a_family() -> None:
    """By its parameters, so that a variant added later has one; no family is empty."""
    families = {key: family_of(variant, variant.seats[0]) for key, variant in VARIANTS.items()}

    assert families == {
        "block_rounds": "block",
        "block": "block",
        "draw": "draw",
        "draw_hoyle": "draw",
        "all_fives": "fives",
        "muggins": "fives",
        "fives_four_way": "fives",
        "fives_and_threes": "fives",
        "draw_lowest": "draw",
        "draw_last_mover": "draw",
        "draw_100": "draw",
        "partners_100": "partners",
        "partners_200": "partners",
        "jamaican_partner": "partners",
        "cuban_double_nine": "partners",
        "mexican_train": "trains",
    }
    assert set(families.values()) == set(FAMILIES)


@pytest.mark.parametrize(
    ("stored", "counts"),
    [
        (a_log(["a", "b"]), True),
        (a_log(["a", "b", "bot-1", "bot-2"]), True),
        (a_log(["a", "bot-1"]), False),
        (a_log(["bot-1", "bot-2"]), False),
        (a_log(["a", "b"], public=False), False),
        (a_log(["a", "b"], overrides_json='{"set":9}'), False),
        (a_log(["a", "b"], away={1}), False),
        (a_log(["a", "b", "c"], away={1}), True),
        (a_log(["a", "bot-1", "b", "bot-2"], variant="partners_200"), False),
        (a_log(["a", "b", "bot-1", "bot-2"], variant="partners_200"), True),
        (a_log(["a", "b", "c", "d"], variant="partners_200", away={0, 2}), False),
        (a_log(["a", "b", "c", "d"], variant="partners_200", away={0, 1}), True),
        (a_log(["a", "b"], quits=[0]), True),
        (a_log(["a", "b"], away={0}, quits=[0]), True),
        (a_log(["a", "b"], away={1}, quits=[0]), False),
        (a_log(["a", "bot-1"], quits=[0]), False),
        (a_log(["a", "b"])[:0], False),
    ],
)
def test_a_rated_game_has_people_of_two_sides_who_played(stored: Entries, counts: bool) -> None:
    """Public, by a variant as it is, and contested: whoever never plays gives nothing away, and wins nothing."""
    assert (outcome(stored) is not None) == counts


def test_a_game_that_was_not_finished_is_not_rated() -> None:
    """A log without its end says nothing of who would have won."""
    stored = a_log(["a", "b"])
    whole = outcome(stored)
    cut = log.Entry.FromString(stored[0][1])
    del cut.events[-1]

    assert whole is not None
    assert outcome([(1, cut.SerializeToString())]) is None


@pytest.mark.parametrize("variant", ["block", "draw", "all_fives", "mexican_train"])
@pytest.mark.parametrize("seed", range(5))
def test_the_winner_is_first_and_scores_place_the_others(variant: str, seed: int) -> None:
    """Equal scores are equal places; in the train the fewest pips are best."""
    stored = a_log(["a", "b", "c"], variant=variant, seed=seed)
    found, state = outcome(stored), asyncio.run(fold(stored)).state

    assert found is not None
    assert [side for side, place in enumerate(found.places) if place == 0] == [state.standing.winner_side]
    sign = -1 if variant == "mexican_train" else 1
    others = [side for side in range(3) if side != state.standing.winner_side]
    for one in others:
        for other in others:
            better = sign * (state.scores[one] - state.scores[other]) > 0
            assert (found.places[one] < found.places[other]) == better


@pytest.mark.parametrize("variant", ["block", "draw", "all_fives", "mexican_train"])
@pytest.mark.parametrize("quits", [[0], [1], [2, 0], [0, 1, 2]])
def test_who_quits_is_last_and_who_quit_first_is_the_very_last(variant: str, quits: list[int]) -> None:
    """Whatever the bots do with the seats; those who stayed are placed as if they had played alone."""
    found, plain = (outcome(a_log(["a", "b", "c"], variant=variant, quits=who)) for who in (quits, []))

    assert found is not None
    assert plain is not None
    by_place = sorted(range(3), key=lambda side: found.places[side])
    assert by_place[3 - len(quits) :] == quits[::-1]
    stayed = [side for side in range(3) if side not in quits]
    for one in stayed:
        for other in stayed:
            assert (found.places[one] < found.places[other]) == (plain.places[one] < plain.places[other])
    assert found.left == frozenset()


@given(st.integers(0, 3), st.permutations(range(4)), st.integers(1, 4))
@settings(max_examples=30)
def test_nobody_gets_ahead_by_quitting(seed: int, order: list[int], number: int) -> None:
    """Whoever quits next is ahead of no side that would have been ahead had they stayed to the same end."""
    quits = order[:number]
    stays, leaves = (
        outcome(a_log(["a", "b", "c", "d"], variant="draw", seed=seed, quits=q)) for q in (quits[:-1], quits)
    )

    assert stays is not None
    assert leaves is not None
    own = quits[-1]
    for other in range(4):
        assert leaves.places[own] >= leaves.places[other] or stays.places[own] <= stays.places[other]
        assert (leaves.places[own] > leaves.places[other]) == (other not in quits)


def test_a_partner_who_stays_is_not_punished() -> None:
    """Given a pair of which one quits: the other three get what the game gave, the one who left a defeat."""
    for quitter in range(4):
        whole, left = (
            outcome(a_log(["a", "b", "c", "d"], variant="partners_200", quits=who)) for who in ([], [quitter])
        )
        assert whole is not None
        assert left is not None
        before, after = rated(whole, {}), rated(left, {})
        who = "abcd"[quitter]
        assert {other: after[other] for other in "abcd" if other != who} == {o: before[o] for o in "abcd" if o != who}
        assert after[who].mu < 25
        assert after[who].games == 1


def test_a_pair_that_has_left_has_lost() -> None:
    """Given both of a pair quit, the other pair has won, whatever the bots do."""
    for gone, places in (([0, 2], (1, 0)), ([3, 1], (0, 1)), ([1, 0, 3, 2], (0, 1))):
        found = outcome(a_log(["a", "b", "c", "d"], variant="partners_200", quits=gone))
        assert found is not None
        assert (found.places, found.left) == (places, frozenset())


def game(places: tuple[int, ...], *sides: str) -> Outcome:
    """A game whose sides are written as "ab": one letter a player, upper case for bots."""
    seats = tuple(tuple(Contender(who, who.upper(), who.isupper()) for who in side) for side in sides)
    return Outcome("g-1", "block", 0, seats, places)


def test_who_wins_rises_and_equal_places_move_alike() -> None:
    """From the same rating; nobody is more uncertain after a game than before, and names are those of now."""
    after = rated(game((0, 1, 1), "a", "b", "c"), {"b": Rating(name="Old name")})

    assert after["a"].mu > 25 > after["b"].mu == after["c"].mu
    assert after["b"].sigma == after["c"].sigma < Rating().sigma
    assert [(rating.name, rating.games) for rating in after.values()] == [("A", 1), ("B", 1), ("C", 1)]


def test_pairs_are_rated_together() -> None:
    """Partners with the same rating move alike; a strong partner makes a win worth less."""
    held = {"c": Rating(40.0, 2.0), "a": Rating(25.0, 2.0)}
    alone = rated(game((0, 1), "ab", "de"), {})
    carried = rated(game((0, 1), "cb", "de"), held)

    assert alone["a"] == Rating(alone["b"].mu, alone["b"].sigma, 1, "A")
    assert alone["a"].mu > 25 > alone["d"].mu == alone["e"].mu
    assert 25 < carried["b"].mu < alone["b"].mu


def test_bots_are_opponents_whose_rating_stands_still() -> None:
    """They are in the reckoning and have no rating of their own."""
    with_bot = rated(game((1, 2, 0), "a", "b", "X"), {})
    without = rated(game((0, 1), "a", "b"), {})

    assert with_bot.keys() == {"a", "b"}
    assert with_bot["a"].mu < without["a"].mu
