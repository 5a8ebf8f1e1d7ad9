"""Which deadline is next. Pure: time comes in as a value."""

from __future__ import annotations

import heapq


class Wheel:
    """One deadline for each game, the earliest found at once.

    A turn that ends in time moves its game's deadline later, so the heap keeps the early entry and
    looks again when it comes up: a move costs a dict write, not a heap operation.
    """

    def __init__(self) -> None:
        self._due: dict[str, tuple[int, int]] = {}
        self._heap: list[tuple[int, str]] = []
        self._first: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._due)

    def schedule(self, game_id: str, turn_seq: int, deadline_ms: int) -> None:
        """Replace the deadline of a game."""
        self._due[game_id] = (deadline_ms, turn_seq)
        first = self._first.get(game_id)
        if first is None or deadline_ms < first:
            self._first[game_id] = deadline_ms
            heapq.heappush(self._heap, (deadline_ms, game_id))

    def cancel(self, game_id: str) -> None:
        """Forget a game."""
        self._due.pop(game_id, None)

    def next_look_ms(self) -> int | None:
        """When to call `pop_due` again; None while there is nothing to wait for."""
        return self._heap[0][0] if self._heap else None

    def pop_due(self, now_ms: int) -> list[tuple[str, int]]:
        """Take out every (game, turn seq) whose deadline is not after `now_ms`."""
        due: list[tuple[str, int]] = []
        while self._heap and self._heap[0][0] <= now_ms:
            at, game_id = heapq.heappop(self._heap)
            if self._first.get(game_id) == at:
                del self._first[game_id]
            known = self._due.get(game_id)
            if known is None:
                continue
            deadline_ms, turn_seq = known
            if deadline_ms <= now_ms:
                del self._due[game_id]
                due.append((game_id, turn_seq))
            elif game_id not in self._first:
                self._first[game_id] = deadline_ms
                heapq.heappush(self._heap, (deadline_ms, game_id))
        return due
