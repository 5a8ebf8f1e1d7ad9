"""Finding the master of a replicated store by asking Sentinels."""

from __future__ import annotations

from urllib.parse import urlsplit

from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from capicua.store.addresses import addresses
from capicua.store.store import StoreUnavailable

ANSWER_SECONDS = 1.0
"""A Sentinel that takes longer is passed over."""


class Sentinels:
    """The Sentinels of a redis+sentinel://host:port[,host:port…]/master-name[/database] URL.

    User and password of the URL are the store's own; the Sentinels are asked without. `master_url` is the
    master's URL but for its host and port. Raises ValueError if the URL names no master.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._hosts = addresses(parts.netloc, 26379)
        self._name, _, database = parts.path.strip("/").partition("/")
        if not self._name:
            raise ValueError("a redis+sentinel:// URL names its master: redis+sentinel://HOST:PORT/NAME")
        userinfo, at, _ = parts.netloc.rpartition("@")
        self.master_url = f"redis://{userinfo}{at}/{database}"

    async def find_master(self) -> tuple[str, int]:
        """Host and port of the master now. Raises StoreUnavailable if no Sentinel knows one that lives."""
        patience = {
            "socket_timeout": ANSWER_SECONDS,
            "socket_connect_timeout": ANSWER_SECONDS,
            "retry": Retry(NoBackoff(), 0),
        }
        sentinel = Sentinel(self._hosts, sentinel_kwargs=patience)  # type: ignore[no-untyped-call]
        try:
            host, port = await sentinel.discover_master(self._name)
        except RedisError as failure:
            raise StoreUnavailable(f"no Sentinel knows a living master {self._name!r}: {failure}") from failure
        finally:
            for asked in sentinel.sentinels:
                await asked.aclose()
        return host, port
