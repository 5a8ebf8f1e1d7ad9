"""A record that was tampered with is found out, and so is a server that shows one thing and records another."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capicua.api.v1.update_pb2 import Update
from capicua.client import NoRecord, Unfair, Witness, verify
from capicua.engine import NAMES, parse_record, print_record, tile_count
from capicua.store.memory_store import MemoryStore
from kit.actor import Actor

LOT = '{"opener": {"first": "lot_by_tile", "lead": "any", "next": "first_rule", "after_tie": "same"}}'
GAMES = [("draw", 3, LOT, 150), ("block_rounds", 2, "{}", 3), ("mexican_train", 3, "{}", 2), ("draw", 2, "{}", 150)]

DRAW = re.compile(r"\d\+\d-\d")


@cache
def _game(number: int) -> tuple[str, tuple[Update, ...]]:
    """The record of one of GAMES, and the updates that seat 0 saw of it; it gave a seed to each deal."""

    async def play() -> tuple[str, tuple[Update, ...]]:
        variant, seats, overrides, target = GAMES[number]
        actor = Actor(MemoryStore())
        game_id = await actor.start_awaiting({0}, variant, seats, target=target, overrides_json=overrides)
        eyes = actor.watch("p-0", game_id)
        rounds, moves = -1, 0
        while not eyes.over:
            view = await actor.view("", game_id)
            if view.round > rounds:
                rounds = view.round
                await actor.give_seed(0, game_id, b"seed %d" % (rounds + 1))
            moves += await actor.play(game_id, 1, first=moves)
        record = await actor.service.record(game_id)
        assert isinstance(record, str)
        return record, tuple(eyes.updates)

    return asyncio.run(play())


def _witness(number: int) -> Witness:
    witness, (record, updates) = Witness(), _game(number)
    witness.seat = 0
    for update in updates:
        witness.take(update)
    witness.seeds = {n: b"seed %d" % n for n in range(1, record.count("round ") + 1)}
    # The first commitment came with the view.
    return witness


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_an_honest_record_passes(number: int) -> None:
    """Given what happened, every deal was committed to and has the seat's own seed."""
    checked = verify(_game(number)[0], _witness(number))

    assert len(checked) > 1
    assert all(each.committed and each.own_seed and each.seats == (0,) for each in checked)
    assert all(each.seen for each in checked[1:])


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_a_record_with_seeds_is_printed_and_read(number: int) -> None:
    """parse(print(x)) == x, seeds included."""
    record = _game(number)[0]

    assert print_record(parse_record(record)) == record
    assert "seat-seeds" in record


@given(st.data())
def test_whatever_is_changed_of_a_deal_is_found(data: st.DataObject) -> None:
    """Another digit of a seed or commitment, another tile in a hand, a lot or the boneyard: its round is named."""
    number = data.draw(st.integers(0, len(GAMES) - 1))
    record = _game(number)[0]
    words = "commitment|server-seed|seat-seeds|engine-tile|lot|hand \\d|boneyard|game"
    spots = list(re.finditer(rf"^(?:{words}) .*$", record, re.MULTILINE))
    line = data.draw(st.sampled_from(spots))
    changed = _changed(data, line[0])
    tampered = record[: line.start()] + changed + record[line.end() :]
    number_of_round = len(re.findall(r"^round ", record[: line.start()], re.MULTILINE)) or 1

    with pytest.raises((Unfair, NoRecord)) as caught:
        verify(tampered)
    if isinstance(caught.value, Unfair):
        assert caught.value.round == number_of_round, (line[0], changed)


