"""A crew of bots: players like any other, each with one session for all of its games."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from random import Random

from capicua.api.v1.types_pb2 import Tile
from capicua.bots.knowledge import Memory
from capicua.bots.levels import LEVELS
from capicua.client import Game, Refused, connect
from capicua.engine.tiles import PIPS

log = logging.getLogger(__name__)

SECONDS = 0.05
"""The most that a bot thinks about a play."""


async def run_crew(address: str, tokens: Iterable[str], think: float = 0, patience: float | None = None) -> None:
    """Play every seat that the players behind `tokens` hold or get, until cancelled.

    The server at "host:port" may come and go; Unreachable is raised after `patience` seconds without it.
    `think` is a pause in seconds before each play. Raises the first Refused that is not cured by trying again,
    for example of a token that the server did not sign.
    """
    async with asyncio.TaskGroup() as bots:
        for token in tokens:
            bots.create_task(_run_bot(address, token, think, patience))


async def _run_bot(address: str, token: str, think: float, patience: float | None) -> None:
    async with connect(address, token=token, patience=patience) as client, asyncio.TaskGroup() as games:
        playing: set[str] = set()

        async def play_seat(game_id: str) -> None:
            try:
                await play(await client.watch(game_id), think)
            except Refused as no:
                # One lost game must not take the bot's other games with it.
                log.warning("bot left game %s: %s", game_id, no)
            finally:
                playing.discard(game_id)

        async for seat in client.seats():
            if seat.game_id not in playing:
                playing.add(seat.game_id)
                games.create_task(play_seat(seat.game_id))


async def play(game: Game, think: float = 0, level: str = "greedy") -> None:
    """Play the own seat of `game` to its end at a level of LEVELS."""
    choose, memory, chance = LEVELS[level], Memory(game.view), Random()
    async for item in game:
        memory.take(item)
        if not (game.my_turn and game.view.legal):
            continue
        if think:
            await asyncio.sleep(think)
        tile, end = choose(memory.knowledge(), chance, SECONDS)
        high, low = PIPS[tile]
        try:
            await game.play(Tile(high=high, low=low), end)
        except Refused as no:
            # The turn expired meanwhile: what happened instead is on its way.
            log.debug("bot's play in %s came too late: %s", game.game_id, no)
