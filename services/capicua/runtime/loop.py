"""The event loop: uvloop where there is one."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run `main` to its end on the fastest loop there is."""
    try:
        import uvloop
    except ImportError:  # no wheel for this platform
        return asyncio.run(main)
    return uvloop.run(main)
