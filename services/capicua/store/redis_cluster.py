"""The link to a Redis Cluster: each command goes to the master that holds its key's slot."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Coroutine
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

from capicua.store.addresses import Address, addresses
from capicua.store.redis_connection import Argument, ReplyError
from capicua.store.redis_link import RedisLink, generations
from capicua.store.store import ShardMoved, StoreUnavailable

FOLLOW_SECONDS = 5.0
"""How long a command is sent again that nodes refuse because its slot is on the way from one to another."""
REFRESH_SECONDS = 2.0
ANSWER_SECONDS = 1.0
"""A node that is asked for the map and takes longer is passed over."""
LONGEST_PAUSE = 0.2
_FOLLOWED = ("MOVED", "ASK", "TRYAGAIN")


class ClusterLink:
    """`call` as RedisLink has it, for a cluster of which a `redis+cluster://host:port[,host:port…]` URL names some.

    One link for each master. The map of slots is read anew when a node says that a slot has moved, when a
    link is lost, until every slot has an owner that can be reached, and every REFRESH_SECONDS; meanwhile calls
    to others go on.

    A command that a node refused because the slot is elsewhere was carried out nowhere, so it is sent again
    for FOLLOW_SECONDS. What may have been carried out is not. Nor is an append whose slot has moved: the new
    owner may be a replica that had not got the entries before it, and the log would have a gap. It fails with
    ShardMoved, and the game looks at the log first.
    """

    def __init__(self, url: str, replicas: int = 0) -> None:
        parts = urlsplit(url)
        if parts.path.strip("/0"):
            raise ValueError("a cluster has one database only: write no number after its hosts")
        self.replicas = replicas
        self._prefix = f"{parts.scheme.partition('+')[0]}://{''.join(parts.netloc.rpartition('@')[:2])}"
        self._seeds = addresses(parts.netloc, 6379)
        self._known: set[Address] = set(self._seeds)
        self._best_informed: Address | None = None
        self._masters: dict[Address, RedisLink] = {}
        # A link that is never connected owns the slots that nobody owns: calls to it fail.
        self._nobody = RedisLink(self._prefix)
        self._owners = [self._nobody] * REDIS_CLUSTER_HASH_SLOTS
        self._since = [0] * REDIS_CLUSTER_HASH_SLOTS
        self._map: list[tuple[int, int, list[Address]]] | None = None
        """The map as last read; None where a node has said since that it is another."""
        self._loop = asyncio.get_running_loop()
        self._old = asyncio.Event()
        self._whole = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()

    def call(self, *arguments: Argument) -> asyncio.Future[Any]:
        """Send a command whose key is its argument 1, or 3 of a script; one of a single word goes to any node."""
        reply: asyncio.Future[Any] = self._loop.create_future()
        owner = self._owners[_slot(arguments)]
        owner.call(*arguments).add_done_callback(lambda sent: self._answered(reply, arguments, sent))
        return reply

    def generation(self, key: str) -> int:
        """Grows when the connection to the key's master is lost, and when the slot gets another master."""
        slot = _slot_of(key)
        return max(self._since[slot], self._owners[slot].generation(key))

    async def connect(self) -> None:
        """Learn the map and connect to every master.

        Raises StoreUnavailable if that takes more than FOLLOW_SECONDS, ReplyError where a node lets nobody
        in, RuntimeError if what answers is no cluster.
        """
        await self._try_seeds()
        self._in_background(self._keep_map())
        try:
            async with asyncio.timeout(FOLLOW_SECONDS):
                await self._whole.wait()
        except TimeoutError:
            raise StoreUnavailable("not every slot of the cluster has a master that can be reached") from None

    async def _try_seeds(self) -> None:
        failure: Exception | None = None
        for seed in self._seeds:
            try:
                await self._ask(seed)
                return
            except StoreUnavailable as refused:
                failure = refused
                if "cluster support disabled" in str(refused):
                    raise RuntimeError("the store is no cluster: write redis://HOST:PORT, or rediss://…") from None
        assert failure is not None
        raise failure

    async def about(self) -> list[bytes]:
        """What each master says of itself (INFO)."""
        about: list[bytes] = await asyncio.gather(*(link.call("INFO") for link in self._masters.values()))
        return about

    async def close(self) -> None:
        """End every connection; what still waits for a reply fails."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, *(link.close() for link in self._masters.values()), return_exceptions=True)

    # A command that was refused.

    def _answered(self, reply: asyncio.Future[Any], arguments: tuple[Argument, ...], sent: asyncio.Future[Any]) -> None:
        failure = sent.exception()
        if reply.done():
            return
        if failure is None:
            reply.set_result(sent.result())
        elif isinstance(failure, ReplyError) and str(failure).startswith(_FOLLOWED):
            self._in_background(self._follow(arguments, failure)).add_done_callback(lambda done: _hand_on(done, reply))
        else:
            if isinstance(failure, StoreUnavailable):
                self._old.set()
            reply.set_exception(failure)

    async def _follow(self, arguments: tuple[Argument, ...], refusal: ReplyError) -> Any:
        loop = asyncio.get_running_loop()
        end = loop.time() + FOLLOW_SECONDS
        while True:
            try:
                return await self._send_again(arguments, refusal)
            except ReplyError as again:
                if not str(again).startswith(_FOLLOWED) or loop.time() > end:
                    raise
                refusal = again

    async def _send_again(self, arguments: tuple[Argument, ...], refusal: ReplyError) -> Any:
        """Send a command where the refusal says that it belongs: "MOVED slot host:port", "ASK slot host:port"."""
        slot = _slot(arguments)
        word, *where = str(refusal).split()
        if word == "TRYAGAIN":
            await asyncio.sleep(random.uniform(0, LONGEST_PAUSE))
            link = self._owners[slot]
        else:
            host, _, port = where[1].rpartition(":")
            # A node that does not know what others call it leaves the host out: it is the one that was asked.
            address = host or self._host_of(slot), int(port)
            link = self._link_to(address)
        if word == "MOVED":
            self._set_owner(int(where[0]), link)
            self._map = None
            self._best_informed = address
            self._old.set()
        await link.ready(FOLLOW_SECONDS)
        if word == "MOVED" and arguments[0] == "XADD":
            raise ShardMoved(str(refusal))
        if word == "ASK":
            # Nothing may come between these two: the leave is for the next command only.
            link.call("ASKING").add_done_callback(lambda leave: leave.exception())
        return await link.call(*arguments)

    def _host_of(self, slot: int) -> str:
        owner = self._owners[slot]
        return next(address[0] for address, link in self._masters.items() if link is owner)

    # The map of slots.

    async def _keep_map(self) -> None:
        """Read the map as long as it is not whole, when it is known to be old, and every REFRESH_SECONDS besides:
        a node that falls silent does not say so, and what waits for it fails when it is master no more."""
        while True:
            if await self._learn():
                self._whole.set()
                self._old.clear()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(REFRESH_SECONDS):
                        await self._old.wait()
            await asyncio.sleep(random.uniform(0, LONGEST_PAUSE))

    async def _learn(self) -> bool:
        # In a new order each time: one that was cut off may long tell an old map. A new owner knows that it is one.
        order = random.sample(sorted(self._known), len(self._known))
        order.sort(key=lambda known: not self._is_up(known))
        informed, self._best_informed = self._best_informed, None
        for address in ([informed] if informed else []) + order:
            try:
                slots = await self._ask(address)
            except StoreUnavailable:
                continue
            self._take(slots, address[0])
            return all(owner.up for owner in set(self._owners))
        return False

    def _is_up(self, address: Address) -> bool:
        return address in self._masters and self._masters[address].up

    async def _ask(self, address: Address) -> list[Any]:
        """CLUSTER SLOTS: [first slot, last slot, [master's host, port, …], [replica's host, port, …], …], …"""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                if self._is_up(address):
                    return await self._masters[address].call("CLUSTER", "SLOTS")  # type: ignore[no-any-return]
                link = RedisLink(self._url(address))
                try:
                    await link.connect()
                    return await link.call("CLUSTER", "SLOTS")  # type: ignore[no-any-return]
                finally:
                    await link.close()
        except TimeoutError:
            raise StoreUnavailable(f"cannot reach the store: no answer within {ANSWER_SECONDS:g} seconds") from None

    def _take(self, slots: list[Any], asked_host: str) -> None:
        # Every node tells the same in an order of its own, and some leave out the host where it is their own.
        ranges = []
        for first, last, *nodes in slots:
            master, *replicas = [(host.decode() if host else asked_host, port) for host, port, *_ in nodes]
            ranges.append((first, last, [master, *sorted(replicas)]))
        ranges.sort()
        if self._map == ranges:
            return
        masters: set[Address] = set()
        self._known = set(self._seeds)
        owners = [self._nobody] * REDIS_CLUSTER_HASH_SLOTS
        for first, last, places in ranges:
            self._known.update(places)
            masters.add(places[0])
            owners[first : last + 1] = [self._link_to(places[0])] * (last + 1 - first)
        for slot, owner in enumerate(owners):
            self._set_owner(slot, owner)
        for address in self._masters.keys() - masters:
            self._in_background(self._masters.pop(address).close())
        self._map = ranges

    def _set_owner(self, slot: int, owner: RedisLink) -> None:
        if owner is not self._owners[slot]:
            self._owners[slot] = owner
            self._since[slot] = next(generations)

    def _link_to(self, address: Address) -> RedisLink:
        link = self._masters.get(address)
        if link is None:
            link = self._masters[address] = RedisLink(self._url(address), self.replicas, on_lost=self._old.set)
            link.connect_soon()
        return link

    def _url(self, address: Address) -> str:
        host, port = address
        return f"{self._prefix}[{host}]:{port}" if ":" in host else f"{self._prefix}{host}:{port}"

    def _in_background(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _slot(arguments: tuple[Argument, ...]) -> int:
    if len(arguments) == 1:
        return 0
    return _slot_of(arguments[3 if arguments[0] in ("EVAL", "EVAL_RO") else 1])


@lru_cache(10_000)
def _slot_of(key: Argument) -> int:
    return key_slot(key if isinstance(key, bytes) else str(key).encode())


def _hand_on(done: asyncio.Task[Any], reply: asyncio.Future[Any]) -> None:
    failure = StoreUnavailable("the link to the store was closed") if done.cancelled() else done.exception()
    if reply.done():
        return
    if failure is not None:
        reply.set_exception(failure)
    else:
        reply.set_result(done.result())
