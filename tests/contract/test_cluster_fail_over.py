"""A cluster that loses nodes: nothing acknowledged is gone, nobody waits for ever, and soon it works again."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
from structlog.testing import capture_logs

from capicua.runtime.shard import shard_of
from capicua.store import redis_connection
from capicua.store.embedded_cluster import EmbeddedCluster
from capicua.store.redis_store import RedisStore, open_store
from capicua.store.store import SeqTaken, ShardMoved, StoreUnavailable
from kit.actor import Actor
from kit.cluster import master_of, replica_of
from kit.eventually import eventually, until

pytestmark = pytest.mark.xdist_group("cluster")
KEY = f"capicua:{{s{shard_of('g-1'):03}}}:log:g-1"
RECOVERY_SECONDS = 10.0
"""What is expected within 5 seconds gets twice as long where other tests run beside."""


@asynccontextmanager
async def opened(cluster: EmbeddedCluster, replicas: int = 0) -> AsyncIterator[RedisStore]:
    """A store on the cluster."""
    store = await open_store(cluster.url, replicas)
    try:
        yield store
    finally:
        await store.close()


class Writer:
    """Appends entry after entry to one game, as a game does: after a failure it reads the log and goes on."""

    def __init__(self, store: RedisStore, game_id: str) -> None:
        self.acknowledged: list[int] = []
        self.refused = 0
        self.game_id = game_id
        self._store = store

    async def write(self, stop: asyncio.Event) -> None:
        """Write until told to stop, and once more."""
        seq = 1
        while True:
            last = stop.is_set()
            try:
                await self._store.append(self.game_id, seq, b"%d" % seq)
                self.acknowledged.append(seq)
                seq += 1
                if last:
                    return
            except (StoreUnavailable, SeqTaken):
                self.refused += 1
                seq = await self._end() + 1

    async def _end(self) -> int:
        while True:
            with suppress(StoreUnavailable):
                log = await self._store.read(self.game_id)
                await self._store.confirm(self.game_id)
                return log[-1][0] if log else 0
            await asyncio.sleep(0.01)


async def until_replaced(cluster: EmbeddedCluster, replica: int) -> None:
    """Wait until a replica has become a master."""

    async def is_master() -> bool:
        return replica in await cluster.masters()

    await until(is_master, RECOVERY_SECONDS)


async def test_a_killed_master_takes_nothing_with_it_that_a_replica_confirmed(cluster: EmbeddedCluster) -> None:
    """With replicas=1, whatever was acknowledged while a master is killed and replaced is there afterwards."""
    async with opened(cluster, replicas=1) as store, opened(cluster) as reader:
        writers = [Writer(store, f"g-{number}") for number in range(60)]
        stop = asyncio.Event()
        tasks = [asyncio.ensure_future(writer.write(stop)) for writer in writers]
        await eventually(lambda: min(len(writer.acknowledged) for writer in writers) >= 20)
        victim = await master_of(cluster, KEY)
        replica = await replica_of(cluster, victim)
        cluster.kill(victim)
        await until_replaced(cluster, replica)
        # The new master's own replica: without one nothing could be confirmed.
        cluster.restart(victim)
        stop.set()
        async with asyncio.timeout(RECOVERY_SECONDS):
            await asyncio.gather(*tasks)

        assert any(writer.refused for writer in writers)
        for writer in writers:
            kept = [seq for seq, _ in await reader.read(writer.game_id)]
            assert set(writer.acknowledged) <= set(kept), writer.game_id
            assert kept == list(range(1, len(kept) + 1))


async def test_the_shards_of_living_masters_do_not_wait(cluster: EmbeddedCluster) -> None:
    """While one master is gone its shards fail at once, the others go on; within seconds all work again."""
    victim = await master_of(cluster, KEY)
    games = [f"g-{number}" for number in range(60)]
    async with opened(cluster) as store:
        before = {game: store.generation(game) for game in games}
        await asyncio.gather(*(store.append(game, 1, b"x") for game in games))
        cluster.kill(victim)
        loop = asyncio.get_running_loop()
        died = loop.time()
        refused: set[str] = set()
        for seq in itertools.count(2):
            answers = await asyncio.gather(*(store.append(game, seq, b"x") for game in games), return_exceptions=True)
            failed = {game: a for game, a in zip(games, answers, strict=True) if isinstance(a, Exception)}
            refused |= failed.keys()
            assert all(isinstance(failure, StoreUnavailable) for failure in failed.values())
            if refused and not failed:
                break
            assert loop.time() < died + RECOVERY_SECONDS
            await asyncio.sleep(0.01)

        assert refused < set(games)
        assert {game for game in games if store.generation(game) > before[game]} == refused


async def test_without_its_replica_a_write_is_not_acknowledged(
    cluster: EmbeddedCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With replicas=1: an entry the master alone has is not acknowledged, nor confirmed, until the replica is back."""
    monkeypatch.setattr(redis_connection, "CONFIRM_MS", 200)
    victim = await replica_of(cluster, await master_of(cluster, KEY))
    async with opened(cluster, replicas=1) as store:
        await store.append("g-1", 1, b"before")
        cluster.kill(victim)
        answers = await asyncio.gather(*(store.append("g-1", seq, b"x") for seq in (2, 3)), return_exceptions=True)
        with pytest.raises(StoreUnavailable, match="0 of 1 replicas"):
            await store.confirm("g-1")

        assert all(isinstance(answer, StoreUnavailable) for answer in answers)
        assert [seq for seq, _ in await store.read("g-1")] == [1, 2, 3]
        cluster.restart(victim)

        async def confirmed() -> bool:
            await store.confirm("g-1")
            return True

        await until(confirmed, RECOVERY_SECONDS)
        await store.append("g-1", 4, b"after")


