"""`capicua rules` as a player uses it."""

from __future__ import annotations

import json

import pytest

from capicua.cli.main import main
from capicua.engine import VARIANTS


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("COLUMNS", "500")


def test_the_list_has_every_variant_on_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    """R-12: key, name and description of each of the sixteen, in the order of the rules."""
    assert main(["rules"]) == 0

    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(VARIANTS)


@pytest.mark.parametrize("key", VARIANTS)
def test_every_variant_is_told(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    """R-12: hand size and target stand in the text, for all seat counts or for the one asked for."""
    variant = VARIANTS[key]
    for seats in variant.seats:
        assert main(["rules", key, "--seats", str(seats)]) == 0
        text = capsys.readouterr().out

        assert key in text
        assert f"Number of players: {seats}." in text
        assert f"Everyone gets {variant.hand_size[seats]} tiles." in text
        assert str(variant.target.value[seats]) in text.split("The end of the game")[1]


def test_overrides_are_told_as_they_are_in_force(capsys: pytest.CaptureFixture[str]) -> None:
    """R-34: a boneyard floor of two, where draw has none."""
    floor = {"draw": {"policy": "until_playable", "reserve": 2}}

    assert main(["rules", "draw", "--overrides", json.dumps(floor)]) == 0
    assert "The last 2 tiles of the boneyard are never drawn." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LC_ALL": "pl_PL.UTF-8", "LANG": "lt_LT.UTF-8"}, "pl"),
        ({"LC_ALL": "", "LANG": "lt_LT.UTF-8"}, "lt"),
        ({"LC_ALL": "", "LANG": "he"}, "he"),
        ({"LC_ALL": "C.UTF-8", "LANG": "bg_BG"}, "en"),
        ({"LC_ALL": "fr_FR.UTF-8"}, "en"),
    ],
)
def test_the_language_is_that_of_the_terminal(
    environment: dict[str, str],
    language: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """LC_ALL before LANG, and English where there is no catalogue."""
    main(["rules", "draw", "--language", language])
    expected = capsys.readouterr().out
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert main(["rules", "draw"]) == 0
    assert capsys.readouterr().out == expected


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["drow"], "did you mean draw"),
        (["draw", "--overrides", "{"], "not JSON"),
        (["draw", "--overrides", "[]"], "JSON object"),
        (["draw", "--overrides", '{"set": 7}'], "R-12"),
        (["draw", "--seats", "5"], "R-32"),
        (["draw", "--overrides", '{"draw": {"policy": "none", "reserve": 2}}'], "R-34"),
        (["draw", "--overrides", '{"seats": []}'], "R-32"),
        (["--seats", "2"], "VARIANT"),
    ],
)
def test_what_cannot_be_told_is_refused(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """R-32 to R-43: wrong use is exit code 2, with the rule or the close matches."""
    try:
        code = main(["rules", *arguments])
    except SystemExit as wrong_use:
        code = int(wrong_use.code or 0)

    assert code == 2
    assert said in capsys.readouterr().err
