"""Membership and shards: fair shares, epochs that only grow, and take-over of the dead (I-4, I-8)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capicua.links import installation as table
from capicua.links import leases
from capicua.links.installation import Alone, Held, Installation, Member, Shard
from capicua.links.leases import Leases, read_installation
from capicua.runtime.clock import StoreClock
from capicua.runtime.shard import SHARDS
from capicua.store.memory_store import MemoryStore
from capicua.store.store import Store
from kit.eventually import eventually, until

TTL = 3000


def beat(t: Installation, name: str, now_ms: int, *, draining: bool = False) -> table.Beat:
    """One beat of a game-actor."""
    me = Member("game-actor", "", now_ms, now_ms + TTL, draining)
    return table.beat(t, name, me, now_ms, shards=SHARDS)


STEPS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(["beat", "beat", "give", "drain", "leave", "die"])), max_size=60
)


@given(STEPS, st.integers(1, 2 * TTL))
def test_no_shard_has_two_owners_and_epochs_grow(steps: list[tuple[str, str]], pace: int) -> None:
    """Whoever comes, goes, dies or sleeps: one owner a shard, and each new one has a higher epoch."""
    t, now, seen = Installation(), 1_000_000, dict.fromkeys(range(SHARDS), (0, ""))
    for name, what in steps:
        now += pace
        if what == "leave":
            table.leave(t, name, now)
        elif what == "give":
            table.give(t, "game-actor", name, set(range(0, SHARDS, 3)), now)
        elif what != "die":
            for shard, held in beat(t, name, now, draining=what == "drain").held.items():
                epoch, owner = seen[shard]
                assert held.epoch > epoch or (held.epoch, name) == (epoch, owner)
                seen[shard] = (held.epoch, name)


class OldShard(msgspec.Struct, array_like=True):
    """As shards were once written, each of them."""

    owner: str = ""
    epoch: int = 0
    served_ms: int = 0


class OldInstallation(msgspec.Struct):
    """As the table was once read and written."""

    members: dict[str, Member] = {}
    shards: dict[str, list[OldShard]] = {}


SHARD_LISTS = st.lists(st.builds(Shard, st.sampled_from(["", "a", "b"]), st.integers(0, 2)), max_size=SHARDS)


@given(SHARD_LISTS)
def test_what_is_written_is_read(shards: list[Shard]) -> None:
    """However the shards are scattered; what was once written a shard at a time is read too."""
    t = Installation({"a": Member("game-actor", "host:1", 1, 2)}, {"game-actor": shards, "timer": []})
    old = OldInstallation(
        t.members, {role: [OldShard(*shard) for shard in listed] for role, listed in t.shards.items()}
    )

    assert Installation.read(t.written()) == t == Installation.read(msgspec.json.encode(old))
    assert Installation.read(b"") == Installation()


@given(SHARD_LISTS.filter(bool))
def test_an_older_version_does_not_misread_the_table(shards: list[Shard]) -> None:
    """It fails, and so writes nothing into it; it would take what others have."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(Installation({}, {"game-actor": shards}).written(), type=OldInstallation)


def test_the_table_is_short() -> None:
    """Everybody reads it several times a second."""
    t = Installation()
    beat(t, "a", 1_000_000)

    assert len(t.written()) < 500


