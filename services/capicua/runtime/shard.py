"""The 256 parts of everything that is shared out."""

from __future__ import annotations

from zlib import crc32

SHARDS = 256


def shard_of(key: str) -> int:
    """The shard of a game, table or ticket, 0 to 255, for ever the same."""
    return crc32(key.encode()) % SHARDS
