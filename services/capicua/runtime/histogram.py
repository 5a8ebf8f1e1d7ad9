"""How long things take, counted by length: cheap enough for every command."""

from __future__ import annotations

from bisect import bisect_left

BOUNDS_US = (250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000)
"""Upper bounds of the buckets in microseconds; the last bucket has none."""


class Histogram:
    """Lengths of time, each in the first bucket whose bound is not below it."""

    def __init__(self) -> None:
        self.total_us = 0
        """Sum of all lengths."""
        self._counts = [0] * (len(BOUNDS_US) + 1)

    def add(self, us: int) -> None:
        """Count one length of `us` microseconds."""
        self._counts[bisect_left(BOUNDS_US, us)] += 1
        self.total_us += us

    def buckets(self) -> list[tuple[str, float]]:
        """Bound in seconds ("+Inf" for none) and how many lengths were not longer, as Prometheus wants them."""
        below, rows = 0, []
        for bound, count in zip((*(f"{us / 1e6:g}" for us in BOUNDS_US), "+Inf"), self._counts, strict=True):
            below += count
            rows.append((bound, float(below)))
        return rows
