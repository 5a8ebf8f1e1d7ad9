"""docs/clients.md shows what runs, and names what there is."""

from __future__ import annotations

import json
import re
import textwrap
from pathlib import Path

import pytest

import capicua.client
from capicua.api.v1.update_pb2 import Update
from capicua.client import Client, Game

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "clients.md").read_text()
BLOCK = re.compile(r"^<!-- (\S+) -->\n```(\w+)\n(.*?)^```", re.M | re.S)
SHOWN = BLOCK.findall(PAGE)
README = BLOCK.findall((ROOT / "README.md").read_text())


@pytest.mark.parametrize(("path", "code"), [(path, code) for path, _, code in README + SHOWN])
def test_code_on_the_page_is_code_of_the_examples(path: str, code: str) -> None:
    """Each block is a run of lines of the file that is named before it, or all of them."""
    lines, wanted = (ROOT / path).read_text().splitlines(), code.splitlines()
    runs = ("\n".join(lines[at : at + len(wanted)]) for at in range(len(lines) - len(wanted) + 1))

    assert code.rstrip("\n") in map(textwrap.dedent, runs)


def test_all_code_on_the_page_has_its_file() -> None:
    """No block of a language goes without; the first client is shown whole, on the front page too."""
    assert len(SHOWN) == len(re.findall(r"^```\w", PAGE, re.M))
    path, _, first = SHOWN[0]
    assert SHOWN[:1] == README
    assert first == (ROOT / path).read_text()
    assert f"A client in {len(first.splitlines())} lines" in PAGE


def test_commands_on_the_page_exist() -> None:
    """What is run by npm is a script of the example; what is run by python is there."""
    scripts = json.loads((ROOT / "examples/typescript/package.json").read_text())["scripts"]

    assert set(re.findall(r"^npm (?:run )?(\w+)$", PAGE, re.M)) - {"ci"} <= set(scripts)
    assert all((ROOT / path).exists() for path in re.findall(r"^(?:python|cd) (\S+)$", PAGE, re.M))


def test_what_the_sdk_is_said_to_have_is_there() -> None:
    """Each name in the table of the SDK is one of the SDK."""
    table = PAGE.partition("| to | use |")[2].partition("\n\n")[0]
    names = re.findall(r"(?:client|game)\.(\w+)|`(\w+)[`;(]", table)

    assert len(names) > 15
    known = {*vars(Client), *vars(Game), *vars(Game("g")), *vars(capicua.client), "token", "patience"}
    assert {a or b for a, b in names} <= known


def test_the_lock_file_names_no_registry() -> None:
    """Where packages come from is a matter of the machine, not of the example."""
    lock = json.loads((ROOT / "examples/typescript/package-lock.json").read_text())

    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []
    pinned = json.loads((ROOT / "examples/typescript/package.json").read_text())
    assert all(re.fullmatch(r"[\d.]+", v) for v in {**pinned["dependencies"], **pinned["devDependencies"]}.values())


def test_every_kind_of_update_says_what_it_changes() -> None:
    """A client in any language can fold: the table of docs/protocol.md has a row for each kind."""
    table = (
        (ROOT / "docs/protocol.md").read_text().partition("| update | changes in the view |")[2].partition("\n\n")[0]
    )

    assert sorted(re.findall(r"^\| `(\w+)`", table, re.M)) == sorted(
        field.name for field in Update.DESCRIPTOR.oneofs_by_name["event"].fields
    )
