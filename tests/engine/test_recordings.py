"""Recorded games: whatever else changes, these are played again event by event."""

from __future__ import annotations

import pytest

from capicua.engine import parse_record, replay
from kit.recordings import FOLDER, recordings, shows, texts, write


@pytest.mark.parametrize("name", recordings())
def test_the_game_is_played_again(name: str, pytestconfig: pytest.Config) -> None:
    """Given the plays of the record, every draw, pass, point and end is as it was; `--record` writes it first."""
    if pytestconfig.getoption("--record"):
        write(name)
    text = (FOLDER / f"{name}.txt").read_text()
    record = parse_record(text)
    again, events = texts(record)

    assert again == text
    assert events == (FOLDER / f"{name}.events").read_text()


@pytest.mark.parametrize("name", recordings())
def test_the_game_ends_as_its_name_says(name: str) -> None:
    """A recording is no example of something else."""
    key, _, ending = name.rpartition("-")
    record = parse_record((FOLDER / f"{name}.txt").read_text())

    assert record.variant.key == key
    assert shows(replay(record), ending, record.variant)


def test_every_variant_and_ending_is_recorded() -> None:
    """R-9, R-62 to R-68: no variant and no way to end goes unrecorded, and none is recorded that cannot be."""
    assert {path.name for path in FOLDER.iterdir()} == {
        f"{name}.{kind}" for name in recordings() for kind in ("txt", "events")
    }
