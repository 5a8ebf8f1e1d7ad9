"""docs/operations.md tells everything that an operator can set and meet."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import fields
from pathlib import Path

import pytest

from capicua.cli.main import _parser
from capicua.runtime.settings import ServeSettings

ROOT = Path(__file__).parents[2]
OPERATIONS = (ROOT / "docs" / "operations.md").read_text()
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_every_setting_is_told() -> None:
    """Each option of `capicua serve` has its row."""
    rows = " ".join(line for line in OPERATIONS.splitlines() if line.startswith("| `--"))

    assert [s.name for s in fields(ServeSettings) if f"`--{s.name.replace('_', '-')}`" not in rows] == []


def test_every_warning_is_told() -> None:
    """Each line that is logged as a warning or worse has its row."""
    logged = {
        name
        for path in (ROOT / "services").rglob("*.py")
        for name in re.findall(r"log(?:ger)?\.(?:warning|error|exception)\(\s*\"(\w+)\"", path.read_text())
    }
    rows = OPERATIONS.partition("## Log lines")[2]

    assert "append_failed" in logged
    assert {name for name in logged if f"`{name}`" not in rows} == set()


def test_the_dashboard_shows_what_there_is() -> None:
    """Each of our metrics in a panel of deploy/grafana.json is told, and so exists."""
    told = {line.split("`")[1] for line in OPERATIONS.splitlines() if line.startswith("| `capicua_")}
    panels = json.loads((ROOT / "deploy" / "grafana.json").read_text())["panels"]
    shown = {name for panel in panels for name in re.findall(r"capicua_\w+", str(panel["targets"]))}

    assert len(shown) > 10
    assert {name.removesuffix("_bucket") for name in shown} <= told


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_in_the_documentation_are_understood(page: Path) -> None:
    """What a reader would type is what `capicua` takes."""
    blocks = "".join(re.findall(r"^```\n(.*?)^```", page.read_text(), re.M | re.S))
    lines = re.findall(r"^capicua .*$", blocks, re.M) + re.findall(r"`(capicua [a-z][^`\[…]*)`", page.read_text())
    # A word in capitals stands for what the reader puts there.
    for line in (line for line in lines if not re.search(r"[A-Z]{3}|--help", line)):
        try:
            _parser().parse_args(shlex.split(line, comments=True)[1:])
        except SystemExit:
            pytest.fail(f"{page.name}: {line}")
