"""Recorded games: for each variant and each way its games can end, a short game as text and all its events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from capicua.engine import (
    NAMES,
    VARIANTS,
    Event,
    GameEnded,
    RoundEnded,
    RoundStarted,
    Variant,
    print_record,
    record_of,
    replay,
)
from capicua.engine.notation import Record
from kit.games import random_game

FOLDER = Path(__file__).parents[1] / "engine" / "games"
NAMES_OF_PLAYERS = ("Ana", "Bruno", "Carla", "Dario", "Elena", "Felix", "Greta", "Hugo")
CHOICE = 10
"""Games to choose the shortest of."""
SMALL_TARGETS = {"at_least": 30, "exact": 21, "shutout": 2, "rounds_lowest": 2}
"""Targets that short games meet."""
_IN_THE_RECORD = {"hands", "boneyard", "lot", "deadline_ms"}
"""Or not of the game: replayed games have no clock."""
_TILES = {"forced_lead", "engine_tile", "tile", "revealed"}


def endings(variant: Variant) -> tuple[str, ...]:
    """What can end a game of a variant, or happen on the way to it.

    `domino`, `block`, `target`: how its last round ends (R-9, R-62). `unwon`: a round that nobody wins (R-25 to R-29).
    `extra`: equal scores at the target (R-65, R-68, R-81). `reset`: a win that only takes points away (R-67).
    """
    trains, kind = variant.topology == "trains", variant.target.kind
    possible = {
        "domino": True,
        "block": trains or variant.block_winner != "none",
        "target": variant.target.check == "immediate",
        "unwon": variant.block_winner not in ("leader", "last_mover"),
        "extra": trains or (bool(variant.in_play.divisors) and variant.target.check == "round_end"),
        "reset": kind == "shutout",
    }
    return tuple(ending for ending, can_be in possible.items() if can_be)


def recordings() -> list[str]:
    """The names of all recordings that there must be: variant and ending."""
    return [f"{key}-{ending}" for key, variant in VARIANTS.items() for ending in endings(variant)]


def shows(events: Sequence[Event], ending: str, variant: Variant) -> bool:
    """Whether a finished game is an example of an ending."""
    ends = [event for event in events if isinstance(event, RoundEnded)]
    if not isinstance(events[-1], GameEnded):
        return False
    match ending:
        case "unwon":
            return any(end.winner_side is None and end.reason == "block" for end in ends)
        case "extra":
            return any(_equal_at_target(end, number, variant) for number, end in enumerate(ends, start=1))
        case "reset":
            return any(end.reset for end in ends)
        case _:
            return ends[-1].reason == ending


def _equal_at_target(end: RoundEnded, number: int, variant: Variant) -> bool:
    target = variant.target.value[len(end.hand_pips)]
    if variant.target.kind == "rounds_lowest":
        return number >= target and end.scores.count(min(end.scores)) > 1
    return max(end.scores) >= target and end.scores.count(max(end.scores)) > 1


def write(name: str) -> None:
    """Record a game again: a change of the rules on purpose."""
    record, events = texts(make(name))
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.txt").write_text(record)
    (FOLDER / f"{name}.events").write_text(events)


def make(name: str) -> Record:
    """The shortest of some random games that show what `name` says, with a small target."""
    key, _, ending = name.rpartition("-")
    variant = VARIANTS[key]
    target = variant.target
    small = {seats: min(value, SMALL_TARGETS[target.kind]) for seats, value in target.value.items()}
    variant = replace(variant, target=replace(target, value=small))
    shortest = min(islice(_showing(variant, ending), CHOICE), key=len)
    return record_of(shortest, NAMES_OF_PLAYERS[: _seats(shortest)])


def _seats(events: Sequence[Event]) -> int:
    return next(len(event.hands) for event in events if isinstance(event, RoundStarted))


def _showing(variant: Variant, ending: str) -> Iterator[list[Event]]:
    for seed in range(100_000):
        seats = variant.seats[seed % len(variant.seats)]
        events = [event for event, _ in random_game(variant, seats, seed, rounds=12)]
        if shows(events, ending, variant):
            yield events


def texts(record: Record) -> tuple[str, str]:
    """The record as text, and every event of its game, one a line, with all that it says and the record does not."""
    return print_record(record), "".join(f"{_told(event)}\n" for event in replay(record)[1:])


def _told(event: Event) -> str:
    words = [type(event).__name__]
    for field in msgspec.structs.fields(event):
        value = getattr(event, field.name)
        if field.name not in _IN_THE_RECORD and value != field.default:
            told = _named(value) if field.name in _TILES else value
            words.append(f"{field.name}={told if isinstance(told, str) else msgspec.json.encode(told).decode()}")
    return " ".join(words)


def _named(tiles: Any) -> Any:
    if isinstance(tiles, int):
        return NAMES[tiles]
    return tiles and [_named(tile) for tile in tiles]
