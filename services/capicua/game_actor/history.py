"""What the log says of a game: its steps, and how to read them back."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import structlog
from google.protobuf.message import DecodeError

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.update_pb2 import Refusal
from capicua.engine import STATE_VERSION, Event, GameState, Phase, evolve, read_state, write_state
from capicua.game_actor import log_codec
from capicua.log.v1 import entry_pb2 as log
from capicua.log.v1.snapshot_pb2 import Snapshot
from capicua.runtime.refusals import refusal, store_away
from capicua.store.archive import Archive
from capicua.store.store import Store, StoreUnavailable

logger = structlog.get_logger()

YIELD_EVERY = 50


class Step(NamedTuple):
    """One event, the state after it, and when it was decided (Unix milliseconds)."""

    event: Event
    state: GameState
    time_ms: int


class History(NamedTuple):
    """A game read from the store: who plays, the newest state, and the steps and entries that led there."""

    facts: log.GameStarted
    state: GameState
    steps: list[Step]
    entries: list[tuple[int, log.Entry]]
    epoch: int = 0
    """The newest of all who wrote it."""

    @property
    def complete(self) -> bool:
        """Whether the entries lead from the first event to the end of the game, without a gap."""
        ends = [last_seq(first_seq, entry) for first_seq, entry in self.entries]
        return self.state.phase is Phase.OVER and [first_seq - 1 for first_seq, _ in self.entries] == [0, *ends[:-1]]


def delayed(facts: log.GameStarted) -> bool:
    """Whether spectators see the game late."""
    return bool(facts.delay_moves or facts.delay_seconds)


def last_seq(first_seq: int, entry: log.Entry) -> int:
    """Seq of the last event of the entry placed at `first_seq`: the answer its command got."""
    return first_seq + len(entry.events) - 1


def replay(state: GameState | None, entry: log.Entry) -> list[Step]:
    """The steps of one stored entry, from the state before it."""
    steps = []
    for stored in entry.events:
        event = log_codec.decode(stored)
        state = evolve(state, event)
        steps.append(Step(event, state, entry.time_ms))
    return steps


async def read_history(store: Store, game_id: str) -> History | None:
    """The whole log of a game, folded (I-5). None if there is no such game.

    Raises UnknownEvent for a log of a newer version, StoreUnavailable if the store does not answer.
    """
    stored = await store.read(game_id)
    return await fold(stored) if stored else None


async def find_history(store: Store, archive: Archive | None, game_id: str) -> History | Refusal:
    """The whole log of a game, or why it cannot be had: for those who ask from outside."""
    try:
        stored = await store.read(game_id)
        if not stored and archive is not None:
            stored = await archive.entries(game_id)
        if stored:
            return await fold(stored)
        return refusal(reasons.ERROR_REASON_GAME_NOT_FOUND, f"no game has the id {game_id[:64]!r}")
    except StoreUnavailable:
        return store_away()
    except Exception:
        logger.exception("game_unreadable", game=game_id)
        return refusal(reasons.ERROR_REASON_INTERNAL, "the log of this game cannot be read by this server")


def snapshot_bytes(facts: log.GameStarted, state: GameState, epoch: int) -> bytes:
    """The state at the end of an entry, to go on from there instead of from the first event."""
    return Snapshot(
        schema_version=STATE_VERSION, seq=state.seq, state=write_state(state), game_started=facts, epoch=epoch
    ).SerializeToString()


async def read_latest(store: Store, game_id: str) -> History | None:
    """A game as far as its owner needs it: the newest snapshot and the entries after it, or the whole log.

    A snapshot that cannot be read is reported and passed over: the log is the truth (I-5).
    """
    data = await store.snapshot(game_id)
    if data is not None:
        try:
            snapshot = Snapshot.FromString(data)
            if snapshot.schema_version != STATE_VERSION:
                raise ValueError("it was written by another version")
            state = read_state(snapshot.state)
        except (DecodeError, ValueError) as failure:
            logger.warning("snapshot_unreadable", game=game_id, error=str(failure))
        else:
            facts = snapshot.game_started
            # What spectators may know of a delayed game lies before its newest snapshot.
            if not delayed(facts):
                stored = await store.read(game_id, snapshot.seq + 1)
                entries = [(first_seq, log.Entry.FromString(entry)) for first_seq, entry in stored]
                return await _fold(facts, state, entries, snapshot.epoch)
    return await read_history(store, game_id)


async def fold(stored: list[tuple[int, bytes]]) -> History:
    """A whole log, read. Raises UnknownEvent for one of a newer version."""
    entries = [(first_seq, log.Entry.FromString(data)) for first_seq, data in stored]
    return await _fold(entries[0][1].events[0].game_started, None, entries, 0)


async def _fold(
    facts: log.GameStarted, state: GameState | None, entries: list[tuple[int, log.Entry]], epoch: int
) -> History:
    steps: list[Step] = []
    for number, (_, entry) in enumerate(entries, start=1):
        if number % YIELD_EVERY == 0:
            # A long game must not make the running ones wait while it is folded.
            await asyncio.sleep(0)
        steps += replay(state, entry)
        state = steps[-1].state
    assert state is not None
    return History(facts, state, steps, entries, max((entry.epoch for _, entry in entries), default=epoch))
