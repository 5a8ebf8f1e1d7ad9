"""A finished game is seen again, moment by moment and from every seat."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from capicua.cli.main import main
from capicua.tui.recording import Recording
from capicua.tui.replay_app import ReplayApp
from capicua.tui.replay_help import ReplayHelp
from capicua.tui.replay_screen import ReplayScreen
from kit.tables import AppAt, shown

NAMES = ("Ana", "Bruno", "Carla", "דוד", "Elena", "Fidel", "Gloria", "Hugo")
GAMES = Path(__file__).parents[1] / "engine" / "games"
RECORDS = sorted(GAMES.glob("*.txt"))


@pytest.mark.parametrize("path", RECORDS[::6], ids=lambda path: path.stem)
def test_a_seat_is_shown_what_it_knew_and_no_more(path: Path) -> None:
    """In a replay from a seat no other hand is seen (R-143), and all hands together are all that was dealt."""
    recording = Recording(path.read_text())

    for moment in range(0, len(recording), 5):
        hands = recording.hands(moment)
        for seat in range(recording.facts.seats):
            view = recording.view(moment, seat)
            assert list(view.hand) == list(hands.get(seat, ()))
        assert not recording.view(moment, None).hand
        assert [len(held) for held in hands.values()] == list(recording.view(moment, None).hand_sizes) or not hands


async def test_a_replay_is_walked_by_keys(tmp_path: Path) -> None:
    """Steps, rounds, the end, and whose knowledge is shown; it runs and stops."""
    record = (GAMES / "mexican_train-domino.txt").read_text()
    page = ReplayScreen(record, tmp_path)

    async with AppAt(tmp_path, page).run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "right", "right")
        assert "Step 4 of" in shown(pilot, "prompt")
        assert "all hands" in shown(pilot, "prompt")
        everything = shown(pilot, "hand")
        await pilot.press("k")
        assert "knew" in shown(pilot, "prompt")
        assert shown(pilot, "hand") != everything
        await pilot.press("end")
        assert "the game!" in shown(pilot, "story")
        await pilot.press("left", "up", "home", "plus", "space", "space", "question_mark")
        assert type(pilot.app.screen) is ReplayHelp
        await pilot.press("escape")
        assert page.is_current
        assert page.moment == 0


async def test_a_replay_is_shared_as_text_picture_and_cast(tmp_path: Path) -> None:
    """The text is the record itself, the picture an SVG, the cast a session of as many steps as the replay has."""
    record = (GAMES / "all_fives-domino.txt").read_text()
    page = ReplayScreen(record, tmp_path)

    async with AppAt(tmp_path, page).run_test(size=(80, 24)) as pilot:
        await pilot.press("t", "t", "s", "c")

        assert str(tmp_path) in shown(pilot)
    assert (tmp_path / "capicua-2.txt").read_text() == record
    assert (tmp_path / "capicua-1.svg").read_bytes().startswith(b"<?xml")
    head, *events = map(json.loads, (tmp_path / "capicua-1.cast").read_text().splitlines())
    assert (head["version"], head["width"], head["height"]) == (2, 100, 34)
    assert len(events) == len(Recording(record)) + 1
    assert all(event[2].count("\r\n") < head["height"] for event in events)
    assert [event[0] for event in events] == sorted(event[0] for event in events)


async def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    """A folder that is not there is a sentence, not the end of the client."""
    page = ReplayScreen((GAMES / "block-domino.txt").read_text(), tmp_path / "gone")

    async with AppAt(tmp_path, page).run_test(size=(80, 24)) as pilot:
        await pilot.press("t")

        assert "Nothing can be written" in shown(pilot)


async def test_a_record_is_opened_without_signing_in(tmp_path: Path) -> None:
    """`capicua replay FILE --screen` shows the record at once, and ends when it is left."""
    app = ReplayApp((GAMES / "block-domino.txt").read_text(), tmp_path / "profile.json")

    async with app.run_test(size=(80, 24)) as pilot:
        assert "Step 1 of" in shown(pilot, "prompt")
        assert "← → step" in shown(pilot, "prompt")
        await pilot.press("q")

    assert app.return_code == 0


def test_text_that_is_no_record_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A file that is something else is told of in one line."""
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ana")

    assert main(["replay", str(file), "--screen"]) == 1
    assert str(file) in capsys.readouterr().err
    assert main(["replay", str(file), "--screen", "--check"]) == 2
