"""Who sits down with whom, and when bots fill up."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from capicua.matchmaking.pairing import FAR_MU, NEAR_MU, Kind, Party, Table, Ticket
from capicua.matchmaking.pools import Pools

FILL_MS = 8000


def kind(seats: int, target: int = 100, pairs: bool = False) -> Kind:
    return Kind(f"{seats} to {target}".encode(), f"{seats}".encode(), seats, pairs)


TWO, FOUR, PAIRS = kind(2), kind(4), kind(4, pairs=True)
KINDS = [kind(seats, target) for seats in (2, 3, 4) for target in (100, 200)]


def alone(player_id: str, queued_ms: int = 0, mu: float = 25.0, *kinds: Kind, any_target: bool = False) -> Party:
    wanted = kinds or (TWO,)
    return Party((Ticket(player_id, queued_ms, wanted, any_target, {each.seats: mu for each in wanted}),))


def friends(first: str, second: str, queued_ms: int = 0, mu: float = 25.0) -> Party:
    return Party(tuple(Ticket(each, queued_ms, (PAIRS,), False, {4: mu}) for each in (first, second)))


def people(table: Table | None) -> set[str]:
    return {ticket.player_id for party in table.parties for ticket in party.tickets} if table else set()


class Hall:
    """Pools, looked at whenever something changes or is due."""

    def __init__(self) -> None:
        self.pools = Pools(FILL_MS)
        self.waiting: set[Party] = set()
        self.seated: list[tuple[int, Table]] = []

    def add(self, party: Party, now_ms: int) -> None:
        self.run(now_ms)
        self.pools.add(party)
        self.waiting.add(party)
        self._look(now_ms)

    def run(self, until_ms: int) -> None:
        """Let time pass; it only moves to where something is due."""
        while (due := min(self._due(), default=(until_ms + 1, b"")))[0] <= until_ms:
            self.pools.touch(due[1])
            self._look(due[0])

    def _due(self) -> Iterator[tuple[int, bytes]]:
        pools = {pool for party in self.waiting for pool in self.pools.of(party)}
        return ((due, pool.kind.key) for pool in pools if (due := pool.due_ms()) is not None)

    def _look(self, now_ms: int) -> None:
        while self.pools.changed:
            key = self.pools.next_changed()
            while tables := self.pools.pop_tables(key, now_ms):
                for table in tables:
                    self.waiting -= set(table.parties)
                    self.seated.append((now_ms, table))


WISHES = st.tuples(
    st.integers(0, 20_000), st.floats(0, 50), st.sets(st.sampled_from(KINDS[::2]), min_size=1), st.booleans()
)


@given(st.lists(WISHES, max_size=40))
def test_nobody_is_lost_doubled_or_kept_waiting(wishes: list[tuple[int, float, set[Kind], bool]]) -> None:
    """Given arrivals at any time, each player sits at one table that will do, within the bot-fill wait."""
    hall, parties = Hall(), list[Party]()
    for number, (arrival, mu, kinds, any_target) in enumerate(sorted(wishes, key=lambda wish: wish[0])):
        wanted = [kinds.pop()] if any_target else sorted(kinds)
        party = alone(f"p-{number}", arrival, mu, *wanted, any_target=any_target)
        parties.append(party)
        hall.add(party, arrival)
    hall.run(10**6)

    at = {party: (now, table.kind) for now, table in hall.seated for party in table.parties}
    assert sum(len(table.parties) for _, table in hall.seated) == len(parties)
    for party in parties:
        now, kind = at[party]
        assert 0 <= now - party.queued_ms <= FILL_MS
        assert kind in party.wish.kinds or party.wish.any_target
    assert all(table.people <= table.kind.seats for _, table in hall.seated)
    assert not hall.pools._pools
    assert not hall.pools._by_scope


@given(st.lists(st.tuples(st.integers(0, 9000), st.floats(0, 50), st.booleans()), max_size=30))
def test_people_come_before_bots(arrivals: list[tuple[int, float, bool]]) -> None:
    """A bot gets a seat only where nobody waits whose party fits, and friends are never torn."""
    hall = Hall()
    for number, (arrival, mu, two) in enumerate(sorted(arrivals)):
        name = f"p-{number}"
        hall.add(friends(name, f"{name}'", arrival, mu) if two else alone(name, arrival, mu, PAIRS), arrival)
        for now, table in hall.seated:
            free = 4 - table.people
            assert now != arrival or all(party.size > free for party in hall.waiting)
    hall.run(10**6)

    assert sum(table.people for _, table in hall.seated) == sum(1 + two for _, _, two in arrivals)


@given(st.lists(st.floats(0, 50), min_size=2, max_size=200))
def test_few_wait_however_many_come(strengths: list[float]) -> None:
    """All who come at once and are near each other leave at once, so that looking at those who wait stays cheap."""
    hall = Hall()
    for number, mu in enumerate(strengths):
        hall.add(alone(f"p-{number}", 0, mu, FOUR), 0)

    assert len(hall.waiting) <= 3 * (50 / NEAR_MU + 1)


def test_the_nearest_play_and_the_window_widens() -> None:
    """Given a strong player and two equal ones, the equals play; with a weak one alone it takes time to do."""
    hall = Hall()
    strong, weak = alone("strong", 0, 40.0), alone("weak", 0, 40.0 - NEAR_MU - FAR_MU / 2)
    hall.add(strong, 0)
    hall.add(alone("a", 0, 20.0), 0)
    hall.add(alone("b", 0, 21.0), 0)
    assert [people(table) for _, table in hall.seated] == [{"a", "b"}]
    hall.add(weak, 0)
    hall.run(FILL_MS // 4 - 1)
    assert len(hall.seated) == 1
    hall.run(FILL_MS // 4)

    assert people(hall.seated[-1][1]) == {"strong", "weak"}


def test_four_at_once_or_two_after_a_moment() -> None:
    """Given people for two or four seats: four at once; of three, the two who waited longest after the patience."""
    hall = Hall()
    for number in range(4):
        hall.add(alone(f"p-{number}", number, 25.0, TWO, FOUR), number)
    assert [(now, table.kind, table.people) for now, table in hall.seated] == [(3, FOUR, 4)]
    for number in range(4, 7):
        hall.add(alone(f"p-{number}", number, 25.0, TWO, FOUR), number)
    hall.run(4 + FILL_MS // 4)
    now, table = hall.seated[-1]
    assert (now, table.kind, people(table)) == (4 + FILL_MS // 4, TWO, {"p-4", "p-5"})
    hall.add(alone("p-7", 3000, 25.0, TWO), 3000)

    assert people(hall.seated[-1][1]) == {"p-6", "p-7"}


def test_any_target_goes_where_somebody_is() -> None:
    """Given one who does not mind the target, whoever comes first decides it; nobody: the variant's own."""
    hall = Hall()
    hall.add(alone("p-1", 0, 25.0, TWO, any_target=True), 0)
    hall.add(alone("p-2", 10, 25.0, kind(2, 200)), 10)
    assert hall.seated[-1][1].kind == kind(2, 200)
    hall.add(alone("p-3", 20, 25.0, TWO, any_target=True), 20)
    hall.run(20 + FILL_MS)

    assert hall.seated[-1][1].kind == TWO


def test_who_leaves_is_not_seated() -> None:
    """Given one of two who wait leaves, the other is not paired with a ghost."""
    hall, ghost = Hall(), alone("p-1")
    hall.add(ghost, 0)
    hall.pools.remove(ghost)
    hall.waiting.remove(ghost)
    hall.add(alone("p-2", 10), 10)
    assert hall.seated == []
    hall.run(8010)

    assert people(hall.seated[-1][1]) == {"p-2"}


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 2**32))
def test_a_crowd_is_seated_in_few_looks(seed: int) -> None:
    """Given a thousand who came while nobody was seated: looks grow with the logarithm of the crowd, not with it."""
    pools, chance = Pools(FILL_MS), Random(seed)
    for number in range(1000):
        pools.add(alone(f"p-{number}", 0, chance.gauss(25, 8), TWO))
    looks = iter(lambda: pools.pop_tables(TWO.key, 100), [])
    tables = list(looks)

    assert len(tables) <= 10
    assert sum(map(len, tables)) >= 480
