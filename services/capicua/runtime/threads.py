"""Threads that interrupt no others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def unhurried() -> Iterator[None]:
    """Let this thread while inside, and those that it begins there for ever, interrupt nobody on the processor.

    gRPC's own thread wakes for every message, and would each time stop the event loop in the middle of its work; so
    would one process of many the others. On Linux alone is there such a kind of threads; elsewhere, or where we may
    not choose it, nothing is different.
    """
    try:
        ordinary = os.sched_getscheduler(0) == os.SCHED_OTHER
        if ordinary:
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    except (AttributeError, OSError):
        ordinary = False
    try:
        yield
    finally:
        if ordinary:
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
