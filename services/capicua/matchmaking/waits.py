"""How long it took others lately, and so how long it will likely take."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable

REMEMBERED = 32
"""Waits of a kind of game that are kept, the last ones."""
LATELY_MS = 10 * 60 * 1000
KINDS = 1000
"""Kinds of games that are kept, those that were played last."""


class Waits:
    """The waits of those who were seated, for each kind of game."""

    def __init__(self) -> None:
        self._seen: OrderedDict[bytes, deque[tuple[int, int]]] = OrderedDict()

    def seated(self, key: bytes, waited_ms: Iterable[int], now_ms: int) -> None:
        """Take note of how long the players of a new table have waited."""
        seen = self._seen.setdefault(key, deque(maxlen=REMEMBERED))
        self._seen.move_to_end(key)
        seen.extend((now_ms, waited) for waited in waited_ms)
        if len(self._seen) > KINDS:
            self._seen.popitem(last=False)

    def estimate_ms(self, key: bytes, waited_ms: int, now_ms: int) -> int | None:
        """How much longer half of those who waited as long as this player had to wait; None if nobody did lately."""
        lately = (waited for at, waited in self._seen.get(key, ()) if at > now_ms - LATELY_MS)
        longer = sorted(waited for waited in lately if waited >= waited_ms)
        return longer[len(longer) // 2] - waited_ms if longer else None
