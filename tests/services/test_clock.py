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
