"""`capicua replay --svg`, run in this process."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from capicua.cli.main import main
from capicua.engine import VARIANTS, print_record, record_of
from kit.games import random_game

VECTORS = Path(__file__).parents[1] / "engine" / "data" / "vectors"
PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
GAME = [event for event, _ in random_game(VARIANTS["all_fives"], 2, 3, rounds=1)]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A record of one round."""
    path = tmp_path / "game.txt"
    path.write_text(print_record(record_of(GAME, ["Ana", "Bruno"])))
    return path


def texts(path: Path) -> list[str]:
    """All the text of a picture."""
    return [text.text or "" for text in ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize(("step", "number"), [([], len(GAME)), (["--step", "5"], 5)])
def test_a_step_of_a_record_is_drawn(record: Path, tmp_path: Path, step: list[str], number: int) -> None:
    """The last step where none is named; names and the count of the open ends stand beside the layout."""
    out = tmp_path / "out.svg"

    assert main(["replay", str(record), "--svg", str(out), *step]) == 0

    assert f"all_fives · round 1 · step {number} of {len(GAME)}" in texts(out)
    assert {"Ana", "Bruno"} < set(texts(out))
    assert any("count" in text for text in texts(out))


def test_a_vector_is_drawn(tmp_path: Path) -> None:
    """R-30: a capicúa is named; the seats of a vector have no names but their numbers."""
    out = tmp_path / "out.svg"

    assert main(["replay", str(VECTORS / "partners_200-01-capicua.json"), "--svg", str(out)]) == 0

    assert "seat 3" in texts(out)
    assert any("capicúa" in text for text in texts(out))


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        (["{record}", "--svg", "{folder}/out.svg", "--step", "9999"], 1, "no step 9999"),
        (["{record}", "--svg", "{folder}/no/out.svg"], 1, "{folder}/no/out.svg"),
        (["{record}", "--svg", "{folder}"], 1, "{folder}"),
        (["{record}", "{record}", "--svg", "{folder}/out.svg"], 2, "one source"),
        (["{record}", "--svg", "{folder}/out.svg", "--check"], 2, "--check"),
        (["{record}", "--step", "3"], 2, "--svg"),
        (["{folder}/vector.json", "--svg", "{folder}/out.svg"], 1, "no rules vector"),
        (["{folder}/vector.json"], 1, "no rules vector"),
    ],
)
def test_what_cannot_be_drawn_is_one_sentence(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, why: str
) -> None:
    """What is wrong, without a traceback, and no file."""
    (tmp_path / "vector.json").write_text('{"steps": []}')
    names = {"record": record, "folder": tmp_path}

    assert main(["replay", *(argument.format(**names) for argument in arguments)]) == code

    said = capsys.readouterr().err
    assert why.format(**names) in said
    assert len(said.splitlines()) == 1
    assert not (tmp_path / "out.svg").exists()


@pytest.mark.parametrize("record", sorted(PICTURES.glob("*.txt")), ids=lambda path: path.stem)
def test_the_documented_pictures_are_drawn_today(record: Path, tmp_path: Path) -> None:
    """What the documentation shows is what the command draws, byte for byte; `make pictures` draws it again."""
    out = tmp_path / "out.svg"

    assert main(["replay", str(record), "--svg", str(out)]) == 0

    assert out.read_bytes() == record.with_suffix(".svg").read_bytes()
