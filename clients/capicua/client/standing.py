"""What stands now, by game, and everybody who wants to hear of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Standing(Generic[T]):
    """The newest news of each game until it is dropped, told to any number of readers, each at its own pace."""

    def __init__(self) -> None:
        self.now: dict[str, T] = {}
        self._readers: set[asyncio.Queue[T | None]] = set()

    def put(self, game_id: str, news: T) -> None:
        """Tell what stands of a game from now on."""
        self.now[game_id] = news
        self._tell(news)

    def drop(self, game_id: str, news: T | None = None) -> None:
        """Nothing stands of a game any more; tell `news` of that, if there is some and anything stood."""
        if self.now.pop(game_id, None) is not None and news is not None:
            self._tell(news)

    def end(self) -> None:
        """Nothing more will come."""
        self._tell(None)

    async def changes(self) -> AsyncIterator[T]:
        """What stands, then all that is told until the end."""
        told: asyncio.Queue[T | None] = asyncio.Queue()
        for news in self.now.values():
            told.put_nowait(news)
        self._readers.add(told)
        try:
            while (item := await told.get()) is not None:
                yield item
        finally:
            self._readers.discard(told)

    def _tell(self, news: T | None) -> None:
        for told in self._readers:
            told.put_nowait(news)
