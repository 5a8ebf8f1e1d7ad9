"""Opening a store: the right link for the URL, and servers that would lose games refused with a sentence."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from capicua.store import redis_cluster
from capicua.store.local_server import LocalServer, free_ports
from capicua.store.redis_store import RedisStore, open_store
from capicua.store.store import StoreUnavailable
from kit.eventually import until


@asynccontextmanager
async def serving(folder: Path, *options: str) -> AsyncIterator[LocalServer]:
    """A server with `options`."""
    server = LocalServer(folder, free_ports(1)[0], *options)
    server.start()
    try:
        await until(lambda: server.ask("PING"), 10)
        yield server
    finally:
        server.kill()


@asynccontextmanager
async def opened(url: str, replicas: int = 0) -> AsyncIterator[RedisStore]:
    """A store at `url`."""
    store = await open_store(url, replicas)
    try:
        yield store
    finally:
        await store.close()


@pytest.mark.parametrize("url", ["http://h", "redis+cluster://h:7000/3", "redis+cluster://", "redis+sentinel://h"])
async def test_what_is_no_url_of_a_store_is_refused(url: str) -> None:
    """Before anything is tried."""
    with pytest.raises(ValueError, match=r"begins with|one database|host:port|names its master"):
        await open_store(url)


@pytest.mark.parametrize(
    ("options", "scheme", "sentence"),
    [
        (["--cluster-enabled", "yes"], "redis", r"node of a cluster: write redis\+cluster://"),
        ([], "redis+cluster", r"no cluster: write redis://"),
        (["--maxmemory-policy", "allkeys-lru"], "redis", r"allkeys-lru.*noeviction"),
        (["--maxmemory-policy", "volatile-ttl"], "redis", r"volatile-ttl.*noeviction"),
    ],
)
async def test_a_server_that_will_not_do_is_named(
    tmp_path: Path, options: list[str], scheme: str, sentence: str
) -> None:
    """The sentence says what to write or to set instead."""
    async with serving(tmp_path, *options) as server:
        with pytest.raises(RuntimeError, match=sentence):
            await open_store(f"{scheme}://127.0.0.1:{server.port}")


@pytest.mark.parametrize("replicas", [0, 1])
@pytest.mark.parametrize(("keeps", "warned"), [("no", ["store_keeps_no_file"]), ("yes", [])])
async def test_a_store_that_keeps_no_file_is_warned_of(
    tmp_path: Path, keeps: str, warned: list[str], replicas: int
) -> None:
    """Its restart would lose every game; it may be meant so, for a trial. It is said once."""
    async with serving(tmp_path, "--appendonly", keeps) as server:
        with capture_logs() as lines:
            async with opened(f"redis://127.0.0.1:{server.port}", replicas):
                pass

    assert [line["event"] for line in lines if line["log_level"] == "warning"] == warned


async def test_a_cluster_that_is_not_formed_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Slots that nobody owns: one sentence after a bounded time."""
    monkeypatch.setattr(redis_cluster, "FOLLOW_SECONDS", 0.3)
    async with serving(tmp_path, "--cluster-enabled", "yes", "--cluster-port", str(free_ports(1)[0])) as server:
        with pytest.raises(StoreUnavailable, match="not every slot"):
            await open_store(f"redis+cluster://127.0.0.1:{server.port}")


async def test_replicas_that_are_not_there_confirm_nothing(tmp_path: Path) -> None:
    """With replicas=1 and a server that has none, no write is acknowledged."""
    async with serving(tmp_path) as server, opened(f"redis://127.0.0.1:{server.port}", replicas=1) as store:
        with pytest.raises(StoreUnavailable, match="0 of 1 replicas"):
            await store.append("g", 1, b"x")


@asynccontextmanager
async def watched(folder: Path, port: int) -> AsyncIterator[LocalServer]:
    """A Sentinel that looks after a master at `port` by the name "games"."""
    conf = folder / "sentinel" / "sentinel.conf"
    conf.parent.mkdir()
    conf.write_text(
        f"sentinel monitor games 127.0.0.1 {port} 1\n"
        "sentinel down-after-milliseconds games 500\n"
        "sentinel failover-timeout games 2000\n"
    )
    sentinel = LocalServer(conf.parent, free_ports(1)[0], str(conf), "--sentinel")
    sentinel.start()
    try:
        await until(lambda: sentinel.ask("PING"), 10)
        yield sentinel
    finally:
        sentinel.kill()


def replica(folder: Path, master: LocalServer) -> AbstractAsyncContextManager[LocalServer]:
    """A replica of a server."""
    return serving(folder / "replica", "--replicaof", f"127.0.0.1 {master.port}", "--repl-diskless-sync-delay", "0")


async def test_the_master_that_the_sentinels_name_is_the_store(tmp_path: Path) -> None:
    """Given the master is killed, the link goes to the one that was made master, with all that was confirmed."""
    async with (
        serving(tmp_path / "master", "--repl-diskless-sync-delay", "0") as master,
        replica(tmp_path, master) as second,
        watched(tmp_path, master.port) as sentinel,
    ):
        await until(lambda: sentinel.ask("SENTINEL", "REPLICAS", "games"), 15)
        async with opened(f"redis+sentinel://127.0.0.1:1,127.0.0.1:{sentinel.port}/games/2", replicas=1) as store:
            await store.append("g", 1, b"x")
            before = store.generation("g")
            master.kill()
            with pytest.raises(StoreUnavailable):
                await store.read("g")
            await until(lambda: store.read("g"), 20)

            assert await store.read("g") == [(1, b"x")]
            assert store.generation("g") > before
            assert await second.ask("DBSIZE") == 0, "it was in database 2"
        with pytest.raises(StoreUnavailable, match="no Sentinel knows"):
            await open_store(f"redis+sentinel://127.0.0.1:{sentinel.port}/other")


async def test_a_sign_of_life_does_not_come_after_moves_that_wait(tmp_path: Path) -> None:
    """Given a replica is missing: a move waits for it, a sign of life is in the table meanwhile, though unconfirmed."""
    async with serving(tmp_path) as server:
        url = f"redis://127.0.0.1:{server.port}"
        async with opened(url, replicas=1) as store, opened(url) as other:
            move = store.append("g-1", 1, b"move")
            await until(lambda: other.read("g-1"))
            sign = asyncio.ensure_future(store.set_installation(0, b"alive"))

            async def seen() -> bool:
                return (await other.installation())[2] == b"alive"

            await until(seen)
            assert not move.done()
            for waiting in (move, sign):
                with pytest.raises(StoreUnavailable, match="0 of 1 replicas"):
                    await waiting
