"""What this process adds to the lobby, for the gateways to hear of."""

from __future__ import annotations

from collections.abc import Callable

from capicua.api.v1.table_service_pb2 import LobbyEntry
from capicua.internal.v1.listed_pb2 import Listed

ListedHere = Callable[[Listed], None]
AT_ONCE = 500
"""Entries in one message, for a link takes none of any size."""


class Listing:
    """Entries by id. Whoever follows hears all of them once, then each change."""

    def __init__(self) -> None:
        self._entries: dict[str, LobbyEntry] = {}
        self._followers: list[ListedHere] = []

    def put(self, entry_id: str, entry: LobbyEntry) -> None:
        """List `entry`, or list it as it is now."""
        if self._entries.get(entry_id) != entry:
            self._entries[entry_id] = entry
            self._tell(Listed(entries=[entry]))

    def drop(self, entry_id: str) -> None:
        """List it no more, if it was."""
        if self._entries.pop(entry_id, None) is not None:
            self._tell(Listed(gone=[entry_id]))

    def follow(self, told: ListedHere) -> Callable[[], None]:
        """Tell `told` of everything listed, now, and of each change until the result is called."""
        entries = list(self._entries.values())
        for first in range(0, len(entries), AT_ONCE):
            told(Listed(entries=entries[first : first + AT_ONCE]))
        self._followers.append(told)
        return lambda: self._followers.remove(told)

    def _tell(self, news: Listed) -> None:
        for told in tuple(self._followers):
            told(news)
