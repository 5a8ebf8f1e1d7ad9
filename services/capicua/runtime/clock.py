"""Time as a value: the services ask a clock, so that tests can own it."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], int]
"""Gives the time in milliseconds since the Unix epoch."""


def wall_clock() -> int:
    """The system's time in milliseconds since the Unix epoch."""
    return time.time_ns() // 1_000_000


class StoreClock:
    """The store's time, which is the same for every process whatever its machine's clock says.

    Between two readings it goes as the machine's monotonic clock does, so nobody can turn it back.
    """

    def __init__(self) -> None:
        self._offset_ms = wall_clock() - time.monotonic_ns() // 1_000_000

    def __call__(self) -> int:
        """Milliseconds since the Unix epoch."""
        return time.monotonic_ns() // 1_000_000 + self._offset_ms

    def set(self, now_ms: int) -> None:
        """Take over the store's time, read just now."""
        self._offset_ms = now_ms - time.monotonic_ns() // 1_000_000
