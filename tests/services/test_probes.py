"""What a server process says of itself over HTTP."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capicua.runtime import probes as module
from capicua.runtime.histogram import BOUNDS_US, Histogram
from capicua.runtime.probes import Probes


@pytest.fixture
async def probes() -> AsyncIterator[Probes]:
    """Stopped afterwards."""
    made = Probes()
    yield made
    await made.stop()


def get(port: int, path: str, host: str = "127.0.0.1") -> tuple[int, str]:
    """Status and body."""
    try:
        with urlopen(f"http://{host}:{port}{path}", timeout=10) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as refused:
        with refused:
            return refused.code, refused.read().decode()


async def test_ready_is_what_all_conditions_say(probes: Probes) -> None:
    """A process is ready while every condition holds, and alive all the time."""
    conditions = {"loaded": True, "going on": True}
    for name in conditions:
        probes.ready_when(lambda name=name: conditions[name])  # type: ignore[misc]
    port = probes.start("127.0.0.1:0")

    for name in conditions:
        assert (await asyncio.to_thread(get, port, "/readyz")) == (200, "ready\n")
        conditions[name] = False
        assert (await asyncio.to_thread(get, port, "/readyz")) == (503, "not ready\n")
        assert (await asyncio.to_thread(get, port, "/healthz")) == (200, "alive\n")
        conditions[name] = True


async def test_a_stuck_event_loop_is_not_alive(probes: Probes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks gets an answer, though the event loop does not come to give one."""
    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.05)
    port = probes.start("127.0.0.1:0")
    said: list[tuple[int, str]] = []
    asking = threading.Thread(target=lambda: said.append(get(port, "/healthz")))

    asking.start()
    asking.join()  # the loop stands still meanwhile

    assert said == [(503, "stuck\n")]


async def test_an_address_in_use_is_one_sentence(probes: Probes) -> None:
    """The process says which address it cannot have."""
    port = probes.start("127.0.0.1:0")

    with pytest.raises(OSError, match=rf"cannot listen on 127\.0\.0\.1:{port} for metrics"):
        Probes().start(f"127.0.0.1:{port}")


async def test_other_paths_are_not_there(probes: Probes) -> None:
    """Nothing but the three."""
    port = probes.start("127.0.0.1:0")

    assert (await asyncio.to_thread(get, port, "/"))[0] == 404
    assert "process_cpu_seconds_total" in (await asyncio.to_thread(get, port, "/metrics?name=x"))[1]


@given(st.lists(st.integers(0, 2 * BOUNDS_US[-1])))
def test_a_histogram_counts_what_is_not_longer(lengths: list[int]) -> None:
    """Each bucket holds all lengths up to its bound; the last one holds all."""
    histogram = Histogram()
    for us in lengths:
        histogram.add(us)

    bounds = [round(float(bound) * 1e6) for bound, _ in histogram.buckets()[:-1]]
    assert bounds == list(BOUNDS_US)
    assert [count for _, count in histogram.buckets()[:-1]] == [sum(us <= b for us in lengths) for b in bounds]
    assert histogram.buckets()[-1] == ("+Inf", len(lengths))
    assert histogram.total_us == sum(lengths)
