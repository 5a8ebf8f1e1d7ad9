"""The embedded store: never longer than we live, never in the way of the next start, nothing acknowledged lost."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest

from capicua.store import embedded_store
from capicua.store.embedded_store import EmbeddedStore
from capicua.store.redis_store import open_store
from capicua.store.store import Store, StoreUnavailable
from kit.eventually import eventually

HOLDER = """
import asyncio, signal, sys
from pathlib import Path
from capicua.store.embedded_store import EmbeddedStore
from capicua.store.redis_store import open_store
async def main():
    stopping = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stopping.set)
    async with EmbeddedStore(Path(sys.argv[1])) as url:
        store = await open_store(url)
        print("up", flush=True)
        await stopping.wait()
        await store.append("g", 1, b"last")
        await store.close()
    print("stopped", flush=True)
asyncio.run(main())
"""


def _hold(folder: Path) -> subprocess.Popen[str]:
    """Another process that holds an embedded store on `folder`."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder)], stdout=subprocess.PIPE, text=True, process_group=0
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "up\n"
    return process


def _end(process: subprocess.Popen[str]) -> None:
    process.wait(10)
    assert process.stdout is not None
    process.stdout.close()


def _servers(folder: Path) -> list[psutil.Process]:
    return [p for p in psutil.process_iter(["cmdline"]) if str(folder) in " ".join(p.info["cmdline"] or ())]


async def test_the_server_ends_with_us_even_by_kill_9(tmp_path: Path) -> None:
    """Given our process is killed with -9, its server ends too, and a new start on the same data works at once."""
    holder = _hold(tmp_path)
    os.kill(holder.pid, signal.SIGKILL)
    _end(holder)
    async with EmbeddedStore(tmp_path) as url:
        store = await open_store(url)
        await store.append("g", 1, b"x")
        await store.close()

    await eventually(lambda: not _servers(tmp_path))


@pytest.mark.parametrize("shells", ["outer", "all"])
async def test_an_orphan_is_ended_by_the_next_start(tmp_path: Path, shells: str) -> None:
    """Given the shell that stands by is killed first, then we are: the next start ends the server and goes on."""
    holder = _hold(tmp_path)
    for process in psutil.Process(holder.pid).children(recursive=shells == "all"):
        if process.name() == "sh":
            process.kill()
    os.kill(holder.pid, signal.SIGKILL)
    _end(holder)
    assert _servers(tmp_path)
    async with EmbeddedStore(tmp_path) as url:
        store = await open_store(url)
        await store.append("g", 1, b"x")
        await store.close()

    await eventually(lambda: not _servers(tmp_path))


def test_ctrl_c_reaches_the_store_last(tmp_path: Path) -> None:
    """Given SIGINT to the whole group of the terminal, we may still write to the store while we stop."""
    holder = _hold(tmp_path)
    os.killpg(holder.pid, signal.SIGINT)
    assert holder.stdout is not None

    assert holder.stdout.readline() == "stopped\n"
    _end(holder)
    assert not _servers(tmp_path)


async def test_a_clean_stop_ends_all_even_without_the_shell(tmp_path: Path) -> None:
    """Given only the shell that stands by is killed, stopping still ends the server and frees the folder."""
    async with EmbeddedStore(tmp_path):
        outer = [p for p in psutil.Process().children() if p.name() == "sh" and str(tmp_path) in " ".join(p.cmdline())]
        for process in outer:
            process.kill()

        assert outer
    await eventually(lambda: not _servers(tmp_path))
    async with EmbeddedStore(tmp_path):
        pass


