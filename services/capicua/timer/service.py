"""The timer: when a deadline passes, it commands expiry. What that means is the game-actor's business."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog

from capicua.internal.v1.game_actor_service_pb2 import ExpireTurnRequest
from capicua.runtime.clock import Clock
from capicua.timer.wheel import Wheel

logger = structlog.get_logger()

Expire = Callable[[ExpireTurnRequest], None]


class TimerService:
    """Watches the deadlines of running games (implements `ports.Timer`)."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._wheel = Wheel()
        self._expire: Expire = lambda _: None
        self._alarm: asyncio.TimerHandle | None = None
        self._alarm_ms: int | None = None

    @property
    def deadlines(self) -> int:
        """How many deadlines are watched."""
        return len(self._wheel)

    def bind(self, expire: Expire) -> None:
        """Say who is to be told."""
        self._expire = expire

    def schedule(self, game_id: str, turn_seq: int, deadline_ms: int) -> None:
        """Remember when a turn expires, in place of what was known of this game."""
        self._wheel.schedule(game_id, turn_seq, deadline_ms)
        if self._alarm_ms is None or deadline_ms < self._alarm_ms:
            self._set_alarm()

    def cancel(self, game_id: str) -> None:
        """Forget the game."""
        self._wheel.cancel(game_id)

    def stop(self) -> None:
        """Tell nobody any more."""
        if self._alarm is not None:
            self._alarm.cancel()

    def _set_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm_ms = self._wheel.next_look_ms()
        if self._alarm_ms is None:
            self._alarm = None
            return
        delay = max(0, self._alarm_ms - self._clock()) / 1000
        self._alarm = asyncio.get_running_loop().call_later(delay, self._ring)

    def _ring(self) -> None:
        self._alarm_ms = None
        for game_id, turn_seq in self._wheel.pop_due(self._clock()):
            try:
                self._expire(ExpireTurnRequest(game_id=game_id, turn_seq=turn_seq))
            except Exception:
                # One game that fails must not keep the others' turns from ending.
                logger.exception("expiry_failed", game=game_id)
        self._set_alarm()