@pytest.mark.parametrize("members", [1, 2, 3, 5, 7])
def test_shares_are_fair_after_three_rounds(members: int) -> None:
    """Who has too much is told and gives it up; who has too little takes it: none differs by more than the rest."""
    t, now = Installation(), 1_000_000
    for arrived in range(1, members + 1):
        for _ in range(3):
            for number in range(arrived):
                now += 10
                got = beat(t, f"m{number}", now)
                if got.surplus > 0:
                    table.give(t, "game-actor", f"m{number}", set(list(got.held)[: got.surplus]), now)
    shares = table.per_owner(t, "game-actor")

    assert sum(shares.values()) == SHARDS
    assert max(shares.values()) <= -(-SHARDS // members)


def test_the_dead_are_found_and_their_last_sign_is_known() -> None:
    """I-8: the new owner learns since when nobody served the shard."""
    t = Installation()
    first = beat(t, "a", 1_000_000)
    beat(t, "b", 1_000_000 + TTL - 1)
    assert not beat(t, "b", 1_000_000 + TTL - 1).held
    second = beat(t, "b", 1_000_000 + TTL)

    assert len(second.held) == SHARDS
    assert all(held.served_ms == 1_000_000 and held.epoch > first.held[0].epoch for held in second.held.values())


def test_a_newcomer_gets_the_shards_of_the_dead_and_not_those_of_the_living() -> None:
    """Given one has died and another comes before its lease is over: it waits for that, and nobody else gives."""
    t, began = Installation(), 1_000_000
    for _ in range(3):
        for name in "abc":
            got = beat(t, name, began)
            table.give(t, "game-actor", name, set(list(got.held)[: max(0, got.surplus)]), began)
    for passed in range(500, TTL, 500):
        told = [beat(t, name, began + passed) for name in ("abd" if passed > TTL / 2 else "ab")]
        assert all(got.surplus <= 0 for got in told), passed
    newcomer = beat(t, "d", began + TTL)

    assert {got.next_end_ms for got in told} == {began + TTL}
    assert set(table.per_owner(t, "game-actor")) == set("abd")
    assert all(held.served_ms == began for held in newcomer.held.values())


def test_a_store_that_was_away_costs_nobody_a_shard() -> None:
    """Given nobody could say that it lives, the first to come back does not take the others for dead."""
    t, now = Installation(), 1_000_000
    for _ in range(3):
        for name in "ab":
            now += 100
            got = beat(t, name, now)
            table.give(t, "game-actor", name, set(list(got.held)[: max(0, got.surplus)]), now)
    before = {name: beat(t, name, now).held for name in "ab"}
    now += 10 * TTL
    after = {name: beat(t, name, now).held for name in "ab"}

    assert after == before
    for _ in range(7):
        now += TTL // 6
        alone = beat(t, "a", now)
    assert len(alone.held) == SHARDS, "who stays away then is dead"


def test_who_wants_the_store_alone_is_left_alone() -> None:
    """A server with every service in it shares its store with nobody, and says with whom it met."""
    t = Installation()
    table.beat(t, "all", Member("game-actor", "", 1000, 1000 + TTL, alone=True), 1000, shards=SHARDS)
    with pytest.raises(Alone, match="all"):
        beat(t, "b", 2000)
    table.leave(t, "all", 2000)

    assert len(beat(t, "b", 2000).held) == SHARDS


class Process:
    """A member with real beats, and what it was told."""

    def __init__(self, store: Store, name: str) -> None:
        self.taken: dict[int, Held] = {}
        self.leases = Leases(
            store, StoreClock(), role="game-actor", name=name, address=name, shards=SHARDS, seconds=0.3
        )
        self.leases.bind(self.taken.__setitem__, self.taken.pop, self._give)

    def die(self) -> None:
        """Say nothing more."""
        assert self.leases._task is not None
        self.leases._task.cancel()

    async def _give(self, shards: set[int]) -> None:
        for shard in shards:
            self.taken.pop(shard, None)


@pytest.fixture
async def join(store: Store) -> AsyncIterator[Callable[[str], Process]]:
    """Makes members that leave at the end."""
    made: list[Process] = []
    await store.set_installation((await store.installation())[1], b"")

    def make(name: str) -> Process:
        made.append(Process(store, name))
        return made[-1]

    yield make
    for process in made:
        await process.leases.leave()


async def test_a_newcomer_gets_its_share_and_the_rest_goes_back(join: Callable[[str], Process]) -> None:
    """Two members halve the shards; when one drains the other has them all, with higher epochs."""
    one, two = join("one"), join("two")
    await one.leases.start()
    assert len(one.taken) == SHARDS
    first = one.taken[0].epoch
    await two.leases.start()
    await eventually(lambda: len(one.taken) == len(two.taken) == SHARDS // 2)
    assert not set(one.taken) & set(two.taken)
    await two.leases.drain()
    await two.leases.leave()
    await eventually(lambda: len(one.taken) == SHARDS)

    assert max(held.epoch for held in one.taken.values()) > first


async def test_a_member_that_was_paused_loses_what_others_took(store: Store) -> None:
    """Given no sign of life for longer than the lease, the other takes over, and the first is told on its return.
    It has not been sure of its shards since before they were taken."""
    one, two = Process(store, "one"), Process(store, "two")
    await store.set_installation((await store.installation())[1], b"")
    await one.leases.start()
    assert one.leases.sure()
    one.die()
    sure: list[bool] = []

    def taken(shard: int, held: Held) -> None:
        sure.append(one.leases.sure())
        two.taken[shard] = held

    two.leases.bind(taken, two.taken.pop, two._give)
    await two.leases.start()
    await eventually(lambda: len(two.taken) == SHARDS)
    assert not any(sure)
    one.leases._task = asyncio.ensure_future(one.leases._keep())
    await eventually(lambda: len(one.taken) == len(two.taken) == SHARDS // 2)

    assert not set(one.taken) & set(two.taken)
    await one.leases.leave()
    await two.leases.leave()


async def test_the_dead_are_replaced_as_their_lease_ends(
    store: Store, join: Callable[[str], Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    """I-8: given the next beat is far away, whoever lives looks as another's lease runs out, and not before."""
    one, two = join("one"), join("two")
    monkeypatch.setattr(leases, "BEATS_PER_LEASE", 0.1)
    await one.leases.start()
    await two.leases.start()
    first = one.taken[0]
    one.die()

    async def taken() -> bool:
        # Somebody must be seen to live: else it is the store that was away.
        now, version, data = await store.installation()
        t = Installation.read(data)
        table.beat(t, "three", Member("timer", "", now, now + 300), now, shards=0)
        await store.set_installation(version, t.written())
        return len(two.taken) == SHARDS

    await until(taken, within=1)

    assert all(held.epoch - first.epoch >= 300 for held in two.taken.values())


async def test_who_gives_up_shards_lives_meanwhile(store: Store, join: Callable[[str], Process]) -> None:
    """Given what is under way takes longer than a lease to finish: no other shard is lost, and in the end these are
    given."""
    finished, asked = asyncio.Event(), asyncio.Event()
    one, two = join("one"), join("two")

    async def give(shards: set[int]) -> None:
        asked.set()
        await finished.wait()
        await one._give(shards)

    one.leases.bind(one.taken.__setitem__, one.taken.pop, give)
    await one.leases.start()
    epoch = one.taken[SHARDS - 1].epoch
    await two.leases.start()
    await asked.wait()
    (began_ms, _) = await read_installation(store)

    async def a_lease_later() -> bool:
        return (await read_installation(store))[0] > began_ms + 400

    await until(a_lease_later)
    assert (len(one.taken), len(two.taken)) == (SHARDS, 0)
    finished.set()
    await eventually(lambda: len(one.taken) == len(two.taken) == SHARDS // 2)

    assert one.taken[SHARDS - 1].epoch == epoch


async def test_a_beat_under_way_takes_nothing_past_a_drain() -> None:
    """Given a member is told to stop while a beat that takes shards is on its way: it hands those over as well."""

    class SlowStore(MemoryStore):
        asked, go_on = asyncio.Event(), asyncio.Event()

        async def set_installation(self, version: int, data: bytes) -> bool:
            self.asked.set()
            await self.go_on.wait()
            return await super().set_installation(version, data)

    store = SlowStore()
    one = Process(store, "one")
    joining = asyncio.ensure_future(one.leases.start())
    await store.asked.wait()
    draining = asyncio.ensure_future(one.leases.drain())
    await asyncio.sleep(0)
    store.go_on.set()
    await asyncio.gather(joining, draining)

    assert one.taken == one.leases.held == {}
    assert set(table.per_owner((await read_installation(store))[1], "game-actor")) == {""}
    await one.leases.leave()


async def test_the_store_s_time_is_everybody_s() -> None:
    """Two machines whose clocks differ by hours agree as soon as they have joined."""
    store = MemoryStore(clock=lambda: 5_000_000)
    clock = StoreClock()
    leases = Leases(store, clock, role="gateway", name="g", address="h:1")
    await leases.start()
    now, installation = await read_installation(store)

    assert abs(clock() - now) < 100
    assert installation.of("gateway")["g"].address == "h:1"
    await leases.leave()
