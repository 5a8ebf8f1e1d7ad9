"""A server of one's own: started as a process, gone afterwards."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import FrameType, TracebackType

START_SECONDS = 20
STOP_SECONDS = 10


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


class OwnServer:
    """`with OwnServer(options) as server`: `capicua serve` on a free port; `server.address`, `server.pid`.

    Its data is in `data` and stays, or is gone with it. Raises RuntimeError with the end of the server's log if it does
    not come up.
    """

    def __init__(self, options: list[str], data: Path | None = None) -> None:
        self._options = options
        self._data = data
        # Who is ended from outside must still stop the server. Only the main thread may say so; any may start it.
        signal.signal(signal.SIGTERM, _leave)
        self.address = ""
        self.pid = 0
        self._turn = threading.Lock()
        self._closed = False

    def __enter__(self) -> OwnServer:
        self._folder = tempfile.TemporaryDirectory(prefix="capicua-", ignore_cleanup_errors=True)
        self.log_path = Path(self._folder.name) / "serve.log"
        try:
            self._start("127.0.0.1:0")
        except RuntimeError:
            self._folder.cleanup()
            raise
        return self

    def wait(self) -> bool:
        """Wait until the process ends, from any thread; False if that was the end of the `with` statement."""
        self._process.wait()
        return not self._closed

    def start_again(self) -> None:
        """After its process has ended: another, with the same data, where its clients look for it."""
        with self._turn:
            if not self._closed:
                self._start(self.address)

    def _start(self, listen: str) -> None:
        command = [sys.executable, "-m", "capicua.cli.main", "serve", "--listen", listen]
        command += ["--data", str(self._data or self._folder.name), *self._options]
        with self.log_path.open("ab") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, start_new_session=True
            )
        self.pid = self._process.pid
        assert self._process.stdout is not None
        # The first line on standard output says where it listens; none comes if it could not start.
        with self._process.stdout as output:
            line = output.readline()
        if not line:
            self._process.wait(START_SECONDS)
            raise RuntimeError(f"the server did not start:\n{self.log_tail()}")
        self.address = str(json.loads(line)["listening"])

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # A process that is just being started is waited for: nobody would stop it later.
        with self._turn:
            self._closed = True
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._folder.cleanup()

    def log_tail(self, lines: int = 20) -> str:
        """The last lines the server logged."""
        return "\n".join(self.log_path.read_text(errors="replace").splitlines()[-lines:])
