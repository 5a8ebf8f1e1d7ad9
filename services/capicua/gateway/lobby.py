"""The lobby: public tables and live games, as all processes of the installation list them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from capicua.api.v1.table_service_pb2 import LobbyChange, LobbyEntry
from capicua.internal.v1.listed_pb2 import Listed


class Filter(NamedTuple):
    """What somebody wants to see: one variant, or all (""), with so many seats, or any (0)."""

    variant: str = ""
    seats: int = 0

    def takes(self, entry: LobbyEntry) -> bool:
        """Whether the entry is one of those; that never changes, for options do not."""
        options = getattr(entry, entry.WhichOneof("entry") or "table").options
        return self.variant in ("", options.variant) and self.seats in (0, options.seats)


class Lobby:
    """What is listed by whom, and what was told of it. Pure.

    A game that moves is listed by its new owner before, or after, the old one says that it is gone, so an entry
    belongs to the process that has listed it last.
    """

    def __init__(self) -> None:
        self._listed: dict[str, tuple[str, LobbyEntry]] = {}
        self._told: dict[str, LobbyEntry] = {}
        self._touched: dict[str, None] = {}

    def hear(self, source: str, news: Listed | None) -> bool:
        """Take the news of one process, None where it is lost; says whether something may be to tell."""
        if news is None:
            gone = [entry_id for entry_id, (owner, _) in self._listed.items() if owner == source]
        else:
            gone = [entry_id for entry_id in news.gone if self._listed.get(entry_id, ("",))[0] == source]
            for entry in news.entries:
                self._touch(entry_id_of(entry), (source, entry))
        for entry_id in gone:
            self._touch(entry_id, None)
        return bool(self._touched)

    def changes(self) -> Iterator[tuple[LobbyChange, LobbyEntry]]:
        """What has changed since it was asked last, each entry once; and the entry it is about."""
        touched, self._touched = self._touched, {}
        for entry_id in touched:
            before = self._told.pop(entry_id, None)
            _, now = self._listed.get(entry_id, ("", None))
            if now is not None:
                self._told[entry_id] = now
            if now is not None and before is None:
                yield LobbyChange(added=now), now
            elif now is not None and before is not None and now != before:
                yield LobbyChange(changed=now), now
            elif now is None and before is not None:
                yield LobbyChange(removed=entry_id), before

    def told(self, wanted: Filter) -> Iterator[LobbyEntry]:
        """What `changes` come after, newest change last."""
        return (entry for entry in self._told.values() if wanted.takes(entry))

    def listed(self, wanted: Filter) -> Iterator[LobbyEntry]:
        """What is listed now."""
        return (entry for _, entry in self._listed.values() if wanted.takes(entry))

    def _touch(self, entry_id: str, listed: tuple[str, LobbyEntry] | None) -> None:
        if listed is None:
            self._listed.pop(entry_id, None)
        else:
            self._listed[entry_id] = listed
        self._touched[entry_id] = None


def entry_id_of(entry: LobbyEntry) -> str:
    """Id of the table or game."""
    return entry.table.table_id or entry.game.game_id
