"""The lobby as a client keeps it: what is listed, and each change of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, NamedTuple

import grpc

from capicua.api.v1.game_service_pb2 import GameSummary
from capicua.api.v1.table_service_pb2 import LobbyEntry, Table, WatchLobbyResponse
from capicua.client.stream import reopened

Listed = Table | GameSummary


class Added(NamedTuple):
    """A table that can be joined, or a game that can be watched, is listed now."""

    entry: Listed


class Changed(NamedTuple):
    """A listed table or game is other than before."""

    entry: Listed


class Removed(NamedTuple):
    """It is listed no more: started, full, closed or over. `entry` is what it was."""

    entry: Listed


Change = Added | Changed | Removed


class Lobby:
    """All that is listed, by id. A new connection begins with the whole list: only what differs is a change."""

    def __init__(self) -> None:
        self.entries: dict[str, Listed] = {}
        self._not_told: set[str] = set()

    def begin(self) -> None:
        """A new connection: what it does not list is gone."""
        self._not_told = set(self.entries)

    def take(self, response: WatchLobbyResponse) -> Iterator[Change]:
        """The changes in a response, each made before it is given."""
        for change in response.changes:
            kind = change.WhichOneof("change")
            if kind == "removed":
                yield from self._remove(change.removed)
            elif kind is not None:
                yield from self._put(change.added if kind == "added" else change.changed)
        if response.complete:
            for entry_id in self._not_told:
                yield from self._remove(entry_id)
            self._not_told = set()

    def _put(self, listed: LobbyEntry) -> Iterator[Change]:
        entry: Listed = listed.table if listed.HasField("table") else listed.game
        entry_id = entry.table_id if isinstance(entry, Table) else entry.game_id
        before = self.entries.get(entry_id)
        self.entries[entry_id] = entry
        self._not_told.discard(entry_id)
        if before is None:
            yield Added(entry)
        elif before != entry:
            yield Changed(entry)

    def _remove(self, entry_id: str) -> Iterator[Change]:
        if (entry := self.entries.pop(entry_id, None)) is not None:
            yield Removed(entry)


async def changes(
    channel: grpc.aio.Channel, open_call: Callable[[], Any], patience: float | None
) -> AsyncIterator[Change]:
    """Every change of the lobby, over as many connections as it takes; raises Refused and Unreachable as `follow`."""
    lobby = Lobby()

    def opened() -> Any:
        lobby.begin()
        return open_call()

    async for response in reopened(channel, opened, patience):
        for change in lobby.take(response):
            yield change
