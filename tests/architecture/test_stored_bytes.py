"""Bytes that were stored once are read for ever: samples of every kind of event, as version 1 wrote them.

Kinds that gained fields have a second sample, which says in its name of what.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from capicua.engine import (
    VARIANTS,
    Bot,
    ClockRestored,
    Event,
    GameStarted,
    RoundStarted,
    Seal,
    SeatQuit,
    SeedGiven,
    to_json,
)
from capicua.game_actor import log_codec
from capicua.log.v1 import entry_pb2 as log
from kit.games import random_game

SAMPLES = Path(__file__).parent / "stored_v1"


def _events() -> list[Event]:
    """Games of pairs and of trains, a clock given back, a seed and a seat left: every kind of event."""
    events = [event for event, _ in random_game(VARIANTS["partners_200"], 4, 3, rounds=40)]
    events += [event for event, _ in random_game(VARIANTS["mexican_train"], 3, 3, rounds=1)]
    restored, left = ClockRestored(1_700_000_000_000), SeatQuit(1, Bot("bot-x", "Beto"))
    return [*events, restored, SeedGiven(1, b"a seed of a seat"), left]


def record() -> None:
    """Write the samples that are missing; run by hand when a version adds to the events."""
    facts = log.GameStarted(variant="draw", parameters_json=to_json(VARIANTS["draw"]), seats=2, turn_ms=30_000)
    facts.players.add(player_id="p-1", name="Ana")
    facts.players.add(player_id="bot-x", name="Beto", bot=True)
    for event in _events():
        _write(facts, event, "")
    seal = Seal(bytes(range(32)), bytes(range(32, 64)))
    sealed = log.GameStarted(seal=log_codec.stored_seal(seal), awaited=[1], deadline_ms=1_700_000_003_000)
    facts.MergeFrom(sealed)
    for event in _events():
        if isinstance(event, RoundStarted):
            seeds = (b"a seed of a seat", *[b""] * (len(event.hands) - 1))
            _write(facts, replace(event, seat_seeds=seeds, next_seal=seal), "_sealed")
        elif isinstance(event, GameStarted):
            _write(facts, event, "_sealed")


def _write(facts: log.GameStarted, event: Event, added: str) -> None:
    data = log_codec.entry_bytes(facts, [event], epoch=1, time_ms=1_700_000_000_000, request_id="r", seat=1)
    path = SAMPLES / f"{log.Entry.FromString(data).events[0].WhichOneof('event')}{added}.bin"
    if not path.exists():
        path.write_bytes(data)


def test_every_kind_has_a_sample() -> None:
    """No kind of event is stored before its bytes are kept here."""
    assert {field.name for field in log.Event.DESCRIPTOR.fields} <= {path.stem for path in SAMPLES.glob("*.bin")}


@pytest.mark.parametrize("name", sorted(path.stem for path in SAMPLES.glob("*.bin")))
def test_version_1_is_still_read(name: str) -> None:
    """Every sample decodes to an event of the engine, and its bytes are what would be written today."""
    data = (SAMPLES / f"{name}.bin").read_bytes()
    entry = log.Entry.FromString(data)
    events = [log_codec.decode(stored) for stored in entry.events]
    facts = entry.events[0].game_started
    again = log_codec.entry_bytes(
        facts,
        events,
        epoch=entry.epoch,
        time_ms=entry.time_ms,
        request_id=entry.request_id,
        seat=entry.seat if entry.HasField("seat") else None,
    )

    assert [name.removesuffix("_sealed")] == [stored.WhichOneof("event") for stored in entry.events]
    assert again == data


def test_an_unknown_kind_stops_the_reader() -> None:
    """An event of a newer version is never skipped: the state would be wrong from there on."""
    chance = random.Random(1)
    for _ in range(20):
        unknown = log.Event.FromString(bytes([0xFA, 0x07, 0x01, chance.randrange(256)]))
        with pytest.raises(log_codec.UnknownEvent):
            log_codec.decode(unknown)


if __name__ == "__main__":
    record()
