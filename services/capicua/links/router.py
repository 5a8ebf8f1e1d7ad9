"""Calls to whichever process owns a shard, also while it moves."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import TypeVar

import structlog
from google.protobuf.message import Message

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.update_pb2 import Refusal
from capicua.links.directory import Directory
from capicua.links.link import Link, OnEnd, OnReply, link_lost

logger = structlog.get_logger()

PATIENCE_SECONDS = 10.0
"""A call whose shard nobody serves for so long is refused as UNAVAILABLE."""
RETRY_SECONDS = 0.05
OnTold = Callable[[str, bytes], None]
"""Hears the address of a member and what it said."""
M = TypeVar("M", bound=Message)


class Routed:
    """A call that follows its shard. It is sent again where its owner is lost or says UNAVAILABLE, so it must be
    one that may be sent twice; `request` is asked for the bytes each time."""

    __slots__ = (
        "_router",
        "address",
        "call_id",
        "link",
        "method",
        "on_end",
        "on_reply",
        "opened",
        "request",
        "shard",
        "since",
    )

    def __init__(
        self, router: Router, shard: int, method: str, request: Callable[[], bytes], on_reply: OnReply, on_end: OnEnd
    ) -> None:
        self._router = router
        self.shard = shard
        self.method = method
        self.request = request
        self.on_reply = on_reply
        self.on_end = on_end
        self.link: Link | None = None
        self.address = ""
        self.call_id = b""
        self.opened = 0.0
        self.since = 0.0
        """Since when it has had no answer from an owner (loop time); 0 while it has."""

    def cancel(self) -> None:
        """End it; nothing more is heard of it."""
        self._router.forget(self)

    def heard(self, response: bytes, seq: int) -> None:
        """A response came."""
        self.since = 0.0
        self.on_reply(response, seq)

    def ended(self, refused: Refusal | None) -> None:
        """The owner has no more to say, or is none."""
        self.link = None
        if refused is not None and refused.reason == reasons.ERROR_REASON_UNAVAILABLE:
            self._router.again(self, refused)
        else:
            self._router.done(self)
            self.on_end(refused)


class Router:
    """Links to the members of one role, and the calls on them."""

    def __init__(self, directory: Directory, role: str, token: bytes) -> None:
        self._directory = directory
        self._role = role
        self._token = token
        self._loop = asyncio.get_running_loop()
        self._links: dict[str, Link] = {}
        self._connecting: dict[str, asyncio.Task[None]] = {}
        self._calls: set[Routed] = set()
        self._standing: list[tuple[str, bytes, OnTold, Callable[[str], None]]] = []
        self._owners: list[str] = []
        directory.on_look(self._looked)
        self._looked()

    def stand(self, method: str, request: bytes, on_reply: OnTold, on_lost: Callable[[str], None]) -> None:
        """Keep one call open to every member; `on_reply` hears (address, response), `on_lost` of a link's end."""
        self._standing.append((method, request, on_reply, on_lost))
        # A link may be there already: whoever stands may have waited for something first.
        for address, link in self._links.items():
            self._begin(link, address, method, request, on_reply)

    def call(self, shard: int, method: str, request: Callable[[], bytes], on_reply: OnReply, on_end: OnEnd) -> Routed:
        """Begin a call to the owner of a shard."""
        routed = Routed(self, shard, method, request, on_reply, on_end)
        self._calls.add(routed)
        self._open(routed)
        return routed

    async def ask(self, shard: int, method: str, request: Message, kind: type[M]) -> M | Refusal:
        """Call and wait for the one response."""
        answered: asyncio.Future[M | Refusal] = self._loop.create_future()
        data = request.SerializeToString()

        def reply(response: bytes, _: int) -> None:
            if not answered.done():
                answered.set_result(kind.FromString(response))

        def end(refused: Refusal | None) -> None:
            if not answered.done():
                answered.set_result(refused or link_lost())

        routed = self.call(shard, method, lambda: data, reply, end)
        try:
            return await answered
        finally:
            routed.cancel()

    async def ask_all(self, method: str, request: Message, kind: type[M]) -> list[M]:
        """The responses of all members that can be reached now."""
        asked = [self._ask_link(link, method, request, kind) for link in self._links.values()]
        answers = await asyncio.gather(*asked)
        return [answer for answer in answers if not isinstance(answer, Refusal)]

    def send(self, address: str, method: str, request: bytes) -> None:
        """Call one member and do not wait; nothing happens where it is gone."""
        if link := self._links.get(address):
            link.call(method, request, lambda *_: None, lambda _: None)

    def members(self) -> list[str]:
        """Addresses of the members that can be reached now."""
        return list(self._links)

    def close(self) -> None:
        """End every link; calls end as UNAVAILABLE."""
        for task in self._connecting.values():
            task.cancel()
        calls, self._calls = self._calls, set()
        for routed in calls:
            routed.on_end(link_lost())
        for link in tuple(self._links.values()):
            link.close()

    async def _ask_link(self, link: Link, method: str, request: Message, kind: type[M]) -> M | Refusal:
        answered: asyncio.Future[M | Refusal] = self._loop.create_future()

        def end(refused: Refusal | None) -> None:
            if not answered.done():
                answered.set_result(refused or link_lost())

        def reply(response: bytes, _: int) -> None:
            if not answered.done():
                answered.set_result(kind.FromString(response))

        link.call(method, request.SerializeToString(), reply, end)
        try:
            # One that is paused must not hold up what the others say.
            return await asyncio.wait_for(answered, PATIENCE_SECONDS / 5)
        except TimeoutError:
            return link_lost()

    # Calls: open where the owner can be reached, else waiting for the next look.

    def _open(self, routed: Routed) -> None:
        routed.address = self._owners[routed.shard] if self._owners else ""
        link = self._links.get(routed.address)
        if link is None:
            routed.since = routed.since or self._loop.time()
        else:
            routed.link, routed.opened = link, self._loop.time()
            routed.call_id = link.call(routed.method, routed.request(), routed.heard, routed.ended)

    def again(self, routed: Routed, refused: Refusal) -> None:
        """Try once more after a moment, unless it has had its time."""
        if routed not in self._calls:
            return
        now = self._loop.time()
        if not routed.since or now - routed.opened > PATIENCE_SECONDS:
            routed.since = now
        if now - routed.since > PATIENCE_SECONDS:
            self._calls.discard(routed)
            routed.on_end(refused)
        else:
            wait = RETRY_SECONDS + (now - routed.since) / 10
            self._loop.call_later(random.uniform(wait / 2, wait), self._reopen, routed)

    def _reopen(self, routed: Routed) -> None:
        if routed in self._calls and routed.link is None:
            self._open(routed)

    def forget(self, routed: Routed) -> None:
        """Cancel a call."""
        if routed in self._calls:
            self._calls.discard(routed)
            if routed.link is not None:
                routed.link.cancel(routed.call_id)

    def done(self, routed: Routed) -> None:
        """A call has ended by itself."""
        self._calls.discard(routed)

    # Members and owners.

    def _looked(self) -> None:
        installation = self._directory.installation
        members = installation.of(self._role)
        here = {member.address for member in members.values()}
        for address in here - self._links.keys() - self._connecting.keys():
            self._connecting[address] = asyncio.ensure_future(self._connect(address))
        for address in self._links.keys() - here:
            # It is dead, or paused for longer than its lease: its link may never break by itself.
            self._links[address].close()
        shards = installation.shards.get(self._role, ())
        owners = [members[shard.owner].address if shard.owner in members else "" for shard in shards]
        moved, self._owners = owners != self._owners, owners
        if moved or any(routed.link is None for routed in self._calls):
            self._sweep()

    def _sweep(self) -> None:
        now = self._loop.time()
        for routed in tuple(self._calls):
            owner = self._owners[routed.shard] if self._owners else ""
            if routed.link is not None and routed.address != owner and owner:
                routed.link.cancel(routed.call_id)
                routed.link = None
                self._open(routed)
            elif routed.link is None and routed.since and now - routed.since > PATIENCE_SECONDS:
                self._calls.discard(routed)
                routed.on_end(link_lost())
            elif routed.link is None and owner in self._links:
                self._open(routed)

    async def _connect(self, address: str) -> None:
        try:
            link = await Link.connect(address, self._token, lambda lost: self._link_lost(address, lost))
        except (OSError, TimeoutError) as failure:
            logger.debug("member_unreachable", role=self._role, address=address, error=str(failure))
        else:
            self._links[address] = link
            for method, request, on_reply, _ in self._standing:
                self._begin(link, address, method, request, on_reply)
            self._sweep()
        finally:
            self._connecting.pop(address, None)

    def _begin(self, link: Link, address: str, method: str, request: bytes, on_reply: OnTold) -> None:
        link.call(method, request, lambda response, _: on_reply(address, response), lambda _: None)

    def _link_lost(self, address: str, link: Link) -> None:
        if self._links.get(address) is link:
            del self._links[address]
            for *_, on_lost in self._standing:
                on_lost(address)
