"""The server's clock, as far as a client can know it."""

from __future__ import annotations

import time


class ServerClock:
    """Tells how long it is to an instant of the server.

    Every update says when it happened. The one that came fastest tells most, so the clock is at least as late as each
    of them said on its arrival. Before the first update the clocks are taken to agree.
    """

    def __init__(self) -> None:
        self._ahead: float | None = None
        """The server's seconds since the Unix epoch less our seconds since we do not care when."""

    def heard(self, time_ms: int) -> None:
        """An update has just come that happened at `time_ms`, in milliseconds since the Unix epoch."""
        ahead = time_ms / 1000 - time.monotonic()
        self._ahead = ahead if self._ahead is None else max(self._ahead, ahead)

    def seconds_until(self, time_ms: int) -> float:
        """From now to `time_ms`, in milliseconds since the Unix epoch; below 0 if it is over."""
        now = time.time() if self._ahead is None else time.monotonic() + self._ahead
        return time_ms / 1000 - now
