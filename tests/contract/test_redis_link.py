"""The link to a store that goes away, falls silent, refuses, or is no store at all: never a call without an end."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import psutil
import pytest

from capicua.store import redis_connection, redis_link
from capicua.store.embedded_store import EmbeddedStore
from capicua.store.redis_connection import ReplyError
from capicua.store.redis_link import RedisLink
from capicua.store.redis_store import RedisStore, open_store
from capicua.store.store import StoreUnavailable
from kit.eventually import until


@pytest.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    """A store of the test's own."""
    async with EmbeddedStore(tmp_path) as url:
        yield url


@asynccontextmanager
async def linked(url: str) -> AsyncIterator[RedisLink]:
    """A link to the store at `url`."""
    link = RedisLink(url)
    await link.connect()
    yield link
    await link.close()


@asynccontextmanager
async def speaks(answer: Callable[[bytes], bytes | None]) -> AsyncIterator[str]:
    """The URL of a server that answers what it reads with `answer`, and hangs up where that gives None."""
    connections = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        connections.append(task)
        with suppress(ConnectionError):
            while (data := await reader.read(65536)) and (words := answer(data)) is not None:
                writer.write(words)
            writer.close()
            await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        await asyncio.gather(*connections)


async def count(link: RedisLink, section: str, name: str) -> int:
    """One of the numbers the server tells of itself."""
    about = (await link.call("INFO", section)).decode()
    return int(next(line.partition(":")[2] for line in about.splitlines() if line.startswith(f"{name}:")))


async def hang_up(link: RedisLink) -> None:
    """Let the server end every connection but this one."""
    await link.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")


async def test_replies_go_to_their_calls(url: str) -> None:
    """Calls of one turn leave together, and each gets the reply of its own command, refusals included."""
    async with linked(url) as link:
        answers = await asyncio.gather(
            link.call("SET", "a", b"\x00\xff"),
            link.call("GET", "a"),
            link.call("NOSUCH"),
            link.call("INCRBY", "n", 7),
            link.call("GET", "none"),
            return_exceptions=True,
        )

    assert [answers[0], answers[1], answers[3], answers[4]] == [b"OK", b"\x00\xff", 7, None]
    assert isinstance(answers[2], ReplyError)


async def test_a_call_that_was_given_up_leaves_the_others_right(url: str) -> None:
    """Given a caller that stopped waiting, its reply is dropped and the next one is not mistaken for it."""
    async with linked(url) as link:
        given_up = link.call("SET", "a", "1")
        kept = link.call("GET", "a")
        given_up.cancel()

        assert await kept == b"1"


async def test_what_waits_when_the_connection_breaks_fails_and_the_link_comes_back(url: str) -> None:
    """Given the server hangs up, every call under way fails; soon the same link works again."""
    async with linked(url) as link, linked(url) as other:
        await other.call("CLIENT", "PAUSE", 10_000, "WRITE")
        waiting = [link.call("SET", f"k{n}", n) for n in range(100)]
        await until(lambda: count(other, "clients", "blocked_clients"))
        await hang_up(other)
        answers = await asyncio.gather(*waiting, return_exceptions=True)
        await other.call("CLIENT", "UNPAUSE")
        await until(lambda: link.call("SET", "k", "1"))

    assert all(isinstance(answer, StoreUnavailable) for answer in answers)


