"""The right link for a store's URL, to servers that will do."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol
from urllib.parse import urlsplit

import structlog

from capicua.store.redis_connection import Call, ReplyError
from capicua.store.redis_link import RedisLink

OLDEST_SERVER = 7
FORMS = "redis://, rediss://, unix://, redis+sentinel://, redis+cluster:// or rediss+cluster://"

logger = structlog.get_logger()


class Link(Protocol):
    """The way to the server or the servers that hold the keys."""

    replicas: int
    """How many replicas must have a write before it is acknowledged."""

    @property
    def call(self) -> Call:
        """Sends a command to the server that holds its key."""

    def generation(self, key: str) -> int:
        """Grows whenever acknowledged writes to this key may have been lost."""

    async def connect(self) -> None:
        """Connect; raises StoreUnavailable."""

    async def about(self) -> list[bytes]:
        """What each server says of itself (INFO)."""

    async def close(self) -> None:
        """End every connection."""


async def open_link(url: str, replicas: int = 0) -> Link:
    """Connect. Raises StoreUnavailable if nobody answers; RuntimeError with a sentence for the operator if it is
    no server that will do, or the URL is of the wrong form for it; ValueError if it is no URL of a store."""
    link = await open_another(url, replicas)
    async with _closed_if_refused(link):
        for about in await link.about():
            _check(about, cluster=urlsplit(url).scheme.endswith("+cluster"))
    return link


async def open_another(url: str, replicas: int = 0) -> Link:
    """Connect to servers that are known to do. Raises as `open_link` does."""
    link = _new_link(url, replicas)
    async with _closed_if_refused(link):
        await link.connect()
    return link


@asynccontextmanager
async def _closed_if_refused(link: Link) -> AsyncIterator[None]:
    try:
        yield
    except BaseException as failure:
        await link.close()
        if isinstance(failure, ReplyError):
            raise RuntimeError(f"the store refuses: {failure}") from failure
        raise


def _new_link(url: str, replicas: int) -> Link:
    scheme = urlsplit(url).scheme
    # Only large installations pay for loading these.
    if scheme in ("redis+cluster", "rediss+cluster"):
        from capicua.store.redis_cluster import ClusterLink

        return ClusterLink(url, replicas)
    if scheme == "redis+sentinel":
        from capicua.store.sentinel import Sentinels

        sentinels = Sentinels(url)
        return RedisLink(sentinels.master_url, replicas, find=sentinels.find_master)
    if scheme in ("redis", "rediss", "unix"):
        return RedisLink(url, replicas)
    raise ValueError(f"a store's URL begins with {FORMS}, not {url[:20]!r}")


def _check(about: bytes, cluster: bool) -> None:
    """Refuse a server that would lose games by its settings; warn of one that would with the machine."""
    known = dict(line.split(":", 1) for line in about.decode().splitlines() if ":" in line)
    version = known.get("redis_version", "0")
    if int(version.partition(".")[0]) < OLDEST_SERVER:
        raise RuntimeError(f"the store is version {version}; Capicua needs {OLDEST_SERVER} or newer")
    if known.get("cluster_enabled") == "1" and not cluster:
        raise RuntimeError("the store is a node of a cluster: write redis+cluster://HOST:PORT[,HOST:PORT…]")
    policy = known.get("maxmemory_policy", "noeviction")
    if policy != "noeviction":
        raise RuntimeError(f"the store would throw games away when it is full (maxmemory-policy {policy}): "
                           "set it to noeviction")  # fmt: skip
    if known.get("aof_enabled") == "0":
        logger.warning("store_keeps_no_file", advice="set appendonly yes: a restart of the store loses games")
