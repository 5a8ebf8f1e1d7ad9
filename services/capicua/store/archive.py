"""The archive: where the logs of finished games go when they leave the store."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from capicua.store.store import StoreUnavailable

Entries = list[tuple[int, bytes]]
"""The whole log of a game, as `Store.read` gives it: (first seq, bytes) in order."""


class ArchiveAway(StoreUnavailable):
    """The archive did not do what was asked: not there, full, locked. Whether it was carried out is unknown."""


class ArchiveDamaged(Exception):
    """What lies in the archive for a game is not what was put there."""


class Summary(NamedTuple):
    """What can be asked of archived games without reading their logs; times in Unix milliseconds."""

    variant: str
    seats: int
    started_ms: int
    ended_ms: int


class Archive(Protocol):
    """What every archive can do; all methods may raise ArchiveAway."""

    async def put(self, game_id: str, entries: Entries, summary: Summary) -> None:
        """Keep a game for good. Nothing happens where one of this id is there already."""

    async def entries(self, game_id: str) -> Entries:
        """The log of a game; empty where the archive does not have it. Raises ArchiveDamaged."""

    async def ids(self, after: str, limit: int) -> list[str]:
        """Up to `limit` ids of games in the archive's own order, from the first past `after` ("" for all)."""

    async def close(self) -> None:
        """Let go of everything."""
