"""A real `capicua serve` that a test may kill and start again on the same data."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

OPTIONS = ["--log-format", "json", "--bot-fill", "0.2", "--bot-pause", "0"]


class ServerProcess:
    """`capicua serve` in a process of its own; the same address at each start."""

    def __init__(self, data: Path, options: list[str] | None = None) -> None:
        self.data = data
        self.log_path = data / "serve.log"
        self._options = options or OPTIONS
        self._listen = "127.0.0.1:0"
        self.metrics = ""
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Where it listens, once started."""
        return self._listen

    @property
    def pid(self) -> int:
        """Id of the running process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it and wait until it listens."""
        command = [sys.executable, "-m", "capicua.cli.main", "serve", "--listen", self._listen]
        command += ["--data", str(self.data), *self._options]
        with self.log_path.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()

        assert line, self.log_path.read_text()
        said = json.loads(line)
        self._listen, self.metrics = said["listening"], said.get("metrics", "")

    def kill(self) -> None:
        """End it as a crash would: kill -9."""
        os.kill(self.pid, signal.SIGKILL)
        self._reap()

    def stop(self) -> int:
        """Ask it to stop; gives its exit status."""
        os.kill(self.pid, signal.SIGTERM)
        return self._reap()

    def _reap(self) -> int:
        assert self._process is not None
        assert self._process.stdout is not None
        status = self._process.wait(15)
        self._process.stdout.close()
        self._process = None
        return status

    def __enter__(self) -> ServerProcess:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self.stop()
