"""Quick match: one queue for each kind of game that somebody wants."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.table_service_pb2 import Assignment, Waiting
from capicua.api.v1.types_pb2 import GameOptions, Seat, TableOptions
from capicua.api.v1.update_pb2 import Refusal
from capicua.matchmaking.pairing import Queue, Ticket
from capicua.matchmaking.seating import start_game
from capicua.runtime.clock import Clock
from capicua.runtime.ids import new_id
from capicua.runtime.ports import GameActor, TicketTold
from capicua.runtime.refusals import refusal, short_name

log = structlog.get_logger()

OPEN = TableOptions(public=True, spectators=True)
"""Whoever plays with strangers may be watched by strangers."""


class QuickMatch:
    """The queues, and what each waiting player is told."""

    def __init__(self, actor: GameActor, clock: Clock, bot_fill_seconds: float) -> None:
        self._actor = actor
        self._clock = clock
        self._bot_fill_ms = round(bot_fill_seconds * 1000)
        self._queues: dict[bytes, Queue] = {}
        self._alarms: dict[bytes, asyncio.TimerHandle] = {}
        self._waiting: dict[str, tuple[bytes, Seat, TicketTold]] = {}
        self._starting: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._waiting)

    async def enqueue(
        self, player: Seat, options: GameOptions, told: TicketTold, waited_ms: int = 0
    ) -> Callable[[], None] | Refusal:
        """Queue the player, whose older ticket ends with SUPERSEDED. The result cancels."""
        checked = await self._actor.check_options(options)
        if isinstance(checked, Refusal):
            return checked
        complete = checked.options
        key = complete.SerializeToString(deterministic=True)
        if older := self._waiting.get(player.player_id):
            self._leave(player.player_id)
            older[2](refusal(reasons.ERROR_REASON_SUPERSEDED, "a newer quick match of yours took over"))
        queue = self._queues.setdefault(key, Queue(complete.seats, self._bot_fill_ms))
        queue.add(Ticket(player.player_id, self._clock() - waited_ms))
        self._waiting[player.player_id] = (key, player, told)
        self._pair(key)

        def cancel() -> None:
            mine = self._waiting.get(player.player_id)
            if mine is not None and mine[2] is told:
                self._leave(player.player_id)

        return cancel

    def _leave(self, player_id: str) -> None:
        key, _, _ = self._waiting.pop(player_id)
        self._queues[key].remove(player_id)
        self._tell_waiting(key)

    def _pair(self, key: bytes) -> None:
        queue = self._queues.get(key)
        if queue is None:
            return
        while players := queue.pop_table(self._clock()):
            people = [self._waiting.pop(player_id) for player_id in players]
            task = asyncio.ensure_future(self._start(key, people))
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)
        self._tell_waiting(key)

    def _tell_waiting(self, key: bytes) -> None:
        queue = self._queues[key]
        if alarm := self._alarms.pop(key, None):
            alarm.cancel()
        fill_at = queue.fill_at_ms()
        if fill_at is None:
            del self._queues[key]
            return
        left = max(0, fill_at - self._clock())
        # Rung again as long as somebody waits: the loop's clock and ours may differ by a little.
        self._alarms[key] = asyncio.get_running_loop().call_later(max(1, left) / 1000, self._pair, key)
        news = Waiting(waiting=len(queue), seats=queue.seats, bot_fill_ms=left)
        for ticket in queue:
            self._waiting[ticket.player_id][2](news)

    async def _start(self, key: bytes, people: list[tuple[bytes, Seat, TicketTold]]) -> None:
        options = GameOptions.FromString(key)
        players = [player for _, player, _ in people]
        game_id, table_id = new_id("g"), new_id("t")
        refused = await start_game(self._actor, game_id, table_id, players, options, OPEN)
        if refused is not None:
            log.warning("pairing_failed", reason=short_name(refused.reason), players=len(players))
        for seat, (_, _, told) in enumerate(people):
            told(refused or Assignment(game_id=game_id, seat=seat, table_id=table_id))

    def drop(self) -> None:
        """Send everybody who waits to the next owner of the tickets."""
        moved = refusal(reasons.ERROR_REASON_UNAVAILABLE, "the queue has moved: ask again")
        for alarm in self._alarms.values():
            alarm.cancel()
        waiting, self._waiting = self._waiting, {}
        self._queues, self._alarms = {}, {}
        for _, _, told in waiting.values():
            told(moved)
