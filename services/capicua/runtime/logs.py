"""Log lines: one JSON object or one console line each, on standard error."""

from __future__ import annotations

import asyncio
import atexit
import logging
import sys
from datetime import UTC, datetime
from typing import Any, BinaryIO

import msgspec
import structlog
from structlog.tracebacks import ExceptionDictTransformer

_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING}


def set_up_logs(log_format: str, log_level: str) -> None:
    """Configure structlog once for the process: `log_format` "json" or "console"."""
    processors: list[Any]
    factory: Any
    # In both forms without the values of variables: hands and tokens are among them.
    if log_format == "json":
        processors = [structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False)), _json_line]
        factory = structlog.BytesLoggerFactory(_Lines(sys.stderr.buffer))  # type: ignore[arg-type]
    else:
        plain = structlog.dev.plain_traceback
        processors = [
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain),
        ]
        factory = structlog.PrintLoggerFactory(sys.stderr)
    structlog.configure(
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[log_level]),
        logger_factory=factory,
        cache_logger_on_first_use=True,
    )


def _json_line(_: Any, level: str, event: dict[str, Any]) -> bytes:
    # Every command writes a line: one step takes two thirds of the time of a processor for each of its parts.
    event["level"] = level
    event["timestamp"] = datetime.now(UTC)
    return msgspec.json.encode(event)


class _Lines:
    """Lines on their way out: written together, a tenth of a second later at the most.

    A write of its own for each line would cost a move a tenth of its time.
    """

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._waiting: list[bytes] = []
        self._scheduled = False
        atexit.register(self._write)

    def write(self, line: bytes) -> int:
        """Take a line."""
        self._waiting.append(line)
        return len(line)

    def flush(self) -> None:
        """Write soon where an event loop runs, else at once."""
        if self._scheduled:
            return
        try:
            asyncio.get_running_loop().call_later(0.1, self._write)
        except RuntimeError:
            self._write()
        else:
            self._scheduled = True

    def _write(self) -> None:
        self._scheduled = False
        self._out.write(b"".join(self._waiting))
        self._out.flush()
        self._waiting.clear()
