"""What commands were answered, so that each is carried out once (I-3)."""

from __future__ import annotations

from collections import OrderedDict

from capicua.api.v1.update_pb2 import Accepted
from capicua.game_actor.history import last_seq
from capicua.game_actor.request import Request
from capicua.log.v1 import entry_pb2 as log
from capicua.store.store import Store

REMEMBERED = 64
"""Answers kept in memory; older ones are found in the log by their expected seq."""


class Answers:
    """The newest accepted commands of one game, and the way to the older ones."""

    def __init__(self, store: Store, game_id: str) -> None:
        self._store = store
        self._game_id = game_id
        self._seqs: OrderedDict[tuple[int | None, str], int] = OrderedDict()

    def find(self, request: Request) -> Accepted | None:
        """The answer that this very command got lately."""
        if not request.request_id:
            return None
        seq = self._seqs.get((request.seat, request.request_id))
        return None if seq is None else Accepted(seq=seq)

    def add(self, seat: int | None, request_id: str, seq: int) -> None:
        """Keep an answer."""
        if request_id:
            self._seqs[seat, request_id] = seq
            if len(self._seqs) > REMEMBERED:
                self._seqs.popitem(last=False)

    def clear(self) -> None:
        """Forget them: the log has become another."""
        self._seqs.clear()

    async def at(self, first_seq: int) -> Accepted:
        """The answer to the command whose first event has this seq. Raises StoreUnavailable."""
        data = await self._store.entry(self._game_id, first_seq)
        return Accepted(seq=first_seq if data is None else last_seq(first_seq, log.Entry.FromString(data)))

    async def look_up(self, request: Request) -> Accepted | None:
        """The answer in the log: the command's entry lies right after its expected seq. Raises StoreUnavailable."""
        if not request.request_id or request.expected_seq is None:
            return None
        first_seq = request.expected_seq + 1
        while True:
            data = await self._store.entry(self._game_id, first_seq)
            if data is None:
                return None
            entry = log.Entry.FromString(data)
            if entry.events[0].WhichOneof("event") not in ("clock_restored", "seed_given", "seat_quit"):
                break
            # These do not make a command stale, so the command may lie behind them.
            first_seq = last_seq(first_seq, entry) + 1
        if entry.request_id != request.request_id or not entry.HasField("seat") or entry.seat != request.seat:
            return None
        return Accepted(seq=last_seq(first_seq, entry))
