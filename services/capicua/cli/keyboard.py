"""Lines typed by a person or sent through a pipe, without stopping the event loop."""

from __future__ import annotations

import asyncio
import os
import sys
import threading


class Keyboard:
    """Standard input, read by a thread of its own: a terminal, a pipe or a file alike.

    It reads no more than one line ahead of what is asked for, so an endless pipe does no harm.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._room = threading.Semaphore(1)
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    async def line(self) -> str | None:
        """The next line without its end and without spaces around it; None at the end of the input."""
        line = await self._lines.get()
        if line is None:
            self._lines.put_nowait(None)
        else:
            self._room.release()
        return line

    def _read(self) -> None:
        # The file descriptor itself: a thread stopped inside `sys.stdin` would spoil Python's exit.
        descriptor = sys.stdin.fileno()
        rest = b""
        try:
            while data := os.read(descriptor, 4096):
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    self._put(line.decode(errors="replace").strip())
            if rest:
                self._put(rest.decode(errors="replace").strip())
            self._put(None)
        except RuntimeError:
            return  # the event loop is closed: nobody asks any more

    def _put(self, line: str | None) -> None:
        self._room.acquire()
        self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
