"""Log lines: one JSON object or one console line each, on standard error."""

from __future__ import annotations

import logging
import sys
from typing import Any

import msgspec
import structlog

_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING}


def set_up_logs(log_format: str, log_level: str) -> None:
    """Configure structlog once for the process: `log_format` "json" or "console"."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    factory: Any
    if log_format == "json":
        processors = [
            *shared,
            structlog.processors.dict_tracebacks,
            structlog.processors.JSONRenderer(serializer=lambda event, **_: msgspec.json.encode(event)),
        ]
        factory = structlog.BytesLoggerFactory(sys.stderr.buffer)
    else:
        processors = [*shared, structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())]
        factory = structlog.PrintLoggerFactory(sys.stderr)
    structlog.configure(
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[log_level]),
        logger_factory=factory,
        cache_logger_on_first_use=True,
    )