async def test_a_silent_server_is_taken_for_gone(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a server that is there but answers nothing, calls fail in time; once it wakes the link works again."""
    monkeypatch.setattr(redis_connection, "SILENCE_SECONDS", 0.1)
    monkeypatch.setattr(redis_link, "CONNECT_SECONDS", 0.1)
    server = next(p for p in psutil.process_iter(["cmdline"]) if _is_server(p, tmp_path))
    async with linked(url) as link:
        server.send_signal(signal.SIGSTOP)
        try:
            with pytest.raises(StoreUnavailable, match="not answered"):
                await link.call("SET", "a", "1")
            with pytest.raises(StoreUnavailable, match="no connection"):
                await link.call("SET", "a", "1")
        finally:
            server.send_signal(signal.SIGCONT)
        await until(lambda: link.call("SET", "a", "1"))


def _is_server(process: psutil.Process, folder: Path) -> bool:
    return str(folder) in " ".join(process.info["cmdline"] or ()) and process.name() != "sh"


@pytest.mark.parametrize(
    ("refuse", "allow", "word"),
    [
        ("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0", "OOM"),
        ("CONFIG SET min-replicas-to-write 1", "CONFIG SET min-replicas-to-write 0", "NOREPLICAS"),
        ("REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE", "READONLY"),
    ],
)
async def test_a_store_that_refuses_acknowledges_nothing(url: str, refuse: str, allow: str, word: str) -> None:
    """Full, cut off, or a replica now: StoreUnavailable with the server's word, and nothing was written."""
    async with linked(url) as link, linked(url) as owner:
        store = RedisStore(link)
        await store.append("g", 1, b"before")
        await owner.call(*refuse.split())
        with pytest.raises(StoreUnavailable, match=word):
            await store.append("g", 2, b"refused")

        await owner.call(*allow.split())
        await until(lambda: store.read("g"))
        assert await store.read("g") == [(1, b"before")]
        await store.append("g", 2, b"after")


async def test_a_password_is_asked_for_at_every_connection(url: str, unused_tcp_port: int) -> None:
    """The right one is let in, into the database of the URL, also after a break; a wrong one is refused clearly."""
    async with linked(url) as owner:
        await owner.call("CONFIG", "SET", "port", unused_tcp_port)
        await owner.call("CONFIG", "SET", "requirepass", "p@ss")
        there = f"127.0.0.1:{unused_tcp_port}"
        with pytest.raises(RuntimeError, match="WRONGPASS"):
            await open_store(f"redis://:wrong@{there}")
        with pytest.raises(RuntimeError, match="NOAUTH"):
            await open_store(f"redis://{there}")
        async with linked(f"redis://:p%40ss@{there}/3") as guest:
            await guest.call("SET", "a", "1")
            await hang_up(owner)
            await until(lambda: guest.call("SET", "b", "1"))

            assert sorted(await guest.call("KEYS", "*")) == [b"a", b"b"]
        assert await owner.call("KEYS", "*") == []


async def test_a_password_that_was_changed_keeps_the_link_trying(url: str) -> None:
    """Given AUTH fails on reconnecting, calls fail with StoreUnavailable, and one connection at most is open."""
    async with linked(url) as owner:
        await owner.call("CONFIG", "SET", "requirepass", "old")
        link = RedisLink(url.replace("unix://", "unix://:old@"))
        await link.connect()
        await owner.call("CONFIG", "SET", "requirepass", "new")
        before = await count(owner, "stats", "total_connections_received")
        await hang_up(owner)
        while await count(owner, "stats", "total_connections_received") < before + 3:
            with pytest.raises(StoreUnavailable):
                await link.call("PING")

        assert await count(owner, "clients", "connected_clients") <= 2
        await owner.call("CONFIG", "SET", "requirepass", "old")
        await until(lambda: link.call("PING"))
        await link.close()


async def test_what_is_no_store_is_said_clearly() -> None:
    """A server of another protocol, one that hangs up, one that is too old: a sentence that says so."""
    async with asyncio.timeout(5):
        async with speaks(lambda _: b"HTTP/1.1 400 Bad Request\r\n\r\n") as url:
            with pytest.raises(StoreUnavailable, match="no Redis-compatible server"):
                await open_store(url)
        async with speaks(lambda _: None) as url:
            with pytest.raises(StoreUnavailable, match="broke"):
                await open_store(url)
        async with speaks(_of_version("6.2.7")) as url:
            with pytest.raises(RuntimeError, match=r"version 6\.2\.7; Capicua needs 7"):
                await open_store(url)


async def test_a_server_that_says_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the start too there is an end."""
    monkeypatch.setattr(redis_link, "CONNECT_SECONDS", 0.1)
    async with speaks(lambda _: b"") as url, asyncio.timeout(5):
        with pytest.raises(StoreUnavailable, match="no answer"):
            await open_store(url)


def _of_version(version: str) -> Callable[[bytes], bytes]:
    about = f"# Server\r\nredis_version:{version}\r\n".encode()

    def answer(data: bytes) -> bytes:
        return b"+PONG\r\n" if b"PING" in data else b"$%d\r\n%s\r\n" % (len(about), about)

    return answer


async def test_nothing_is_left_after_close(url: str) -> None:
    """Closing ends the connection and the tries for a new one; calls fail from then on."""
    link = RedisLink(url)
    await link.connect()
    waiting = link.call("GET", "a")
    await link.close()
    with pytest.raises(StoreUnavailable):
        await waiting
    with pytest.raises(StoreUnavailable):
        await link.call("GET", "a")
    async with linked(url) as other:

        async def alone() -> bool:
            return await count(other, "clients", "connected_clients") == 1

        await until(alone)
