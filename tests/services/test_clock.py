"""Processes agree on the time whatever their machines say."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capicua.runtime.clock import StoreClock

DAY_NS = 24 * 3600 * 10**9


@given(skew_ns=st.integers(-1000 * DAY_NS, 1000 * DAY_NS), turned_ns=st.integers(-DAY_NS, DAY_NS))
def test_a_skewed_clock_changes_nothing_once_the_store_was_heard(skew_ns: int, turned_ns: int) -> None:
    """I-8: given a machine whose clock is wrong by up to years, and is turned while the process runs."""
    now_ns, store_ms = time.time_ns(), 1_800_000_000_000
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "monotonic_ns", lambda: 5 * DAY_NS)
        patch.setattr(time, "time_ns", lambda: now_ns + skew_ns)
        clock = StoreClock()
        clock.set(store_ms)
        patch.setattr(time, "time_ns", lambda: now_ns + skew_ns + turned_ns)
        patch.setattr(time, "monotonic_ns", lambda: 5 * DAY_NS + 250_000_000)

        assert clock() == store_ms + 250


@given(ways_ms=st.lists(st.integers(0, 900), min_size=1, max_size=16), back_ms=st.integers(2_000, 10**9))
def test_the_reading_that_came_fastest_counts(ways_ms: list[int], back_ms: int) -> None:
    """I-8: given readings that were on their way for some time, when the clock is asked, then it is behind by the
    shortest way alone; and a store whose time is turned back is followed at once."""
    monotonic_ms, store_ms = 10**9, 1_800_000_000_000
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "monotonic_ns", lambda: monotonic_ms * 10**6)
        clock = StoreClock()
        for way_ms in ways_ms:
            read_ms = store_ms
            monotonic_ms, store_ms = monotonic_ms + way_ms, store_ms + way_ms
            clock.set(read_ms)
        assert clock() == store_ms - min(ways_ms)
        clock.set(store_ms - back_ms)
        assert clock() == store_ms - back_ms
