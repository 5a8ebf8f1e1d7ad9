"""Which parties wait in which pools: one that does not mind the seats or the target waits in several. Pure."""

from __future__ import annotations

from collections import defaultdict

from capicua.matchmaking.pairing import Kind, Party, Pool, Table


class Pools:
    """A pool for each kind of game that somebody named."""

    def __init__(self, bot_fill_ms: int) -> None:
        self.changed: set[bytes] = set()
        """Keys of the kinds whose pools came, went, or have others in them; see `next_changed`."""
        self._bot_fill_ms = bot_fill_ms
        self._pools: dict[bytes, Pool] = {}
        self._of: dict[Party, list[Pool]] = {}
        self._by_scope: dict[bytes, dict[bytes, Pool]] = defaultdict(dict)
        self._any_target: dict[bytes, dict[Party, None]] = defaultdict(dict)

    def get(self, key: bytes) -> Pool | None:
        """The pool of the kind with this key."""
        return self._pools.get(key)

    def of(self, party: Party) -> list[Pool]:
        """The pools in which a party waits; none if it does not."""
        return self._of.get(party, [])

    def add(self, party: Party) -> None:
        """Let a party wait wherever it may play."""
        self._of[party] = []
        for kind in party.wish.kinds:
            self._home(kind).homes += 1
        wanted = {kind.key: self._pools[kind.key] for kind in party.wish.kinds}
        if party.wish.any_target:
            for kind in party.wish.kinds:
                wanted |= self._by_scope[kind.scope]
                self._any_target[kind.scope][party] = None
        for pool in wanted.values():
            self._enter(party, pool)

    def remove(self, party: Party) -> None:
        """Take a party out of all its pools."""
        for pool in self._of.pop(party):
            pool.remove(party)
            self.changed.add(pool.kind.key)
        for kind in party.wish.kinds:
            self._pools[kind.key].homes -= 1
            if party.wish.any_target:
                del self._any_target[kind.scope][party]
        for kind in party.wish.kinds:
            if not self._pools[kind.key].homes:
                self._close(kind)

    def touch(self, key: bytes) -> None:
        """Say that it is time to look at a pool, and at larger ones in which the same people wait."""
        self.changed.add(key)
        if pool := self._pools.get(key):
            others = {other for party in pool for other in self._of[party]}
            self.changed |= {other.kind.key for other in others if other.kind.seats > pool.kind.seats}

    def next_changed(self) -> bytes:
        """Take the kind with most seats out of `changed`: the larger table comes first."""
        key = max(self.changed, key=lambda key: self._pools[key].kind.seats if key in self._pools else 0)
        self.changed.remove(key)
        return key

    def pop_tables(self, key: bytes, now_ms: int) -> list[Table]:
        """Take out the next tables of a pool; none if nobody is to sit down yet.

        Bots get seats only where somebody has waited for all of the bot-fill wait: then at the table with most people.
        """
        pool = self._pools.get(key)
        if pool is None:
            return []
        tables = pool.ready(now_ms)
        fill_ms = pool.fill_ms()
        if not tables and fill_ms is not None and fill_ms <= now_ms:
            longest = min(pool, key=lambda party: party.queued_ms)
            around = (other.around(longest, now_ms) for other in self._of[longest])
            tables = [max(around, key=lambda table: (table.people, -table.kind.seats))]
        for table in tables:
            for party in table.parties:
                self.remove(party)
        return tables

    def _home(self, kind: Kind) -> Pool:
        pool = self._pools.get(kind.key)
        if pool is None:
            pool = self._pools[kind.key] = self._by_scope[kind.scope][kind.key] = Pool(kind, self._bot_fill_ms)
            for party in self._any_target.get(kind.scope, ()):
                self._enter(party, pool)
        return pool

    def _enter(self, party: Party, pool: Pool) -> None:
        pool.add(party)
        self._of[party].append(pool)
        self.changed.add(pool.kind.key)

    def _close(self, kind: Kind) -> None:
        pool = self._pools.pop(kind.key)
        for guest in pool:
            self._of[guest].remove(pool)
        del self._by_scope[kind.scope][kind.key]
        if not self._by_scope[kind.scope]:
            del self._by_scope[kind.scope]
            self._any_target.pop(kind.scope, None)
