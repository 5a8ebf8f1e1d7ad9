"""Thinking: where a bot's choices are made, so that no stream waits for them."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from random import Random
from types import TracebackType

from capicua.bots.knowledge import Knowledge
from capicua.bots.levels import DEEP, LEVELS
from capicua.engine.legal import Play

SECONDS = 0.05
"""The most processor time that a bot takes for a play."""
_PATIENCE_SECONDS = 5
"""After so long a choice is given up: many may wait in line, but none forever."""


class Thinking:
    """Makes choices: the quick levels in this process, the deep ones in worker processes that all bots share.

    The workers start with the first deep choice, and end with the context or with this process.
    """

    def __init__(self) -> None:
        self._workers: Executor | None = None

    async def choose(self, level: str, knowledge: Knowledge) -> Play:
        """One of the legal plays. Raises TimeoutError, BrokenExecutor, or what went wrong in the level itself.

        Where a worker was lost the next choice gets new ones.
        """
        if level not in DEEP or len(knowledge.legal) == 1:
            return LEVELS[level](knowledge, Random(), SECONDS)
        if self._workers is None:
            self._workers = _workers()
        workers = self._workers
        chosen = asyncio.get_running_loop().run_in_executor(workers, _choose, level, knowledge)
        try:
            return await asyncio.wait_for(chosen, _PATIENCE_SECONDS)
        except BrokenExecutor:
            if self._workers is workers:
                self.close()
            raise

    def close(self) -> None:
        """End the workers without waiting for them."""
        if self._workers is not None:
            self._workers.shutdown(wait=False, cancel_futures=True)
            self._workers = None

    def __enter__(self) -> Thinking:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _workers() -> Executor:
    # A fork would copy the threads of gRPC in whatever state they are.
    spawn = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(max(1, (os.cpu_count() or 1) - 1), mp_context=spawn, initializer=_begin)


def _begin() -> None:
    """Leave Ctrl-C to the parent, and do not outlive it: not even if it was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(0)


def _choose(level: str, knowledge: Knowledge) -> Play:
    # A choice that never ends takes its worker with it.
    signal.alarm(_PATIENCE_SECONDS)
    try:
        return LEVELS[level](knowledge, Random(), SECONDS)
    finally:
        signal.alarm(0)