async def test_an_append_is_not_carried_to_another_node_blindly(cluster: EmbeddedCluster) -> None:
    """Given a slot that has moved, an append fails with ShardMoved, the generation grows, all else follows."""
    async with opened(cluster) as store:
        await store.append("g-1", 1, b"x")
        await store.add_running("g-1")
        before = store.generation("g-1")
        master = await master_of(cluster, KEY)
        await cluster.fail_over(await replica_of(cluster, master))
        with pytest.raises(ShardMoved):
            await store.append("g-1", 2, b"y")

        assert store.generation("g-1") > before
        assert await store.read("g-1") == [(1, b"x")]
        assert await store.running(shard_of("g-1")) == {"g-1"}
        await store.append("g-1", 2, b"y")


async def cut_off(cluster: EmbeddedCluster, replica: int, master: int) -> None:
    """Let a replica get nothing more from its master, though it lives."""
    await cluster.ask(replica, "CONFIG", "SET", "masterauth", "wrong")
    await cluster.ask(master, "CLIENT", "KILL", "TYPE", "replica")


async def test_a_game_goes_on_from_what_a_fail_over_left_of_its_log(cluster: EmbeddedCluster) -> None:
    """Without replicas=1 a replica that lags behind takes acknowledged moves away: said, shown, and no gap."""
    async with opened(cluster) as store:
        actor = Actor(store)
        game_id = await actor.start("draw", 2, target=10_000)
        await actor.play(game_id, 5)
        master = await master_of(cluster, f"{{s{shard_of(game_id):03}}}")
        replica = await replica_of(cluster, master)
        kept = (await actor.view("", game_id)).seq
        await until_replicated(cluster, master)
        await cut_off(cluster, replica, master)
        await actor.play(game_id, 4, first=100)
        eyes = actor.watch("", game_id)
        cluster.kill(master)
        await until_replaced(cluster, replica)
        await cluster.ask(replica, "CONFIG", "SET", "masterauth", "")
        begun = len(eyes.frames)
        player, command = await actor.next_command(game_id, "r-late")
        with capture_logs() as lines:
            async with asyncio.timeout(RECOVERY_SECONDS):
                while len(eyes.frames) == begun:
                    await actor.submit(player, command)
                    await asyncio.sleep(0.01)

        assert eyes.frames[-1].reset.view.seq == kept < command.expected_seq
        assert [line["left"] for line in lines if line["event"] == "moves_lost"] == [kept]
        assert await actor.play(game_id, 4, first=200) == 4
        log = await store.read(game_id)
        assert eyes.seqs == list(range(kept + 1, eyes.seqs[-1] + 1))
        assert log[-1][0] <= eyes.seqs[-1]


async def until_replicated(cluster: EmbeddedCluster, master: int) -> None:
    """Wait until the replica has all that the master has."""

    async def is_even() -> bool:
        _, offset, replicas = await cluster.ask(master, "ROLE")
        return bool(int(replicas[0][2]) >= offset)

    await until(is_even, RECOVERY_SECONDS)


async def test_a_game_does_not_notice_a_fail_over_in_order(cluster: EmbeddedCluster) -> None:
    """Given a replica made master by hand, every command is accepted, though the slot has moved meanwhile."""
    async with opened(cluster, replicas=1) as store:
        actor = Actor(store)
        game_id = await actor.start("draw", 2, target=10_000)
        await actor.play(game_id, 3)
        master = await master_of(cluster, f"{{s{shard_of(game_id):03}}}")
        await cluster.fail_over(await replica_of(cluster, master))
        await cluster.settle()

        assert await actor.play(game_id, 5, first=100) == 5


async def test_a_master_that_falls_silent_is_not_waited_for(cluster: EmbeddedCluster) -> None:
    """Given a master that is there but answers nothing, what waits for it fails when it is replaced, then all works."""
    async with opened(cluster) as store:
        await store.append("g-1", 1, b"x")
        master = await master_of(cluster, KEY)
        os.kill(cluster.pids[master], signal.SIGSTOP)
        try:
            async with asyncio.timeout(RECOVERY_SECONDS):
                with pytest.raises(StoreUnavailable):
                    await store.append("g-1", 2, b"y")
                await until(lambda: store.read("g-1"), RECOVERY_SECONDS)
        finally:
            os.kill(cluster.pids[master], signal.SIGCONT)
