"""Notation parses what it prints, for tiles, layouts and whole games of every variant."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from capicua.engine import (
    VARIANTS,
    ClockRestored,
    Event,
    NotationError,
    RoundStarted,
    TurnStarted,
    Variant,
    parse_record,
    print_record,
    record_of,
    replay,
)
from capicua.engine.notation import empty_layout, parse_layout, parse_tiles, print_layout, print_tiles
from kit.games import GAMES, random_game

Game = tuple[tuple[Variant, int], int]
NAMES = ("Ana", "Beto María", "שרה", "Божидар", "E", "F", "G", "H")


def _without_times(events: tuple[Event, ...] | list[Event]) -> list[Event]:
    return [
        replace(event, deadline_ms=0) if isinstance(event, TurnStarted | ClockRestored) else event for event in events
    ]


@given(GAMES)
@settings(max_examples=40)
def test_a_record_says_the_whole_game(game: Game) -> None:
    """parse(print(x)) == x, and the rules make the same events of it, apart from the clock."""
    (variant, seats), seed = game
    events = [event for event, _ in random_game(variant, seats, seed, rounds=2)]
    record = record_of(events, NAMES[:seats])
    read = parse_record(print_record(record))

    assert read == record
    # Tiles that nobody drew are not told, so their order is all that may differ.
    assert [e for e in _without_times(replay(read)) if not hasattr(e, "boneyard")] == [
        e for e in _without_times(events) if not hasattr(e, "boneyard")
    ]


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


def test_tiles_are_written_high_first() -> None:
    """R-1: "a-b" with a ≥ b, and nothing else."""
    assert print_tiles(parse_tiles("6-4 0-0 12-12")) == "6-4 0-0 12-12"
    for bad in ("4-6", "13-0", "6", "6-4-2", "x"):
        with pytest.raises(NotationError, match="no tile"):
            parse_tiles(bad)