async def test_a_folder_in_use_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the process and what to do; the store that runs is not harmed."""
    monkeypatch.setattr(embedded_store, "START_SECONDS", 0.3)
    holder = _hold(tmp_path)
    with pytest.raises(RuntimeError, match=f"in use by process {holder.pid}.*--data"):
        async with EmbeddedStore(tmp_path):
            pass

    assert _servers(tmp_path)
    holder.terminate()
    _end(holder)


async def test_a_very_long_path_works(tmp_path: Path) -> None:
    """Unix sockets allow a hundred bytes; folders may be deeper."""
    deep = tmp_path / ("x" * 100) / ("y" * 100)
    async with EmbeddedStore(deep) as url:
        store = await open_store(url)
        await store.append("g", 1, b"x")
        await store.close()

    assert len(url) < 100


async def test_the_folder_is_the_user_s_alone(tmp_path: Path) -> None:
    """Hands are in there. It is so too where the folder was open to all before."""
    (tmp_path / "store").mkdir(mode=0o777)
    async with EmbeddedStore(tmp_path):
        assert (tmp_path / "store").stat().st_mode & 0o077 == 0


async def test_a_socket_is_not_put_where_others_may_put_theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The short path for the socket is in a folder that all share: what is there must be ours alone."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    shared = tmp_path / f"capicua-{os.getuid()}"
    shared.mkdir()
    shared.chmod(0o777)
    with pytest.raises(RuntimeError, match="nobody else"):
        async with EmbeddedStore(tmp_path / ("x" * 100)):
            pass


async def test_a_relative_folder_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is taken from where we were started."""
    monkeypatch.chdir(tmp_path)
    async with EmbeddedStore(Path("here")):
        pass

    assert (tmp_path / "here" / "store" / "server.log").exists()


@pytest.mark.parametrize("durability", ["everysec", "always"])
async def test_a_killed_server_comes_back_with_all_that_was_acknowledged(tmp_path: Path, durability: str) -> None:
    """Given kill -9 of the store itself: calls fail at once, soon work again, and no acknowledged entry is gone."""
    async with EmbeddedStore(tmp_path, durability) as url:
        store = await open_store(url)
        acknowledged = await _append_until_killed(store, tmp_path)
        kept = await _read_again(store)
        await store.append("g", kept[-1][0] + 1, b"on")
        await store.close()

    assert acknowledged >= 199
    assert [seq for seq, _ in kept[:acknowledged]] == list(range(1, acknowledged + 1))


async def _append_until_killed(store: Store, folder: Path) -> int:
    """The last seq that was acknowledged before the store went away."""
    for seq in itertools.count(1):
        if seq == 200:
            for server in _servers(folder):
                if server.name() != "sh":
                    server.kill()
        try:
            await store.append("g", seq, b"%d" % seq)
        except StoreUnavailable:
            return seq - 1
    raise AssertionError


async def _read_again(store: Store) -> list[tuple[int, bytes]]:
    async with asyncio.timeout(10):
        while True:
            try:
                return await store.read("g")
            except StoreUnavailable:
                await asyncio.sleep(0.01)


async def test_the_link_comes_back_when_the_store_does(tmp_path: Path) -> None:
    """While the store is away calls fail at once; afterwards the same store object works again."""
    async with EmbeddedStore(tmp_path) as url:
        store = await open_store(url)
        await store.append("g", 1, b"x")
    with pytest.raises(StoreUnavailable):
        await store.read("g")
    async with EmbeddedStore(tmp_path):
        assert await _read_again(store) == [(1, b"x")]
        await store.close()


async def test_what_is_no_store_is_said_clearly(unused_tcp_port: int) -> None:
    """Nobody there, or a server that speaks something else: one sentence, no hanging."""
    with pytest.raises(StoreUnavailable, match="cannot reach"):
        await open_store(f"redis://127.0.0.1:{unused_tcp_port}")
    with pytest.raises(ValueError, match="redis://"):
        await open_store("http://127.0.0.1")

    async def babble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(babble, "127.0.0.1", unused_tcp_port)
    async with server, asyncio.timeout(5):
        with pytest.raises(StoreUnavailable):
            await open_store(f"redis://127.0.0.1:{unused_tcp_port}")
