"""Who plays with whom. Pure: time comes in as a value."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

NEAR_MU = 25 / 6
"""Players this near in rating play at once: the stronger one wins three times in four."""
FAR_MU = 25.0
"""Nobody waits longer for a nearer opponent than one this much further away is worth."""


class Kind(NamedTuple):
    """A kind of game: those who want the same one may meet."""

    key: bytes
    """Says all of it."""
    scope: bytes
    """The same for kinds that differ in nothing but the target."""
    seats: int
    pairs: bool
    """Whether two pairs play."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """A player's wish to play, queued at `queued_ms`."""

    player_id: str
    queued_ms: int
    kinds: tuple[Kind, ...]
    """Each of them will do; at least one."""
    any_target: bool
    """Whether kinds of the same scopes will do too."""
    mu: Mapping[int, float]
    """Strength in games of so many seats."""


class Party:
    """Who sit down together: one ticket, or those of two partners, who want the same."""

    __slots__ = ("_mu", "most_seats", "queued_ms", "size", "tickets", "wish")

    def __init__(self, tickets: tuple[Ticket, ...]) -> None:
        self.tickets = tickets
        self.wish = tickets[0]
        """What all of them want."""
        self.size = len(tickets)
        self.queued_ms = max(ticket.queued_ms for ticket in tickets)
        """Since when they have been complete."""
        self.most_seats = max(kind.seats for kind in self.wish.kinds)
        """The largest table they may come to."""
        self._mu = {seats: sum(each.mu[seats] for each in tickets) / len(tickets) for seats in self.wish.mu}

    def mu(self, seats: int) -> float:
        """How strong each of them is on average in games of so many seats."""
        return self._mu[seats]


class Table(NamedTuple):
    """Who may sit down together, and from when on."""

    kind: Kind
    parties: Sequence[Party]
    ready_ms: int
    spread: float
    """How much stronger the strongest is than the weakest."""

    @property
    def people(self) -> int:
        """How many they are."""
        return sum(party.size for party in self.parties)


class Pool:
    """Those who wait for one kind of game, by strength.

    Those who are near each other in rating fill a table at once; the longer one of them has waited, the further
    away the others may be, and after half of `bot_fill_ms` anybody will do. A table with fewer seats than all at it
    hoped for waits for a quarter of that time. Whoever has waited for all of it gets a table with bots on the seats
    that stay free. So nobody waits longer, and as any few who are near each other leave at once, those who stay are
    few too, whatever their number was.
    """

    def __init__(self, kind: Kind, bot_fill_ms: int) -> None:
        self.kind = kind
        self.homes = 0
        """How many parties name this kind; the others only do not mind its target."""
        self._bot_fill_ms = bot_fill_ms
        self._line: list[Party] = []
        self._people = 0
        self._tables: list[Table] | None = None
        """The full tables there may be as people stand now; None where nobody has looked yet."""

    def __len__(self) -> int:
        """People who wait."""
        return self._people

    def __iter__(self) -> Iterator[Party]:
        return iter(self._line)

    def add(self, party: Party) -> None:
        """Let a party wait here."""
        insort(self._line, party, key=self._place)
        self._people += party.size
        self._tables = None

    def remove(self, party: Party) -> None:
        """Take a party out that waits here."""
        at = bisect_left(self._line, self._place(party), key=self._place)
        while self._line[at] is not party:
            at += 1
        del self._line[at]
        self._people -= party.size
        self._tables = None

    def due_ms(self) -> int | None:
        """When somebody may sit down, if nothing changes; None if nobody waits."""
        times = [self.fill_ms(), *(table.ready_ms for table in self._full_tables())]
        return min((time for time in times if time is not None), default=None)

    def fill_ms(self) -> int | None:
        """When bots must fill up for whoever has waited longest; None if nobody waits."""
        return min((party.queued_ms + self._bot_fill_ms for party in self._line), default=None)

    def ready(self, now_ms: int) -> list[Table]:
        """Tables without a bot that may begin, each of other people: those that were ready first, then the nearest."""
        tables, taken = list[Table](), set[Party]()
        for table in sorted(self._full_tables(), key=lambda table: (table.ready_ms, table.spread)):
            if table.ready_ms <= now_ms and taken.isdisjoint(table.parties):
                tables.append(table)
                taken.update(table.parties)
        return tables

    def around(self, party: Party, now_ms: int) -> Table:
        """The party and the nearest of those who wait, as many as there are seats for."""
        mu, taken, free = self._mu(party), [party], self.kind.seats - party.size
        others = (other for other in self._line if other is not party)
        for other in sorted(others, key=lambda other: (abs(self._mu(other) - mu), other.queued_ms)):
            if other.size <= free:
                taken.append(other)
                free -= other.size
        return self._table(sorted(taken, key=self._mu), now_ms)

    def _full_tables(self) -> list[Table]:
        if self._tables is None:
            self._tables = list(self._neighbours())
        return self._tables

    def _neighbours(self) -> Iterator[Table]:
        """Every full table of people next to each other."""
        pairs = [party for party in self._line if party.size > 1]
        for line in (self._line, pairs):
            for first in range(len(line)):
                taken, free = [], self.kind.seats
                for at in range(first, len(line)):
                    if line[at].size <= free:
                        taken.append(line[at])
                        free -= line[at].size
                    if not free:
                        yield self._table(taken, self._ready_ms(taken))
                        break

    def _table(self, parties: Sequence[Party], ready_ms: int) -> Table:
        return Table(self.kind, parties, ready_ms, self._mu(parties[-1]) - self._mu(parties[0]))

    def _ready_ms(self, parties: Sequence[Party]) -> int:
        too_far = self._mu(parties[-1]) - self._mu(parties[0]) - NEAR_MU
        patience = min(1.0, max(0.0, too_far / FAR_MU)) / 2
        if all(party.most_seats > self.kind.seats for party in parties):
            patience = max(patience, 1 / 4)
        return min(party.queued_ms for party in parties) + round(patience * self._bot_fill_ms)

    def _mu(self, party: Party) -> float:
        return party.mu(self.kind.seats)

    def _place(self, party: Party) -> tuple[float, int]:
        return self._mu(party), party.queued_ms
