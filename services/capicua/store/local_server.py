"""One store server on a loopback port, for trials and tests: it can be killed and started again."""

from __future__ import annotations

import contextlib
import random
import socket
from pathlib import Path
from typing import Any

from capicua.runtime.child import Child
from capicua.store.embedded_store import server_binary
from capicua.store.redis_link import RedisLink

PORTS = range(10_000, 32_000)
"""Below those that systems give to outgoing connections: a server that is started again finds its port free."""


class LocalServer:
    """A server that keeps its files in `folder`, started with `options` besides; it never lives longer than we do."""

    def __init__(self, folder: Path, port: int, *options: str) -> None:
        self.port = port
        self._folder = folder.resolve()
        self._options = options
        self._child: Child | None = None

    @property
    def pid(self) -> int:
        """The server's process; 0 while there is none."""
        return self._child.pid if self._child else 0

    def start(self) -> None:
        """Start it, with what it had written before; it takes a moment until it answers."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._child = Child(self._command())

    def kill(self) -> None:
        """End it as a crash would."""
        if self._child is not None:
            self._child.kill()
            self._child = None

    async def ask(self, *words: str | int) -> Any:
        """Its reply to one command. Raises StoreUnavailable."""
        link = RedisLink(f"redis://127.0.0.1:{self.port}")
        try:
            await link.connect()
            return await link.call(*words)
        finally:
            await link.close()

    def log_tail(self) -> str:
        """The last lines it logged."""
        log = self._folder / "server.log"
        return "\n".join(log.read_text(errors="replace").splitlines()[-15:]) if log.exists() else "(no log)"

    def _command(self) -> list[str]:
        return [
            server_binary(),
            *self._options,
            *("--bind", "127.0.0.1"),
            *("--port", str(self.port)),
            *("--dir", str(self._folder)),
            *("--logfile", str(self._folder / "server.log")),
            *("--daemonize", "no"),
        ]


def free_ports(count: int) -> list[int]:
    """So many ports on which nobody listens."""
    free: list[int] = []
    for port in random.sample(PORTS, len(PORTS)):
        if len(free) == count:
            break
        with socket.socket() as trial, contextlib.suppress(OSError):
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(("127.0.0.1", port))
            free.append(port)
    return free
