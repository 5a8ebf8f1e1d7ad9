"""A child process ends with us, however we end and whatever it is doing."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from capicua.runtime.child import Child

PARENT = """
import sys
from capicua.runtime.child import Child
child = Child(["sleep", "60"])
print(child.pid, flush=True)
sys.stdin.read()
"""
GONE_SECONDS = 10


@pytest.mark.parametrize("stopped", [False, True])
def test_it_ends_with_a_parent_that_is_killed(stopped: bool) -> None:
    """Given kill -9 of the parent, and a child that runs, or is stopped and hears no signal but one."""
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    child = psutil.Process(pid)
    if stopped:
        child.suspend()
    parent.kill()
    parent.communicate()

    assert psutil.wait_procs([child], GONE_SECONDS)[1] == []


def test_what_it_says_and_that_it_ended_is_heard(tmp_path: Path) -> None:
    """Its output line by line and then nothing, its errors in the log."""
    child = Child(["sh", "-c", "echo two >&2; echo one; read -r _ < /dev/null; kill -STOP $$"], tmp_path / "log")
    try:
        assert child.line() == b"one\n"
        child.signal(signal.SIGKILL)
        child.wait()
        assert child.line() == b""
    finally:
        child.kill()

    assert (tmp_path / "log").read_text() == "two\n"
