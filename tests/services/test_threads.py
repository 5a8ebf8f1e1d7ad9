"""Which threads may interrupt others (ADR 4)."""

from __future__ import annotations

import os
import sys
import threading

import pytest

from capicua.runtime.threads import unhurried

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is one kind of threads only")


def _policy_of_a_new_thread() -> int:
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(os.sched_getscheduler(0)))
    thread.start()
    thread.join()
    return found[0]


def test_only_threads_that_begin_inside_are_unhurried() -> None:
    """Who begins them, and threads that begin later, are as they were."""
    before = os.sched_getscheduler(0), _policy_of_a_new_thread()
    with unhurried():
        inside = _policy_of_a_new_thread()

    assert inside == os.SCHED_BATCH
    assert (os.sched_getscheduler(0), _policy_of_a_new_thread()) == before == (os.SCHED_OTHER, os.SCHED_OTHER)


def test_another_policy_of_the_whole_process_stays() -> None:
    """Given a process that its operator has made a batch process, it is one afterwards."""
    found: list[int] = []

    def begin() -> None:
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
        with unhurried():
            pass
        found.append(os.sched_getscheduler(0))

    thread = threading.Thread(target=begin)
    thread.start()
    thread.join()

    assert found == [os.SCHED_BATCH]
