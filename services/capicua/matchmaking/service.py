"""Matchmaking: quick match and private tables in one place (implements `ports.Matchmaking`)."""

from __future__ import annotations

from capicua.matchmaking.quick_match import QuickMatch
from capicua.matchmaking.tables import Tables
from capicua.runtime.clock import Clock
from capicua.runtime.ports import GameActor


class MatchmakingService:
    """Keeper of tickets and waiting tables."""

    def __init__(self, actor: GameActor, clock: Clock, bot_fill_seconds: float) -> None:
        queue = QuickMatch(actor, clock, bot_fill_seconds)
        tables = Tables(actor)
        self.enqueue = queue.enqueue
        self.create_table = tables.create_table
        self.create_with_code = tables.create_with_code
        self.join_table = tables.join_table
        self.start_table = tables.start_table
        self.leave_table = tables.leave_table
        self.watch_table = tables.watch_table
