"""Notation parses what it prints, for tiles, layouts and whole games of every variant."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from capicua.engine import (
    VARIANTS,
    ClockRestored,
    Command,
    Event,
    ExpireTurn,
    GameStarted,
    NotationError,
    RoundEnded,
    RoundStarted,
    TurnStarted,
    Variant,
    decide,
    fold,
    parse_record,
    print_record,
    record_of,
    replay,
    to_json,
)
from capicua.engine.notation import empty_layout, parse_layout, parse_tiles, print_layout, print_tiles
from kit.games import GAMES, deal, random_game

Game = tuple[tuple[Variant, int], int]
NAMES = ("Ana", "Beto María", "שרה", "Божидар", "E", "F", "G", "H")


def _told(events: Iterable[Event]) -> list[Event]:
    """What a record tells: no times, and of the tiles that nobody drew (R-142) only how many there were."""
    told: list[Event] = []
    for event in events:
        match event:
            case TurnStarted() | ClockRestored():
                told.append(replace(event, deadline_ms=0))
            case RoundStarted():
                told.append(replace(event, boneyard=(0,) * len(event.boneyard)))
            case _:
                told.append(event)
    return told


@given(GAMES)
@settings(max_examples=40)
def test_a_record_says_the_whole_game(game: Game) -> None:
    """parse(print(x)) == x, and the rules make the same events of it, apart from the clock."""
    (variant, seats), seed = game
    events = [event for event, _ in random_game(variant, seats, seed, rounds=2)]
    record = record_of(events, NAMES[:seats])
    read = parse_record(print_record(record))

    assert read == record
    assert _told(replay(read)) == _told(events)


@given(GAMES)
@settings(max_examples=40)
def test_a_layout_is_laid_again_from_its_plays(game: Game) -> None:
    """Arms, spinner and trains follow from the plays in order."""
    (variant, seats), seed = game
    for _, state in random_game(variant, seats, seed, rounds=1):
        if state.layout is not None:
            empty = empty_layout(variant, seats, state.engine_tile)
            assert parse_layout(print_layout(state.layout), empty) == state.layout


def test_undrawn_tiles_are_never_told() -> None:
    """R-142: of the boneyard a record names what was drawn, and how many were not."""
    events = [event for event, _ in random_game(VARIANTS["block"], 2, 5, rounds=1)]
    text = print_record(record_of(events, ["Ana", "Beto"]))
    dealt = next(event for event in events if isinstance(event, RoundStarted))

    assert "boneyard ?x14" in text
    assert print_tiles(dealt.boneyard[:3]) not in text


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("variant {", "variant ["), "line 1"),
        (("seats 2", "seats two"), "line 2"),
        (("player 1", "player 2"), "due, 1"),
        (("round 1", "round 2"), "due, 1"),
        (("round 1", ""), "no round has begun"),
        (("opener ", "end "), "without its opener"),
        (("hand 1", "hand 0"), "due, 1"),
        (("hand 0", "hands 0"), "'hands' begins no line"),
        (("boneyard", "boneyard 9-"), "no tile"),
        (("moves ", "moves 5?"), "no play"),
    ],
)
def test_what_is_no_record_is_named_by_its_line(change: tuple[str, str], complaint: str) -> None:
    """A mistake in the text says where it is and what it is."""
    events = [event for event, _ in random_game(VARIANTS["block"], 2, 5, rounds=1)]
    text = print_record(record_of(events, ["Ana", "Beto"]))
    with pytest.raises(NotationError, match="line") as caught:
        parse_record(text.replace(*change))

    assert complaint in str(caught.value)


def test_a_forbidden_play_is_named() -> None:
    """A record that the rules refuse is no game."""
    events = [event for event, _ in random_game(VARIANTS["block"], 2, 5, rounds=1)]
    record = record_of(events, ["Ana", "Beto"])
    first = record.rounds[0].plays[0]
    wrong = replace(record, rounds=(replace(record.rounds[0], plays=((1 - first[0], *first[1:]),)),))
    with pytest.raises(NotationError, match="refuse"):
        replay(wrong)


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        (("opener 1 lot", "opener 1 rotate"), "found by lot"),
        (("opener 1 lot", "opener 1 lot\nlot 6-4 5-5"), "its `lot`"),
        (("?x11", "?x10"), "its `undrawn`"),
        (("5-2 4-4 2-0 ?x11", "5-2 4-4 2-0 6-6 ?x10"), "its `drawn`"),
        (("0:5-1@R", "0:5-1@R!"), "0:5-3@R"),
        (("1:2-1@-", "1:3-3@-"), "0:5-1@R"),
    ],
)
def test_what_does_not_follow_from_the_rest_is_named(change: tuple[str, str], fact: str) -> None:
    """A record says some facts twice; they must agree."""
    wrong = parse_record(_documented().replace(*change))
    with pytest.raises(NotationError, match=f"round 1.*{re.escape(fact)}"):
        replay(wrong)


def test_turns_that_expired_are_played_again_by_the_server() -> None:
    """R-79: the record marks them, and the rules choose the same tiles."""
    _, state = next(iter(random_game(VARIANTS["draw"], 2, 1)))
    events: list[Event] = [GameStarted(VARIANTS["draw"], 2, 30_000)]
    command: Command = deal(state, random.Random(1))
    while not isinstance(events[-1], RoundEnded):
        made = decide(state, command, 0)
        assert isinstance(made, tuple)
        events += made
        folded = fold(made, state)
        assert folded is not None
        state, command = folded, ExpireTurn()
    record = record_of(events, NAMES[:2])
    plays = record.rounds[0].plays

    assert all(expired for *_, expired in plays)
    assert print_record(record).count("!") == len(plays)
    assert _told(replay(parse_record(print_record(record)))) == _told(events)


def test_a_name_cannot_write_lines_of_its_own() -> None:
    """A name is one line, whatever a player calls itself."""
    events = [event for event, _ in random_game(VARIANTS["block"], 2, 5, rounds=1)]
    record = record_of(events, ["Ana\nseats 4", " B\u2028\x85C "])

    assert record.players == ("Ana seats 4", "B C")
    assert parse_record(print_record(record)) == record


def _documented() -> str:
    """The record of the documentation, its variant written out."""
    text = (Path(__file__).parents[2] / "docs" / "notation.md").read_text()
    record = next(block for block in re.findall(r"```\n(.*?)```", text, re.DOTALL) if block.startswith("variant"))
    return re.sub(r"\{.*\}", to_json(VARIANTS["draw"]).decode(), record)


def test_the_documented_record_is_one() -> None:
    """What the documentation shows is printed by a game of today."""
    assert print_record(parse_record(_documented())) == _documented()


def test_a_layout_is_no_heap_of_tiles() -> None:
    """R-48: a tile that fits nowhere is named."""
    empty = empty_layout(VARIANTS["block"], 2)

    assert print_layout(parse_layout("0:6-6@- 1:6-4@R 2:6-1@L", empty)) == "0:6-6@- 1:6-4@R 2:6-1@L"
    for wrong in ("0:6-6@L", "0:6-6@- 1:5-4@R", "0:6-6@- 1:6-4@U", "0:6-6@- 1:6-4@-", "0:6-6@- *1", "6-6"):
        with pytest.raises(NotationError, match=re.escape(wrong.split()[-1])):
            parse_layout(wrong, empty)


def test_tiles_are_written_high_first() -> None:
    """R-1: "a-b" with a ≥ b, and nothing else."""
    assert print_tiles(parse_tiles("6-4 0-0 12-12")) == "6-4 0-0 12-12"
    for bad in ("4-6", "13-0", "6", "6-4-2", "x"):
        with pytest.raises(NotationError, match="no tile"):
            parse_tiles(bad)
