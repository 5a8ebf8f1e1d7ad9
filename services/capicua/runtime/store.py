"""The store: logs of games, snapshots of nothing else, and who may write (I-3, I-4, I-5)."""

from __future__ import annotations

import asyncio
from typing import NamedTuple, Protocol

FINISHED_SECONDS = 7 * 24 * 3600
"""How long the log of a finished game is kept."""


class SeqTaken(Exception):
    """Somebody else has written an event of this seq, or of a later one: read the log."""


class StoreUnavailable(Exception):
    """The store did not answer. Whether the request was carried out is unknown: read the log."""


class Holder(NamedTuple):
    """The owner of the lease: its name, its epoch, and when it last said that it lives (Unix ms)."""

    owner: str
    epoch: int
    alive_ms: int


class Store(Protocol):
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

    def save_snapshot(self, game_id: str, data: bytes) -> None:
        """Keep a snapshot in place of the one before. Not waited for: it is a shortcut and may be lost."""

    async def snapshot(self, game_id: str) -> bytes | None:
        """The newest snapshot of a running game."""

    async def add_running(self, game_id: str) -> None:
        """Put a game into the index of running games."""

    async def set_finished(self, game_id: str) -> None:
        """Take a game out of the index and drop its snapshot; its log is kept for FINISHED_SECONDS."""

    async def running(self) -> set[str]:
        """The index of running games."""

    async def secret(self, name: str) -> bytes:
        """32 random bytes, made once and the same ever after."""

    async def hold(self, owner: str, now_ms: int, ttl_ms: int) -> tuple[Holder, Holder | None]:
        """Take the lease for `owner` with a new epoch, unless one of another name lives.

        Gives who holds it now, and who held it before (None if nobody ever did). Epochs only grow.
        """

    async def renew(self, owner: str, epoch: int, now_ms: int, ttl_ms: int) -> bool:
        """Say that `owner` lives; False if the lease is lost."""

    async def release(self, owner: str, epoch: int, now_ms: int) -> None:
        """Give the lease up, if it is still held."""

    async def close(self) -> None:
        """Let go of everything."""
