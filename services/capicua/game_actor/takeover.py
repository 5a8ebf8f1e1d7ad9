"""Taking running games over from an owner that is gone."""

from __future__ import annotations

import asyncio

import structlog

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.update_pb2 import Refusal
from capicua.engine import Phase, RestoreClock
from capicua.game_actor.game import Answer, Request
from capicua.game_actor.history import read_latest
from capicua.game_actor.registry import Registry
from capicua.runtime.store import StoreUnavailable

logger = structlog.get_logger()


async def take_over(registry: Registry, gone_since_ms: int) -> None:
    """Load every running game and, by an entry of our own, shut any earlier owner out (I-4).

    The time since `gone_since_ms` (0: unknown), in which no move could be accepted, is given back (I-8).
    A game whose log cannot be read stays as it is, reported; the others go on.
    """
    running = await registry.store.running()
    for game_id in running:
        try:
            await _take(registry, game_id, gone_since_ms)
        except StoreUnavailable:
            raise
        except Exception:
            logger.exception("game_unreadable", game=game_id)
    if running:
        logger.info("games_taken_over", games=len(registry), of=len(running), epoch=registry.epoch)


async def _take(registry: Registry, game_id: str, gone_since_ms: int) -> None:
    while True:
        history = await read_latest(registry.store, game_id)
        if history is None or history.state.phase is Phase.OVER:
            await registry.store.set_finished(game_id)
            return
        game = registry.new_game(game_id, history.facts, history.state)
        for first_seq, entry in history.entries:
            game.remember(entry, first_seq)
        turn_began_ms = history.state.deadline_ms - history.state.setup.turn_ms
        gone_ms = registry.clock() - (gone_since_ms or turn_began_ms)
        claimed: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        game.submit(Request(RestoreClock(max(0, gone_ms)), claimed.set_result))
        answer = await claimed
        if not isinstance(answer, Refusal):
            registry.add(game)
            return
        if answer.reason != reasons.ERROR_REASON_UNAVAILABLE:
            raise RuntimeError(answer.message)
        # The earlier owner wrote one more entry before it was shut out: read again.
