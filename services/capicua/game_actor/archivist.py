"""Rates finished games and moves them to the archive, behind the back of those that are played."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import structlog

from capicua.game_actor.history import History, fold
from capicua.game_actor.rater import Rater
from capicua.store.archive import Archive, ArchiveDamaged, Entries, Summary
from capicua.store.store import FINISHED_SECONDS, Store, StoreUnavailable

logger = structlog.get_logger()

FIRST_WAIT = 1.0
LONGEST_WAIT = 60.0
"""Seconds from one try to the next while the archive stays away."""
SETTLE_SECONDS = 5.0


class NotMoved(Exception):
    """The game stays in the store, and trying again would not help."""


class Archivist:
    """One game at a time is rated, put into the archive, read back, compared, and only then dropped from the store.

    Whatever is cut short is begun again by the next owner of the shard, for the game stays in the store's index
    of finished games until its log is gone; what was done already changes nothing. Without an archive the store
    drops the log by itself, after FINISHED_SECONDS. A game is rated when it ends, too: ratings must not wait for
    an archive that is away.
    """

    def __init__(self, store: Store, archive: Archive | None) -> None:
        self._store = store
        self._archive = archive
        self._rater = Rater(store)
        self._waiting: dict[str, None] = {}
        self._working: asyncio.Task[None] | None = None
        self._moving: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        """How many games wait to be moved."""
        return len(self._waiting)

    def ended(self, game_id: str) -> None:
        """A game is over: put it into the index, rate it, and move it."""
        task = asyncio.ensure_future(self._index(game_id))
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    def take(self, game_ids: Iterable[str]) -> None:
        """Move these games of the index."""
        self._waiting.update(dict.fromkeys(game_ids))
        if self._waiting and (self._working is None or self._working.done()):
            self._working = asyncio.ensure_future(self._work())

    async def close(self) -> None:
        """Finish the move that is under way; what is left is for the next owner."""
        for task in (*self._ending, self._working):
            if task is not None:
                task.cancel()
        if self._moving is not None:
            await asyncio.wait([self._moving], timeout=SETTLE_SECONDS)
            self._moving.cancel()

    async def _index(self, game_id: str) -> None:
        try:
            await self._store.set_finished(game_id)
            await self._rater.ended(game_id)
        except StoreUnavailable as failure:
            # The log says that it is over: the next start puts the index right.
            logger.warning("end_not_indexed", game=game_id, error=str(failure))
        except Exception:
            logger.exception("game_not_rated", game=game_id)
        self.take([game_id])

    async def _work(self) -> None:
        wait = FIRST_WAIT
        while self._waiting:
            game_id = next(iter(self._waiting))
            try:
                self._moving = asyncio.ensure_future(self._move(game_id))
                await asyncio.shield(self._moving)
            except StoreUnavailable as failure:
                logger.warning("archive_away", game=game_id, waiting=len(self._waiting), error=str(failure))
                await asyncio.sleep(wait)
                wait = min(wait * 2, LONGEST_WAIT)
                # Behind the others: it may be this one alone that is not taken.
                del self._waiting[game_id]
                self._waiting[game_id] = None
                continue
            except (NotMoved, ArchiveDamaged) as fault:
                logger.error("game_not_archived", game=game_id, error=str(fault))
            except Exception:
                logger.exception("game_unreadable", game=game_id)
            wait = FIRST_WAIT
            del self._waiting[game_id]

    async def _move(self, game_id: str) -> None:
        stored = await self._store.read(game_id)
        end = stored[-1][0] if stored else 0
        family = await self._rater.rate(game_id, stored)
        if self._archive is None:
            await self._store.trim(game_id, end, FINISHED_SECONDS)
        else:
            await _put(self._archive, game_id, stored)
            if not await self._store.trim(game_id, end):
                raise NotMoved("somebody wrote to the log after the game had ended")
            logger.debug("game_archived", game=game_id, entries=len(stored))
        if family is not None:
            await self._store.forget_rated(family, game_id)


async def _put(archive: Archive, game_id: str, stored: Entries) -> None:
    """Keep a game, and prove it by reading."""
    if stored and (history := await fold(stored)).complete:
        await archive.put(game_id, stored, _summary(history))
    kept = await archive.entries(game_id)
    # A fail-over may have taken the end of a log that was archived before.
    if kept[: len(stored)] != stored:
        why = "the archive holds another game of this id" if kept else "the log does not lead to the game's end"
        raise NotMoved(why)


def _summary(history: History) -> Summary:
    facts, times = history.facts, [entry.time_ms for _, entry in history.entries]
    return Summary(facts.variant, facts.seats, started_ms=times[0], ended_ms=times[-1])
