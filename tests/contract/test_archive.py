"""What every archive must do: give back byte by byte what it was given, or say that it cannot."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from capicua.store.archive import Archive, ArchiveAway, ArchiveDamaged, Entries, Summary
from capicua.store.open_archive import archive_in, open_archive
from kit.archives import archive_url, do_sql, small_disk

SUMMARY = Summary("block", 2, started_ms=1_790_000_000_000, ended_ms=1_790_000_060_000)
ENTRIES = [(1, b"\x08\x01\x00 one"), (4, bytes(range(256))), (5, b"")]


@pytest.fixture(params=["sqlite", "postgresql"])
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty archive of each kind is."""
    url = archive_url(request.param, tmp_path)
    if request.param == "postgresql":
        await do_sql(url, "DROP TABLE IF EXISTS games")
    return url


@pytest.fixture
async def archive(url: str) -> AsyncIterator[Archive]:
    """An empty archive of each kind."""
    archive = open_archive(url)
    yield archive
    await archive.close()


def a_log(seed: int, entries: int) -> Entries:
    """Bytes of no meaning, in entries of up to 200."""
    chance = random.Random(seed)
    return [(seq, chance.randbytes(chance.randrange(200))) for seq in range(1, entries + 1)]


async def test_a_game_is_given_back_byte_by_byte(archive: Archive, url: str) -> None:
    """By the one that took it and by any other; of an id that nobody put there is nothing."""
    long = a_log(1, 5000)
    await archive.put("g-1", ENTRIES, SUMMARY)
    await archive.put("g-long", long, SUMMARY)
    other = open_archive(url)

    for reader in (archive, other):
        assert await reader.entries("g-1") == ENTRIES
        assert await reader.entries("g-long") == long
        for unknown in ("g-2", "", "g-1\x00", "g-%", "ñ" * 500):
            assert await reader.entries(unknown) == []
    await other.close()


async def test_of_two_games_of_an_id_the_first_stays(archive: Archive) -> None:
    """Putting twice is harmless, whoever does it, and what is there is never replaced."""
    await asyncio.gather(*(archive.put("g-1", ENTRIES, SUMMARY) for _ in range(5)))
    await archive.put("g-1", [(1, b"another")], SUMMARY)

    assert await archive.entries("g-1") == ENTRIES
    assert await archive.ids("", 10) == ["g-1"]


async def test_all_ids_are_found_page_by_page(archive: Archive) -> None:
    """Each once, in one order, without an end of pages that comes too early."""
    assert await archive.ids("", 7) == []
    games = {f"g-{number:x}" for number in range(40)}
    for game in games:
        await archive.put(game, ENTRIES, SUMMARY)
    found: list[str] = []
    while page := await archive.ids(found[-1] if found else "", 7):
        found += page

    assert len(found) == 40
    assert set(found) == games


@pytest.mark.parametrize("column", ["entries", "sha256"])
async def test_damage_is_noticed(archive: Archive, url: str, column: str) -> None:
    """One bit of a game or of its digest is enough; other games can be read."""
    await archive.put("g-1", ENTRIES, SUMMARY)
    await archive.put("g-2", ENTRIES, SUMMARY)
    await do_sql(url, f"UPDATE games SET {column} = :bad WHERE game_id = 'g-1'", bad=bytes(32))

    with pytest.raises(ArchiveDamaged, match="g-1"):
        await archive.entries("g-1")
    assert await archive.entries("g-2") == ENTRIES


async def test_a_table_that_was_lost_is_one_failure(archive: Archive, url: str) -> None:
    """Whatever the database says, it is told as the archive's failure, and the next call asks anew."""
    await archive.put("g-1", ENTRIES, SUMMARY)
    await do_sql(url, "ALTER TABLE games RENAME TO elsewhere")
    with pytest.raises(ArchiveAway, match="games"):
        await archive.entries("g-1")
    await do_sql(url, "ALTER TABLE elsewhere RENAME TO games")

    assert await archive.entries("g-1") == ENTRIES


async def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    """What does not fit is refused as a whole, what is there can be read, and later it fits."""
    with small_disk() as disk:
        archive = open_archive(archive_in(tmp_path))
        await archive.put("g-1", ENTRIES, SUMMARY)
        disk.pages = 20
        long = a_log(2, 2000)
        with pytest.raises(ArchiveAway, match="full"):
            await archive.put("g-2", long, SUMMARY)

        assert await archive.entries("g-2") == []
        assert await archive.entries("g-1") == ENTRIES
        disk.pages = 1000
        await archive.put("g-2", long, SUMMARY)
        assert await archive.entries("g-2") == long
        await archive.close()


async def test_readers_and_the_writer_do_not_disturb_each_other(archive: Archive, url: str) -> None:
    """`capicua archive verify` may read while a server writes."""
    await archive.put("g-0", ENTRIES, SUMMARY)
    others = [open_archive(url) for _ in range(3)]

    async def write() -> None:
        for number in range(1, 20):
            await archive.put(f"g-{number}", ENTRIES, SUMMARY)

    async def read(other: Archive) -> None:
        while len(ids := await other.ids("", 100)) < 20:
            assert await other.entries(ids[-1]) == ENTRIES

    await asyncio.gather(write(), *map(read, others))
    for other in others:
        await other.close()


@pytest.mark.parametrize(
    "url", ["sqlite:////no/such/folder/archive.db", "postgresql://user:secret@127.0.0.1:1/capicua?sslmode=disable"]
)
async def test_one_that_is_away_is_one_failure(url: str) -> None:
    """Nothing is asked before it is needed; then every call says why, and no password."""
    if url.startswith("postgresql"):
        pytest.importorskip("asyncpg")
    archive = open_archive(url)
    for ask in (archive.entries("g-1"), archive.ids("", 1), archive.put("g-1", ENTRIES, SUMMARY)):
        with pytest.raises(ArchiveAway) as away:
            await ask
        assert "secret" not in str(away.value)
    await archive.close()


@pytest.mark.parametrize(
    "url",
    ["", "archive.db", "mysql://host/database", "sqlite://", "postgresql://host", "postgresql://h:x/d", "a://b?c=d"],
)
def test_what_is_no_url_of_an_archive_is_one_sentence(url: str) -> None:
    """It says what one looks like."""
    with pytest.raises(ValueError, match="sqlite:////path"):
        open_archive(url)
