"""Archives for tests, and hands on what lies in them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import Pool

from capicua.store.open_archive import archive_in

POSTGRES = "CAPICUA_TEST_POSTGRES_URL"


def archive_url(kind: str, folder: Path) -> str:
    """URL of an archive: a new file, or the database that CAPICUA_TEST_POSTGRES_URL names, else skipped."""
    if kind == "sqlite":
        return archive_in(folder)
    if POSTGRES not in os.environ:
        pytest.skip(f"no {POSTGRES}: a database that tests may empty")
    return os.environ[POSTGRES]


async def do_sql(url: str, statement: str, **values: Any) -> list[tuple[Any, ...]]:
    """Look at an archive, or change it, behind its back; gives the rows of a SELECT."""
    driver = "aiosqlite" if url.startswith("sqlite") else "asyncpg"
    engine = create_async_engine(url.replace("://", f"+{driver}://", 1))
    try:
        async with engine.begin() as connection:
            done = await connection.execute(text(statement), values)
            return [tuple(row) for row in done] if done.returns_rows else []
    finally:
        await engine.dispose()


class Disk:
    """A disk for SQLite on which so many pages of 4 KiB fit; a file never shrinks."""

    pages = 1_000_000

    def limit(self, connection: Any, *_: object) -> None:
        connection.execute(f"PRAGMA max_page_count={self.pages}")


@contextmanager
def small_disk() -> Iterator[Disk]:
    """Let every SQLite file of the test lie on one disk."""
    disk = Disk()
    event.listen(Pool, "checkout", disk.limit)
    try:
        yield disk
    finally:
        event.remove(Pool, "checkout", disk.limit)
