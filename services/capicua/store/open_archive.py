"""Which archive there is: the one at a URL, or the one beside the embedded store."""

from __future__ import annotations

from pathlib import Path

from capicua.store.archive import Archive


def archive_in(folder: Path) -> str:
    """URL of the archive that lies in a data folder."""
    return f"sqlite:///{folder.absolute() / 'archive.db'}"


def open_archive(url: str) -> Archive:
    """The archive at a sqlite:/// or postgresql:// URL. It is connected to when it is first used, so that one
    that is away holds up nobody's start.

    Raises ValueError if it is no such URL, RuntimeError if the database's driver is not installed.
    """
    # Loading SQLAlchemy takes a third of a second, which most commands can do without.
    from capicua.store.sql_archive import SqlArchive

    return SqlArchive(url)
