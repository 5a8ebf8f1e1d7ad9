"""Which threads may interrupt others (ADR 4)."""

from __future__ import annotations

import os
import sys
import threading

import pytest

from capicua.runtime.threads import unhurried

linux = pytest.mark.skipif(sys.platform != "linux", reason="there is one kind of threads only")


def _policy_of_a_new_thread() -> int:
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(os.sched_getscheduler(0)))
    thread.start()
    thread.join()
    return found[0]


@linux
def test_only_threads_that_begin_inside_are_unhurried() -> None:
    """Who begins them, and threads that begin later, are as they were."""
    before = os.sched_getscheduler(0), _policy_of_a_new_thread()
    with unhurried():
        inside = _policy_of_a_new_thread()

    assert inside == os.SCHED_BATCH
    assert (os.sched_getscheduler(0), _policy_of_a_new_thread()) == before == (os.SCHED_OTHER, os.SCHED_OTHER)


@linux
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


@pytest.mark.parametrize("name", ["sched_getscheduler", "sched_setscheduler"])
def test_where_threads_are_of_one_kind_all_goes_on(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a system without such calls: what is begun inside is begun."""
    monkeypatch.delattr(os, name, raising=False)
    began = False
    with unhurried():
        began = True

    assert began


@linux
def test_where_it_is_forbidden_nothing_is_different(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a container that refuses to let a process choose, it is not asked again to undo anything."""
    asked: list[int] = []

    def refuse(_: int, policy: int, __: object) -> None:
        asked.append(policy)
        raise PermissionError

    monkeypatch.setattr(os, "sched_setscheduler", refuse)
    with unhurried():
        inside = _policy_of_a_new_thread()

    assert (inside, asked) == (os.SCHED_OTHER, [os.SCHED_BATCH])
