"""The shards this actor owns: their games come, are played, and are handed over."""

from __future__ import annotations

import asyncio

import structlog

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.update_pb2 import Refusal
from capicua.engine import Command, Phase, RestoreClock
from capicua.game_actor.game import Game
from capicua.game_actor.history import read_latest
from capicua.game_actor.registry import Registry
from capicua.game_actor.request import Answer, Request
from capicua.links.installation import Held
from capicua.store.store import StoreUnavailable

logger = structlog.get_logger()

RETRY_SECONDS = 0.5


class Outdated(Exception):
    """A newer owner has written already: who has slept over its lease may write nothing more (I-4)."""


class Shards:
    """Follows the leases: `taken`, `lost` and `give` are what they report.

    A shard counts as ours once all its games are loaded and, by an entry of our own in each log, any earlier
    owner is shut out (I-4). The time in which no move could be accepted is given back (I-8).
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._loading: dict[int, asyncio.Task[None]] = {}

    def taken(self, shard: int, held: Held) -> None:
        """Load the games of a shard."""
        task = self._loading[shard] = asyncio.ensure_future(self._load(shard, held))
        task.add_done_callback(lambda done: self._loaded(shard, done))

    def lost(self, shard: int) -> None:
        """Somebody else owns the shard: drop its games, whatever is under way."""
        if task := self._loading.pop(shard, None):
            task.cancel()
        self._registry.epochs.pop(shard, None)
        for game in self._registry.of_shard(shard):
            game.drop()

    async def give(self, shards: set[int]) -> None:
        """Finish what is under way in these shards and play no more in them."""
        for shard in shards:
            if task := self._loading.pop(shard, None):
                task.cancel()
            self._registry.epochs.pop(shard, None)
        await asyncio.gather(*(game.settle() for shard in shards for game in self._registry.of_shard(shard)))

    @property
    def loading(self) -> int:
        """How many shards are not ready yet."""
        return len(self._loading)

    async def ready(self) -> None:
        """Wait until every shard taken so far is loaded."""
        while self._loading:
            await asyncio.wait(tuple(self._loading.values()))

    def _loaded(self, shard: int, done: asyncio.Task[None]) -> None:
        if self._loading.get(shard) is done:
            del self._loading[shard]

    async def _load(self, shard: int, held: Held) -> None:
        registry = self._registry
        while True:
            try:
                running = await registry.store.running(shard)
                # One that cannot be read stays as it is, reported; the others go on.
                for game_id in running:
                    await self.claim(game_id, held)
                registry.archivist.take(await registry.store.finished(shard))
                break
            except Outdated:
                # The leases are about to say so.
                logger.warning("ownership_lost", shard=shard, epoch=held.epoch)
                return
            except StoreUnavailable as failure:
                logger.warning("shard_not_loaded", shard=shard, error=str(failure))
                await asyncio.sleep(RETRY_SECONDS)
        registry.epochs[shard] = held.epoch
        if running:
            registry.figures.games_taken_over += len(running)
            logger.info("games_taken_over", shard=shard, games=len(running), epoch=held.epoch)

    async def claim(self, game_id: str, held: Held) -> None:
        """Go on with a game of ours that is in the log only. Raises StoreUnavailable, and Outdated."""
        if self._registry.get(game_id) is not None:
            return
        try:
            await self._claim(game_id, held)
        except (StoreUnavailable, Outdated):
            raise
        except Exception:
            logger.exception("game_unreadable", game=game_id)

    async def _claim(self, game_id: str, held: Held) -> None:
        registry = self._registry
        while True:
            generation = registry.store.generation(game_id)
            history = await read_latest(registry.store, game_id)
            if history is None or history.state.phase is Phase.OVER:
                await registry.store.set_finished(game_id)
                registry.archivist.take([game_id])
                return
            if history.epoch > held.epoch:
                raise Outdated(game_id)
            game = registry.new_game(game_id, history.facts, history.state, held.epoch, generation)
            game.resume(history)
            turn_began_ms = history.state.deadline_ms - history.state.setup.turn_ms
            gone_ms = registry.clock() - (held.served_ms or turn_began_ms)
            answer = await _ask(game, RestoreClock(max(0, gone_ms)))
            if not isinstance(answer, Refusal):
                registry.add(game)
                return
            if answer.reason != reasons.ERROR_REASON_UNAVAILABLE:
                raise RuntimeError(answer.message)
            game.drop()
            # The earlier owner wrote one more entry before it was shut out: read again.


async def _ask(game: Game, command: Command) -> Answer:
    answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    def done(answer: Answer) -> None:
        # Whoever waited may be gone: the shard was lost meanwhile.
        if not answered.done():
            answered.set_result(answer)

    game.submit(Request(command, done))
    return await answered
