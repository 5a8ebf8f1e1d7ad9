"""Log lines say what went wrong, and not with which values."""

from __future__ import annotations

import subprocess
import sys

import pytest

FAILS = """
import sys
import structlog
from capicua.runtime.logs import set_up_logs

def fail(hand):
    token = "secret" + "-token"
    raise ValueError("no such tile")

set_up_logs(sys.argv[1], "info")
try:
    fail("secret" + "-hand")
except ValueError:
    structlog.get_logger().exception("call_failed")
"""


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_a_mistake_is_logged_without_the_values_of_variables(log_format: str) -> None:
    """Given hands and tokens in variables: of an exception the place is told, and they are not (I-7)."""
    done = subprocess.run([sys.executable, "-c", FAILS, log_format], capture_output=True, text=True, timeout=30)

    assert "no such tile" in done.stderr
    assert "fail" in done.stderr
    assert "secret-" not in done.stderr
