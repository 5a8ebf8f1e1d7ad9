"""Bring the catalogues of messages up to date with the code and compile them; `--check` says whether they are."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

HERE = Path(__file__).parent
CLI = HERE / "capicua" / "cli"
MESSAGES = CLI / "messages"
KEYWORDS = {"N_": None, "say": None, "say_counted": (1, 2)}
"""The functions whose arguments are messages."""
SOURCES = [CLI / "variant_names.py", CLI / "rulebook.py", *sorted(CLI.glob("told_*.py"))]
NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)
"""Files that differ only by the day they were made on would never be up to date."""


def template() -> Catalog:
    """All messages of the code, in its order."""
    found = Catalog()
    for path in SOURCES:
        for _, message, _, _ in extract_from_file("python", path, keywords=KEYWORDS):
            found.add(message, flags=["python-brace-format"])
    return found


def updated(po: Path) -> Catalog:
    """The catalogue in `po` with the messages of the code: new ones without translation, old ones gone."""
    with po.open("rb") as file:
        catalog = read_po(file, locale=po.parents[1].name)
    catalog.update(template(), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    catalog.creation_date = catalog.revision_date = NO_DATE
    catalog.project, catalog.version = "Capicua", "rules"
    catalog.last_translator = catalog.language_team = catalog.msgid_bugs_address = "Capicua"
    return catalog


def files(catalog: Catalog) -> tuple[bytes, bytes]:
    """The text of a catalogue and its compiled form."""
    po, mo = BytesIO(), BytesIO()
    write_po(po, catalog, width=0)
    po.seek(0)
    write_mo(mo, read_po(po, locale=catalog.locale))
    return po.getvalue(), mo.getvalue()


def main() -> int:
    """Write what is not up to date; with `--check` only name it, and give 1 if there is any."""
    old = [
        (path, fresh)
        for po in sorted(MESSAGES.glob("*/LC_MESSAGES/*.po"))
        for path, fresh in zip((po, po.with_suffix(".mo")), files(updated(po)), strict=True)
        if not path.exists() or path.read_bytes() != fresh
    ]
    for path, fresh in old:
        print(f"{path.relative_to(HERE)} is not up to date")
        if "--check" not in sys.argv:
            path.write_bytes(fresh)
    return 1 if old and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
