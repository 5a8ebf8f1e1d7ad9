"""Bring the catalogues of messages up to date with the code and compile them; `--check` says whether they are."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[1]
CLI = ROOT / "services" / "capicua" / "cli"
TUI = ROOT / "clients" / "capicua" / "tui"
NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)
"""Files that differ only by the day they were made on would never be up to date."""


class Domain(NamedTuple):
    """Messages that are translated together."""

    name: str
    messages: Path
    """The folder of a catalogue for each language."""
    sources: Sequence[Path]
    keywords: Mapping[str, tuple[int, int] | None]
    """The functions whose arguments are messages."""

    def template(self) -> Catalog:
        """All messages of the code, in its order."""
        found = Catalog()
        for path in self.sources:
            for _, message, _, _ in extract_from_file("python", path, keywords=self.keywords):
                found.add(message, flags=["python-brace-format"])
        return found

    def updated(self, po: Path) -> Catalog:
        """The catalogue in `po` with the messages of the code: new ones without translation, old ones gone."""
        with po.open("rb") as file:
            catalog = read_po(file, locale=po.parents[1].name)
        catalog.update(self.template(), no_fuzzy_matching=True)
        catalog.obsolete.clear()
        catalog.creation_date = catalog.revision_date = NO_DATE
        catalog.project, catalog.version = "Capicua", self.name
        catalog.last_translator = catalog.language_team = catalog.msgid_bugs_address = "Capicua"
        return catalog

    def stale(self) -> Iterator[tuple[Path, bytes]]:
        """The files that are not up to date, with what belongs in them."""
        for po in sorted(self.messages.glob("*/LC_MESSAGES/*.po")):
            for path, fresh in zip((po, po.with_suffix(".mo")), files(self.updated(po)), strict=True):
                if not path.exists() or path.read_bytes() != fresh:
                    yield path, fresh


RULES = Domain(
    "rules",
    CLI / "messages",
    [CLI / "variant_names.py", CLI / "rulebook.py", CLI / "phrases.py", *sorted(CLI.glob("told_*.py"))],
    {"N_": None, "say": None, "say_counted": (1, 2)},
)
CLIENT = Domain("client", TUI / "messages", sorted(TUI.glob("*.py")), {"N_": None, "_": None, "counted": (1, 2)})


def files(catalog: Catalog) -> tuple[bytes, bytes]:
    """The text of a catalogue and its compiled form."""
    po, mo = BytesIO(), BytesIO()
    write_po(po, catalog, width=0)
    po.seek(0)
    write_mo(mo, read_po(po, locale=catalog.locale))
    return po.getvalue(), mo.getvalue()


def main() -> int:
    """Write what is not up to date; with `--check` only name it, and give 1 if there is any."""
    old = [*RULES.stale(), *CLIENT.stale()]
    for path, fresh in old:
        print(f"{path.relative_to(ROOT)} is not up to date")
        if "--check" not in sys.argv:
            path.write_bytes(fresh)
    return 1 if old and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
