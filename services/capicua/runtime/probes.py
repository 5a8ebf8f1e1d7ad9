"""The HTTP side of a server process: its metrics for Prometheus, and whether it is alive and ready."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Coroutine, Iterable, Iterator
from concurrent.futures import CancelledError
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from threading import Thread

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, GCCollector, Metric, ProcessCollector
from prometheus_client import generate_latest as exposition
from prometheus_client.registry import Collector

ANSWER_SECONDS = 2.0
"""An event loop that takes longer than this to answer is taken for stuck."""
PLAIN = "text/plain; charset=utf-8"
Answer = tuple[int, str, bytes]
"""HTTP status, content type, body."""


class Probes(Collector):
    """`/metrics`, `/healthz` (the event loop answers) and `/readyz`, all read-only.

    HTTP is spoken in threads of its own, but each answer is made in the event loop: figures are those of one
    instant, and a loop that is stuck is found out.
    """

    def __init__(self) -> None:
        self._sources: list[Callable[[], Iterable[Metric]]] = []
        self._conditions: list[Callable[[], bool]] = []
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)
        GCCollector(registry=self._registry)
        self._server: _Server | None = None

    def show(self, source: Callable[[], Iterable[Metric]]) -> None:
        """Show the metrics that `source` gives. It is asked at each reading, so that a move need not tell."""
        self._sources.append(source)

    def ready_when(self, condition: Callable[[], bool]) -> None:
        """Be ready only while `condition` holds, and all others."""
        self._conditions.append(condition)

    def collect(self) -> Iterator[Metric]:
        """All metrics as they stand."""
        return chain.from_iterable(source() for source in self._sources)

    def start(self, listen: str) -> int:
        """Listen on "host:port"; gives the port. Raises OSError if the address cannot be had."""
        host, _, port = listen.rpartition(":")
        kind = _Server6 if host.startswith("[") else _Server
        try:
            self._server = kind((host.strip("[]"), int(port)), self._answer)
        except OSError as failure:
            raise OSError(f"cannot listen on {listen} for metrics: {failure.strerror}") from failure
        Thread(target=self._server.serve_forever, args=(0.1,), daemon=True, name="probes").start()
        return int(self._server.server_address[1])

    async def stop(self) -> None:
        """Answer no more."""
        if self._server is not None:
            await asyncio.to_thread(self._server.shutdown)
            self._server.server_close()

    async def _answer(self, path: str) -> Answer:
        if path == "/metrics":
            return 200, CONTENT_TYPE_LATEST, exposition(self._registry)
        if path == "/healthz":
            return 200, PLAIN, b"alive\n"
        if path == "/readyz":
            ready = all(condition() for condition in self._conditions)
            return (200, PLAIN, b"ready\n") if ready else (503, PLAIN, b"not ready\n")
        return 404, PLAIN, b"/metrics, /healthz and /readyz are here\n"


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], answer: Callable[[str], Coroutine[None, None, Answer]]) -> None:
        super().__init__(address, _Handler)
        self._ask = answer
        self._loop = asyncio.get_running_loop()

    def answer(self, path: str) -> Answer:
        """What the event loop says to a request; a thread of its own waits for it."""
        asked = asyncio.run_coroutine_threadsafe(self._ask(path), self._loop)
        try:
            return asked.result(ANSWER_SECONDS)
        except (TimeoutError, CancelledError):
            return 503, PLAIN, b"stuck\n"


class _Server6(_Server):
    address_family = socket.AF_INET6


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = ANSWER_SECONDS

    def do_GET(self) -> None:
        """Answer, and close."""
        status, kind, body = self.server.answer(self.path.partition("?")[0])
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing: probes come every few seconds."""
