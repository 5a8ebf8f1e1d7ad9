"""One client connection: an outbox that never makes anybody else wait."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.game_service_pb2 import SessionResponse
from capicua.api.v1.update_pb2 import CommandAnswer, Frame, Notice, Refusal
from capicua.gateway.turns import Turns
from capicua.runtime.refusals import refusal
from capicua.runtime.transport import Stream

MAX_WAITING_BYTES = 256 * 1024
"""A reader this far behind is cut off and resumes from its last seq."""
MAX_WAITING_TALK = 16 * 1024
"""Talk beyond this is dropped; it never counts against a reader."""


class Connection:
    """Frames on their way to one client. All that waits goes out as one message: field `frames`
    has the same number in SessionResponse and in WatchGameResponse, so the same bytes serve both."""

    __slots__ = (
        "_end",
        "_ending",
        "_heard",
        "_size",
        "_stream",
        "_turns",
        "_waiting",
        "_wake",
        "opened_ms",
        "player_id",
        "watched",
    )

    def __init__(self, player_id: str, stream: Stream, opened_ms: int = 0, turns: Turns | None = None) -> None:
        """One of a crowd that is told the same takes `turns` with the others; a player is told at once."""
        self.player_id = player_id
        self.opened_ms = opened_ms
        self.watched: set[str] = set()
        """Games of which more may come."""
        self._stream = stream
        self._turns = turns
        self._waiting: list[bytes] = []
        self._size = 0
        self._heard = 0
        """Bytes of talk that wait, besides `_size`."""
        self._wake: asyncio.Future[None] | None = None
        self._ending = False
        self._end: asyncio.Future[Refusal | None] = asyncio.get_running_loop().create_future()

    def send(self, frames: bytes, seq: int = 0) -> None:
        """Queue encoded frames; past the bound the connection ends with RESYNC."""
        self._waiting.append(frames)
        self._size += len(frames)
        if self._size > MAX_WAITING_BYTES:
            self.cut(
                refusal(
                    reasons.ERROR_REASON_RESYNC,
                    "the connection reads too slowly: connect again with the last seq seen",
                )
            )
        else:
            self._go_on()

    def hear(self, frames: bytes) -> None:
        """Queue encoded frames of talk, or drop them where much talk waits already."""
        if self._heard + len(frames) <= MAX_WAITING_TALK:
            self._waiting.append(frames)
            self._heard += len(frames)
            self._go_on()

    def _go_on(self) -> None:
        if self._wake is not None:
            if self._turns is None:
                self._wake.set_result(None)
            else:
                self._turns.wake(self._wake)
            self._wake = None

    def answer(self, answer: CommandAnswer) -> None:
        """Queue the answer to a command."""
        response = SessionResponse()
        response.frames.add().answer.CopyFrom(answer)
        self.send(response.SerializeToString())

    def notice(self, game_id: str, refused: Refusal) -> None:
        """Queue the refusal of something that was no command; a newer session elsewhere ends this one."""
        self.watched.discard(game_id)
        if refused.reason == reasons.ERROR_REASON_SUPERSEDED:
            self.cut(refused)
            return
        notice = Notice(game_id=game_id, refusal=refused)
        self.send(SessionResponse(frames=[Frame(notice=notice)]).SerializeToString())

    def not_said(self, game_id: str, refused: Refusal) -> None:
        """Queue the refusal of talk, which is talk itself: whoever floods gets no flood."""
        notice = Notice(game_id=game_id, refusal=refused, say=True)
        self.hear(SessionResponse(frames=[Frame(notice=notice)]).SerializeToString())

    def ended(self, game_id: str) -> None:
        """A game is over; the connection goes on for others."""
        self.watched.discard(game_id)

    def finish(self) -> None:
        """End once all that waits is written."""
        self._ending = True
        if self._wake is not None:
            self._wake.set_result(None)
            self._wake = None

    def cut(self, refused: Refusal) -> None:
        """End now, with a reason; what waits is dropped."""
        self._waiting.clear()
        self._size = self._heard = 0
        if not self._end.done():
            self._end.set_result(refused)

    async def run(self, read: Coroutine[None, None, None] | None = None, first: Iterable[bytes] = ()) -> Refusal | None:
        """Write, and `read`, until the connection ends; gives the reason, if there is one.

        What is `first` is written before all else, at the pace of the reader, and not counted as waiting.
        The connection ends when it is finished or cut, when `read` returns, or with the call itself.
        """
        pump = asyncio.ensure_future(self._pump(first))
        tasks = [pump] if read is None else [pump, asyncio.ensure_future(read)]
        for task in tasks:
            task.add_done_callback(self._task_done)
        try:
            return await self._end
        finally:
            if self._wake is None:
                # It may be in the middle of a write, which must come to its end, and stops by itself then.
                self._stream.last_write = pump
                tasks.remove(pump)
            for task in tasks:
                task.cancel()
            # An answer may still come, and must find nobody to wake.
            self._wake = None

    def _task_done(self, task: asyncio.Task[None]) -> None:
        failure = None if task.cancelled() else task.exception()
        if self._end.done() or task.cancelled():
            return
        # The peer going away in the middle of a read or write is an ordinary end.
        if failure is None or isinstance(failure, asyncio.InvalidStateError):
            self._end.set_result(None)
        else:
            self._end.set_exception(failure)

    async def _pump(self, first: Iterable[bytes]) -> None:
        loop = asyncio.get_running_loop()
        for data in first:
            await self._stream.write(data)
            if self._end.done():
                return
        while not self._end.done():
            if self._waiting:
                data = b"".join(self._waiting)
                self._waiting.clear()
                self._size = self._heard = 0
                await self._stream.write(data)
            elif self._ending:
                return
            else:
                self._wake = loop.create_future()
                await self._wake
