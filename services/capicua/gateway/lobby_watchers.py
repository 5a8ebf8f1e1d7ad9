"""Who watches the lobby, and how each is told at the price of the changes alone."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from capicua.api.v1.table_service_pb2 import LobbyChange, LobbyEntry, WatchLobbyResponse
from capicua.gateway.lobby import Filter, Lobby, entry_id_of
from capicua.internal.v1.listed_pb2 import Listed

LEAST_SECONDS = 0.2
TOLD_PER_SECOND = 400
"""Messages a second for all watchers together: the more there are, the longer changes are gathered."""
CHUNK = 32 * 1024

Send = Callable[[bytes], None]


class LobbyWatchers:
    """Keeps the lobby and tells its watchers. Every change is encoded once, and joined once for each filter."""

    def __init__(self) -> None:
        self._lobby = Lobby()
        self._watchers: dict[Filter, set[Send]] = defaultdict(set)
        self._first: dict[Filter, list[bytes]] = {}
        """What newcomers are told, until something changes."""
        self._added: dict[str, bytes] = {}
        """Entries as added, by id, until they change."""
        self._telling: asyncio.TimerHandle | None = None
        self.listed = self._lobby.listed

    def __len__(self) -> int:
        return sum(map(len, self._watchers.values()))

    def hear(self, source: str, news: Listed | None) -> None:
        """Take the news of one process; None where it is lost."""
        if self._lobby.hear(source, news) and self._telling is None:
            seconds = max(LEAST_SECONDS, len(self) / TOLD_PER_SECOND)
            self._telling = asyncio.get_running_loop().call_later(seconds, self._tell)

    def watch(self, wanted: Filter, send: Send) -> tuple[list[bytes], Callable[[], None]]:
        """What was told so far, encoded in parts; `send` gets what comes after it until the second is called."""
        self._watchers[wanted].add(send)

        def cancel() -> None:
            self._watchers[wanted].discard(send)
            if not self._watchers[wanted]:
                del self._watchers[wanted]
                self._first.pop(wanted, None)

        if wanted not in self._first:
            self._first[wanted] = list(_parts(map(self._as_added, self._lobby.told(wanted))))
        return self._first[wanted], cancel

    def _tell(self) -> None:
        self._telling = None
        self._first.clear()
        for_each: dict[Filter, list[bytes]] = {wanted: [] for wanted in self._watchers}
        for change, entry in self._lobby.changes():
            data = _encoded(change)
            self._added.pop(entry_id_of(entry), None)
            for wanted, changes in for_each.items():
                if wanted.takes(entry):
                    changes.append(data)
        for wanted, changes in for_each.items():
            if changes:
                told = b"".join(changes)
                for send in tuple(self._watchers[wanted]):
                    send(told)

    def _as_added(self, entry: LobbyEntry) -> bytes:
        entry_id = entry_id_of(entry)
        data = self._added.get(entry_id)
        if data is None:
            data = self._added[entry_id] = _encoded(LobbyChange(added=entry))
        return data


def _parts(added: Iterable[bytes]) -> Iterator[bytes]:
    """All of them in messages of about CHUNK bytes, the last of which is marked complete."""
    waiting: list[bytes] = []
    size = 0
    for data in added:
        waiting.append(data)
        size += len(data)
        if size > CHUNK:
            yield b"".join(waiting)
            waiting, size = [], 0
    yield b"".join(waiting) + WatchLobbyResponse(complete=True).SerializeToString()


def _encoded(change: LobbyChange) -> bytes:
    # Messages of one change each, joined, are one message of all of them.
    return WatchLobbyResponse(changes=[change]).SerializeToString()