def _changed(data: st.DataObject, line: str) -> str:
    """The line with one letter of an id, digit of a seed, tile or count other than it was."""
    if line.startswith("game"):
        return line + "x"
    if line.startswith(("commitment", "server-seed", "seat-seeds")):
        start = line.index(" ") + 1
        at = data.draw(st.integers(start, len(line) - 1).filter(lambda at: line[at] in "0123456789abcdef"))
        return line[:at] + data.draw(st.sampled_from("0123456789abcdef".replace(line[at], ""))) + line[at + 1 :]
    tile = data.draw(st.sampled_from(list(re.finditer(r"\d+-\d+|\d+$", line))))
    if "-" not in tile[0]:
        return line[: tile.start()] + str(int(tile[0]) + 1)
    other = data.draw(st.sampled_from([name for name in NAMES[: tile_count(12)] if name != tile[0]]))
    return line[: tile.start()] + other + line[tile.end() :]


@pytest.mark.parametrize(
    ("line", "instead", "what"),
    [
        (r"opener (\d) lot", lambda found: f"opener {1 - int(found[1])} lot", "opener"),
        (r"(moves .*?:)\d-\d", r"\g<1>9-9", "move 1"),
        (r"hand 1", "end", "hands"),
    ],
)
def test_what_does_not_fit_is_named(line: str, instead: str | Callable[[re.Match[str]], str], what: str) -> None:
    """A seat that the lot did not fall on, a tile that nobody was dealt, a hand that is missing."""
    record = _game(3)[0]
    tampered = re.sub(line, instead, record, count=1)

    with pytest.raises(Unfair, match="round 1") as caught:
        verify(tampered)
    assert caught.value.event.startswith(what)


def test_draws_come_in_the_order_of_the_boneyard() -> None:
    """Given a draw of the tile that was due later, it is named."""
    record = _game(0)[0]
    first, second = next(draws for draws in map(DRAW.findall, record.split("\nround ")) if len(draws) > 1)[:2]
    tampered = record.replace(first, f"{first[:2]}{second[2:]}", 1)

    with pytest.raises(Unfair, match="boneyard"):
        verify(tampered)


@pytest.mark.parametrize("text", ["", "nothing", "seats 2", "variant {}", "variant {\nseats 2", "round 1\nhand 0 7"])
def test_what_is_no_record_is_said_to_be_none(text: str) -> None:
    """Text that cannot be read is neither fair nor unfair."""
    with pytest.raises(NoRecord):
        verify(text)


def _other_commitment(witness: Witness) -> None:
    witness.commitments[2] = bytes(32)


def _other_hand(witness: Witness) -> None:
    hand = witness.held[2][0]
    hand.add(next(tile for tile in range(28) if tile not in hand))


def _other_seeds(witness: Witness) -> None:
    witness.deals[2].seat_seeds[0] = b"other"


def _own_seed_left_out(witness: Witness) -> None:
    witness.seeds[2] = b"accepted"


def _other_opener(witness: Witness) -> None:
    witness.deals[2].opener += 1


@pytest.mark.parametrize(
    ("seen", "event"),
    [
        (_other_commitment, "commitment"),
        (_other_hand, "hand 0"),
        (_other_seeds, "seat-seeds"),
        (_own_seed_left_out, "seat-seeds"),
        (_other_opener, "opener"),
    ],
)
def test_a_record_of_another_game_than_was_seen_is_found(seen: Callable[[Witness], None], event: str) -> None:
    """A server may not show one commitment, seed, hand or opener and record another, however well that one fits."""
    witness = _witness(1)
    witness.deals = {n: type(deal).FromString(deal.SerializeToString()) for n, deal in witness.deals.items()}
    seen(witness)

    with pytest.raises(Unfair, match="round 2") as caught:
        verify(_game(1)[0], witness)
    assert caught.value.event == event


def test_a_seed_that_was_used_before_is_found() -> None:
    """A seat's seed that stood in an earlier deal was known to the server when it committed to its own."""
    record = _game(1)[0]
    first, second = re.findall(r"^seat-seeds .*$", record, re.MULTILINE)[:2]

    with pytest.raises(Unfair, match="round 2, seeds"):
        verify(record.replace(second, first))
