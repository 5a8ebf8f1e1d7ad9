"""The store: logs of games, snapshots of nothing else, who may write (I-3, I-4, I-5), and ratings."""

from __future__ import annotations

import asyncio
from typing import Protocol

from capicua.store.ratings import Ratings

FINISHED_SECONDS = 7 * 24 * 3600
"""How long the log of a finished game is kept where there is no archive."""
TABLE_SECONDS = 30 * 60
"""A table that has not started by then is closed."""


class SeqTaken(Exception):
    """Somebody else has written an event of this seq, or of a later one: read the log."""


class StoreUnavailable(Exception):
    """The store did not answer. Whether the request was carried out is unknown: read the log."""


class ShardMoved(StoreUnavailable):
    """The game's shard has moved to another node. Nothing was written: look at the log, then ask again."""


class Store(Ratings, Protocol):
    """What every store can do; all methods may raise StoreUnavailable.

    A game's log is a row of entries. An entry is placed by the seq of its first event, and entries are
    written at the end only, so that of two writers one is refused.
    """

    def append(self, game_id: str, first_seq: int, entry: bytes) -> asyncio.Future[None]:
        """Write an entry. The future raises SeqTaken where `first_seq` is not past the last entry's."""

    async def read(self, game_id: str, first_seq: int = 1) -> list[tuple[int, bytes]]:
        """All entries placed at `first_seq` or later, in order: (first seq, bytes)."""

    async def entry(self, game_id: str, first_seq: int) -> bytes | None:
        """The entry placed exactly there."""

    async def confirm(self, game_id: str) -> None:
        """Make all that was read of this game as durable as what `append` acknowledges.

        An entry whose append failed may lie on the master alone. Who finds it there and shows it would show
        what a fail-over takes away. At once where nobody waits for replicas.
        """

    def generation(self, game_id: str) -> int:
        """Grows whenever acknowledged writes of this game's shard may have been lost, with the connection to
        its node or because another node holds it now. Who appends must know that the log still ends where it
        ended: an entry further on would leave a gap."""

    def save_snapshot(self, game_id: str, data: bytes) -> None:
        """Keep a snapshot in place of the one before. Not waited for: it is a shortcut and may be lost."""

    async def snapshot(self, game_id: str) -> bytes | None:
        """The newest snapshot of a running game."""

    async def add_running(self, game_id: str) -> None:
        """Put a game into the index of running games."""

    async def set_finished(self, game_id: str) -> None:
        """Move a game to the index of finished games and drop its snapshot; its log stays."""

    async def running(self, shard: int) -> set[str]:
        """The index of running games of one shard."""

    async def finished(self, shard: int) -> set[str]:
        """The index of finished games of one shard whose logs are still here for good."""

    async def trim(self, game_id: str, end: int, seconds: int = 0) -> bool:
        """Drop the log of a finished game after so many seconds, and take the game out of its index.

        False, with nothing changed, where the last entry is not placed at `end` (0: there is none): then the
        log is not the one that the caller has read.
        """

    async def save_table(self, shard: int, table_id: str, epoch: int, data: bytes) -> bool:
        """Keep a waiting table for TABLE_SECONDS, unless an owner with a higher epoch has claimed the shard's."""

    def drop_table(self, shard: int, table_id: str) -> None:
        """Forget a table. Not waited for: it would be forgotten by itself."""

    async def claim_tables(self, shard: int, epoch: int) -> list[bytes]:
        """The waiting tables of one shard: all there will be, for owners with a lower epoch can save none any more."""

    async def secret(self, name: str) -> bytes:
        """32 random bytes, made once and the same ever after."""

    async def installation(self) -> tuple[int, int, bytes]:
        """The store's own time (Unix ms), and version and bytes of the table of processes (b"" at first)."""

    async def set_installation(self, version: int, data: bytes) -> bool:
        """Replace the table, unless somebody has done so since `version` was read."""

    async def close(self) -> None:
        """Let go of everything."""
