"""Time as a value: the services ask a clock, so that tests can own it."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], int]
"""Gives the time in milliseconds since the Unix epoch."""


def wall_clock() -> int:
    """The system's time in milliseconds since the Unix epoch."""
    return time.time_ns() // 1_000_000
