"""Bytes that were stored once are read for ever: one sample of every kind of event, as version 1 wrote it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from capicua.engine import VARIANTS, ClockRestored, Event, to_json
from capicua.game_actor import log_codec
from capicua.log.v1 import entry_pb2 as log
from kit.games import random_game

SAMPLES = Path(__file__).parent / "stored_v1"


def _sample_events() -> list[Event]:
    """Games of pairs and of trains, and a clock given back: every kind of event."""
    events = [event for event, _ in random_game(VARIANTS["partners_200"], 4, 3, rounds=40)]
    events += [event for event, _ in random_game(VARIANTS["mexican_train"], 3, 3, rounds=1)]
    return [*events, ClockRestored(1_700_000_000_000)]


def record() -> None:
    """Write the samples; run by hand when a version adds a kind of event, never to change old ones."""
    SAMPLES.mkdir(exist_ok=True)
    seen = set()
    facts = log.GameStarted(variant="draw", parameters_json=to_json(VARIANTS["draw"]), seats=2, turn_ms=30_000)
    facts.players.add(player_id="p-1", name="Ana")
    facts.players.add(player_id="bot-x", name="Beto", bot=True)
    for event in _sample_events():
        data = log_codec.entry_bytes(facts, [event], epoch=1, time_ms=1_700_000_000_000, request_id="r", seat=1)
        stored = log.Entry.FromString(data).events[0]
        kind = stored.WhichOneof("event")
        assert kind is not None
        seen.add(kind)
        (SAMPLES / f"{kind}.bin").write_bytes(data)
    assert len(seen) == len(log.Event.DESCRIPTOR.fields)


@pytest.mark.parametrize("kind", [field.name for field in log.Event.DESCRIPTOR.fields])
def test_version_1_is_still_read(kind: str) -> None:
    """Every sample decodes to an event of the engine, and its bytes are what would be written today."""
    data = (SAMPLES / f"{kind}.bin").read_bytes()
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

    assert [stored.WhichOneof("event") for stored in entry.events] == [kind]
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
