"""A child process that never lives longer than we do, however we end."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

# A shell stands by the process: it says which one that is, and ends it when our end of a pipe closes, however we
# ended. It does not start it again: what was killed shall stay so. It gives its own standard output away, so that
# the output ends with the process.
_WATCHDOG = """
"$@" & echo $!
exec >&-
read -r _
kill -KILL $! 2>/dev/null
wait
"""


class Child:
    """A running `command`, in a session of its own; its standard error goes to the end of `log`, if there is one."""

    def __init__(self, command: Sequence[str], log: Path | None = None) -> None:
        theirs, self._pipe = os.pipe()
        with contextlib.ExitStack() as stack:
            stack.callback(os.close, theirs)
            errors = stack.enter_context(log.open("ab")) if log else subprocess.DEVNULL
            self._shell = subprocess.Popen(
                ["/bin/sh", "-c", _WATCHDOG, "capicua-child", *command],
                stdin=theirs,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
        self.pid = int(self.line())

    def line(self) -> bytes:
        """The next line of its standard output; b"" once it has ended. Blocks."""
        assert self._shell.stdout is not None
        return self._shell.stdout.readline()

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal; nothing where it has ended."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def wait(self) -> None:
        """Block until it has ended by itself."""
        while self.line():
            pass

    def kill(self) -> None:
        """End it as a crash would, also where it is stopped; called once, whether it still runs or not."""
        os.close(self._pipe)
        self._shell.wait()
        assert self._shell.stdout is not None
        self._shell.stdout.close()
        with contextlib.suppress(ProcessLookupError):
            # Only where the shell was killed is anybody of its session left.
            os.killpg(self._shell.pid, signal.SIGKILL)
