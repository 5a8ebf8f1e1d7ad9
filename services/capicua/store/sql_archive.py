"""The archive in an SQL database: a file (SQLite) or PostgreSQL. One row for each game."""

from __future__ import annotations

import asyncio
import hashlib
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiosqlite
import msgspec
from sqlalchemy import BigInteger, Column, Integer, LargeBinary, MetaData, String, Table, event, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from capicua.store.archive import ArchiveAway, ArchiveDamaged, Entries, Summary

ANSWER_SECONDS = 5
"""How long a database may take to let us in, and to answer."""
_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}


async def _open_file(*arguments: Any, **options: Any) -> aiosqlite.Connection:
    connection = aiosqlite.connect(*arguments, **options)
    connection._thread.daemon = True
    try:
        return await connection
    except BaseException:
        # The driver does not wait for the thread of a connection that failed, which calls into our loop once more.
        await asyncio.to_thread(connection._thread.join)
        raise


_OPTIONS: dict[str, dict[str, Any]] = {
    "sqlite": {"connect_args": {"timeout": ANSWER_SECONDS, "async_creator_fn": _open_file}},
    # A connection may have died while nobody needed it: it is tried before it is used.
    "postgresql": {
        "connect_args": {"timeout": ANSWER_SECONDS, "command_timeout": ANSWER_SECONDS},
        "pool_pre_ping": True,
    },
}

_TABLES = MetaData()
GAMES = Table(
    "games",
    _TABLES,
    Column("game_id", String(64), primary_key=True),
    Column("variant", String(64), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("started_ms", BigInteger, nullable=False),
    Column("ended_ms", BigInteger, nullable=False),
    Column("entries", LargeBinary, nullable=False),
    Column("sha256", LargeBinary(32), nullable=False),
)
"""`entries` is a zlib stream of a MessagePack array of [first seq, bytes of a capicua.log.v1.Entry]; `sha256` is
the digest of that column's bytes. Rows are never changed."""


class SqlArchive:
    """Implements `Archive`; makes its table where there is none."""

    def __init__(self, url: str) -> None:
        where = _database(url)
        try:
            options = _OPTIONS[where.get_backend_name()]
            self._engine = create_async_engine(where, pool_timeout=ANSWER_SECONDS, **options)
        except ModuleNotFoundError as missing:
            raise RuntimeError(
                f"the archive needs the package {missing.name}: pip install 'capicua[postgres]'"
            ) from None
        self._making = asyncio.Lock()
        self._made = False
        if self._engine.dialect.name == "sqlite":
            event.listen(self._engine.sync_engine, "connect", _write_ahead)

    async def put(self, game_id: str, entries: Entries, summary: Summary) -> None:
        """Keep a game, unless one of this id is there."""
        data = zlib.compress(msgspec.msgpack.encode(entries), 1)
        row = {"game_id": game_id, "entries": data, "sha256": hashlib.sha256(data).digest(), **summary._asdict()}
        dialect = sqlite if self._engine.dialect.name == "sqlite" else postgresql
        async with self._connection() as connection:
            await connection.execute(dialect.insert(GAMES).values(row).on_conflict_do_nothing())

    async def entries(self, game_id: str) -> Entries:
        """The log of a game."""
        if "\0" in game_id:
            # PostgreSQL has no such text, and there is no such game.
            return []
        async with self._connection() as connection:
            asked = select(GAMES.c.entries, GAMES.c.sha256).where(GAMES.c.game_id == game_id)
            row = (await connection.execute(asked)).one_or_none()
        return [] if row is None else _unpack(game_id, *row)

    async def ids(self, after: str, limit: int) -> list[str]:
        """Ids of games past `after`."""
        async with self._connection() as connection:
            asked = select(GAMES.c.game_id).where(GAMES.c.game_id > after).order_by(GAMES.c.game_id).limit(limit)
            return list((await connection.execute(asked)).scalars())

    async def close(self) -> None:
        """End all connections."""
        await self._engine.dispose()

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncConnection]:
        """A transaction, committed at the end of the block."""
        try:
            async with self._making:
                if not self._made:
                    async with self._engine.begin() as connection:
                        await connection.run_sync(_TABLES.create_all)
                    self._made = True
            async with self._engine.begin() as connection:
                yield connection
        except DBAPIError as failure:
            raise ArchiveAway(f"the archive failed: {failure.orig}") from failure
        except (SQLAlchemyError, OSError) as failure:
            # What breaks while connecting comes as the driver raised it.
            raise ArchiveAway(f"cannot reach the archive: {str(failure) or 'no answer'}") from failure


def _database(url: str) -> URL:
    try:
        found = make_url(url)
        driver = _DRIVERS[found.drivername]
        unknown = found.query.keys() - {"sslmode"}
    except (SQLAlchemyError, KeyError, ValueError):
        unknown = {url}
    if unknown or not found.database:
        # The URL itself may hold a password.
        raise ValueError(
            "the archive must be sqlite:////path/to/file or postgresql://user:password@host/database[?sslmode=…]"
        )
    tls = {"ssl": found.query["sslmode"]} if found.query else {}
    return found.set(drivername=driver, query=tls)


def _write_ahead(connection: Any, _: object) -> None:
    # A write waits for the disk once, not three times; and readers do not hold it up.
    connection.execute("PRAGMA journal_mode=WAL")


def _unpack(game_id: str, data: bytes, digest: bytes) -> Entries:
    if hashlib.sha256(data).digest() != digest:
        raise ArchiveDamaged(f"the archived bytes of game {game_id} are not those that were written")
    return msgspec.msgpack.decode(zlib.decompress(data), type=Entries)
