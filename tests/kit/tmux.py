"""A real terminal that a test can type into and read: tmux."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_CLOCK = re.compile(r"\d+ s ")


class Tmux:
    """One window of 80 by 24, in a server of its own."""

    def __init__(self, folder: Path) -> None:
        self._tmux = ["tmux", "-S", str(folder / "tmux"), "-f", "/dev/null"]

    def run(self, *arguments: str) -> str:
        """Tell tmux something; gives what it says."""
        return subprocess.run([*self._tmux, *arguments], capture_output=True, text=True, check=True, timeout=10).stdout

    def type(self, *keys: str) -> None:
        """Press keys by their names in tmux, or type a text."""
        self.run("send-keys", *keys)

    def screen(self) -> str:
        """What the terminal shows."""
        return self.run("capture-pane", "-p")

    def wait(self, *wanted: str, other_than: str = "", within: float = 20.0) -> str:
        """Wait for one of `wanted` on a screen that is not `other_than` but for its clock; gives the screen."""
        end = time.monotonic() + within
        while True:
            shown = _CLOCK.sub("", self.screen())
            if shown != other_than and any(text in shown for text in wanted):
                return shown
            assert time.monotonic() < end, f"none of {wanted} is shown:\n{shown}"


@contextmanager
def terminal(folder: Path, *arguments: str, **environment: str) -> Iterator[Tmux]:
    """`capicua` with these arguments, at home in `folder`; at its end the terminal shows "ended with" its exit status.

    The test is skipped where there is no tmux.
    """
    if shutil.which("tmux") is None:
        pytest.skip("there is no tmux to be the terminal")
    tmux = Tmux(folder)
    known = {"LANG": "C.UTF-8", "XDG_DATA_HOME": str(folder), **environment}
    settings = [word for name, value in known.items() for word in ("-e", f"{name}={value}")]
    command = shlex.join([sys.executable, "-m", "capicua.cli.main", *arguments])
    tmux.run("new-session", "-d", "-x", "80", "-y", "24", *settings, f"{command}; echo ended with $?; read line")
    try:
        yield tmux
    finally:
        tmux.run("kill-server")
