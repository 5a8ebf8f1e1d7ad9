"""Who plays with whom. Pure: time comes in as a value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ticket:
    """A player's wish to play, queued at `queued_ms`."""

    player_id: str
    queued_ms: int


class Queue:
    """Tickets for one kind of game, oldest first.

    As many as there are seats make a table at once; whoever has waited `bot_fill_ms` gets a table with
    all who wait, and bots on the free seats. So nobody waits longer than that.
    """

    def __init__(self, seats: int, bot_fill_ms: int) -> None:
        self.seats = seats
        self.bot_fill_ms = bot_fill_ms
        self._tickets: dict[str, Ticket] = {}

    def __len__(self) -> int:
        return len(self._tickets)

    def __iter__(self) -> Iterator[Ticket]:
        return iter(self._tickets.values())

    def add(self, ticket: Ticket) -> None:
        """Queue a ticket; a player has one place, the first. One that waited elsewhere before is not the last."""
        if ticket.player_id in self._tickets:
            return
        late = [other for other in self._tickets.values() if other.queued_ms > ticket.queued_ms]
        for moved in late:
            del self._tickets[moved.player_id]
        self._tickets.update({each.player_id: each for each in (ticket, *late)})

    def remove(self, player_id: str) -> None:
        """Take a player's ticket out, if it is there."""
        self._tickets.pop(player_id, None)

    def fill_at_ms(self) -> int | None:
        """When bots must fill up for the oldest ticket; None if nobody waits."""
        oldest = next(iter(self._tickets.values()), None)
        return None if oldest is None else oldest.queued_ms + self.bot_fill_ms

    def pop_table(self, now_ms: int) -> list[str]:
        """Take out the players of the next table, oldest first; empty if nobody is to sit down yet."""
        fill_at = self.fill_at_ms()
        if fill_at is None or (len(self._tickets) < self.seats and now_ms < fill_at):
            return []
        players = list(self._tickets)[: self.seats]
        for player_id in players:
            del self._tickets[player_id]
        return players
