"""Every rule is a promise: each number of docs/rules.md is cited where it is kept or tested."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
WIDEST = 18
"""Rules that one range may stand for: who cites more has none of them in mind."""


def numbered() -> list[int]:
    """The numbers at the head of a rule, in the order of the text."""
    text = (ROOT / "docs" / "rules.md").read_text()
    return [int(number) for number in re.findall(r"^(?:- \*\*|\*\*|\| )R-(\d+)(?:\*\*| \|)", text, re.MULTILINE)]


def cited() -> set[int]:
    """The numbers in the engine and the tests; "R-16 to R-22" stands for all of them."""
    found: set[int] = set()
    for path in [*(ROOT / "engine").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]:
        if path == Path(__file__):
            continue
        for first, last in re.findall(r"R-(\d+)(?:\s+to\s+R-(\d+))?", path.read_text()):
            rules = range(int(first), int(last or first) + 1)
            found.update(rules if len(rules) <= WIDEST else ())
    return found


def test_rules_are_numbered_without_gaps() -> None:
    """A number that was given stays given, so one that is missing was lost."""
    assert numbered() == list(range(1, len(numbered()) + 1))


def test_every_rule_is_cited() -> None:
    """What no code and no test names may be broken by anybody."""
    assert [f"R-{number}" for number in numbered() if number not in cited()] == []
