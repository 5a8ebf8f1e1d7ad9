"""A server of one's own: started as a process, with its data in a temporary folder, gone afterwards."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from types import FrameType, TracebackType

START_SECONDS = 20
STOP_SECONDS = 10


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


class OwnServer:
    """`with OwnServer(options) as server`: `capicua serve` on a free port; `server.address`, `server.pid`.

    Raises RuntimeError with the end of the server's log if it does not come up.
    """

    def __init__(self, options: list[str]) -> None:
        self._options = options
        # Who is ended from outside must still stop the server. Only the main thread may say so; any may start it.
        signal.signal(signal.SIGTERM, _leave)
        self.address = ""
        self.pid = 0

    def __enter__(self) -> OwnServer:
        self._folder = tempfile.TemporaryDirectory(prefix="capicua-", ignore_cleanup_errors=True)
        self.log_path = Path(self._folder.name) / "serve.log"
        command = [sys.executable, "-m", "capicua.cli.main", "serve", "--listen", "127.0.0.1:0"]
        command += ["--data", self._folder.name, *self._options]
        with self.log_path.open("wb") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, start_new_session=True
            )
        self.pid = self._process.pid
        assert self._process.stdout is not None
        # The first line on standard output says where it listens; none comes if it could not start.
        line = self._process.stdout.readline()
        if not line:
            self._process.wait(START_SECONDS)
            message = f"the server did not start:\n{self.log_tail()}"
            self._folder.cleanup()
            raise RuntimeError(message)
        self.address = str(json.loads(line)["listening"])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._folder.cleanup()

    def log_tail(self, lines: int = 20) -> str:
        """The last lines the server logged."""
        return "\n".join(self.log_path.read_text(errors="replace").splitlines()[-lines:])
