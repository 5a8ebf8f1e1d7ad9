"""A crew of bots: players like any other, each with one session for all of its games."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable

from capicua.api.v1.types_pb2 import Tile
from capicua.api.v1.update_pb2 import View
from capicua.bots.knowledge import Memory
from capicua.bots.levels import DEFAULT
from capicua.bots.thinking import Thinking
from capicua.client import Game, Refused, connect
from capicua.engine.tiles import PIPS

log = logging.getLogger(__name__)


async def run_crew(address: str, tokens: Iterable[str], pause: float = 0, patience: float | None = None) -> None:
    """Play every seat that the players behind `tokens` hold or get, until cancelled.

    The server at "host:port" may come and go; Unreachable is raised after `patience` seconds without it.
    `pause` is the time in seconds that a bot takes for an ordinary play: less where there is no choice, more
    where there is much. Raises the first Refused that is not cured by trying again, for example of a token that
    the server did not sign.
    """
    with Thinking() as thinking:
        async with asyncio.TaskGroup() as bots:
            for token in tokens:
                bots.create_task(_run_bot(address, token, thinking, pause, patience))


async def _run_bot(address: str, token: str, thinking: Thinking, pause: float, patience: float | None) -> None:
    async with connect(address, token=token, patience=patience) as client, asyncio.TaskGroup() as games:
        playing: set[str] = set()

        async def play_seat(game_id: str) -> None:
            try:
                await _play(await client.watch(game_id), thinking, pause)
            except Refused as no:
                # One lost game must not take the bot's other games with it.
                log.warning("bot left game %s: %s", game_id, no)
            finally:
                playing.discard(game_id)

        async for seat in client.seats():
            if seat.game_id not in playing:
                playing.add(seat.game_id)
                games.create_task(play_seat(seat.game_id))


async def play(game: Game, level: str = "") -> None:
    """Play the own seat of `game` to its end at a level of LEVELS; "" is that of the game's bots."""
    with Thinking() as thinking:
        await _play(game, thinking, 0, level)


async def _play(game: Game, thinking: Thinking, pause: float, level: str = "") -> None:
    memory = Memory(game.view)
    async for item in game:
        memory.take(item)
        if not (game.my_turn and game.view.legal):
            continue
        knowledge = memory.knowledge()
        await asyncio.sleep(pause * difficulty(len(knowledge.legal)) if people_play(game.view) else 0)
        try:
            tile, end = await thinking.choose(level or game.view.bots or DEFAULT, knowledge)
        except Exception:
            # The turn expires and the server plays; the next turn is another chance.
            log.exception("bot could not choose in %s", game.game_id)
            continue
        high, low = PIPS[tile]
        try:
            await game.play(Tile(high=high, low=low), end)
        except Refused as no:
            # The turn expired meanwhile: what happened instead is on its way.
            log.debug("bot's play in %s came too late: %s", game.game_id, no)


def people_play(view: View) -> bool:
    """Whether anybody sits there for whom bots take their time: people who are neither gone nor away."""
    gone = {*view.dropped, *view.away}
    return any(not seat.bot and seat.seat not in gone for seat in view.seats)


def difficulty(plays: int) -> float:
    """How long a choice between so many plays takes beside an ordinary one: people see at once what they must play."""
    return 0.75 + 0.3 * (min(plays, 6) - 1)
