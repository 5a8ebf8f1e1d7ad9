"""Time as a value: the services ask a clock, so that tests can own it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

Clock = Callable[[], int]
"""Gives the time in milliseconds since the Unix epoch."""


READINGS = 16
TURNED_BACK_MS = 1000
"""A reading so far behind the others is no slow one: the store has another time now."""


def wall_clock() -> int:
    """The system's time in milliseconds since the Unix epoch."""
    return time.time_ns() // 1_000_000


def monotonic_ms() -> int:
    """Milliseconds since some moment; nobody can turn them back."""
    return time.monotonic_ns() // 1_000_000


class StoreClock:
    """The store's time, which is the same for every process whatever its machine's clock says.

    Between two readings it goes as the machine's monotonic clock does, so nobody can turn it back. A reading is as
    old as the way from the store was long; of the last READINGS the freshest counts.
    """

    def __init__(self) -> None:
        self._offset_ms = wall_clock() - monotonic_ms()
        self._offsets: deque[int] = deque(maxlen=READINGS)

    def __call__(self) -> int:
        """Milliseconds since the Unix epoch."""
        return monotonic_ms() + self._offset_ms

    def set(self, now_ms: int) -> None:
        """Take the store's time, read just now."""
        offset_ms = now_ms - monotonic_ms()
        if self._offsets and offset_ms < max(self._offsets) - TURNED_BACK_MS:
            self._offsets.clear()
        self._offsets.append(offset_ms)
        self._offset_ms = max(self._offsets)
