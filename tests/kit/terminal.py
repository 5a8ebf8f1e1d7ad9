"""The `capicua` command as a person or a script runs it."""

from __future__ import annotations

import os
import subprocess
import sys


def capicua(*arguments: str, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run one command to its end, with `typed` on its standard input."""
    return subprocess.run(
        [sys.executable, "-m", "capicua.cli.main", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        timeout=55,
        env=os.environ | environment,
    )
