"""How often, and how often at once, a player or an address may ask for what costs something or can be guessed."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from ipaddress import IPv6Network, ip_address
from typing import NamedTuple
from urllib.parse import unquote

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.update_pb2 import Refusal
from capicua.runtime.refusals import refusal

KEPT = 1_000
"""Keys remembered at least before those that may ask freely again are forgotten."""


class Limit(NamedTuple):
    """`burst` at once, then one every `seconds`."""

    burst: int
    seconds: float


BY_PLAYER = {
    "QuickMatch": Limit(30, 2),
    "CreateTable": Limit(10, 30),
    "JoinTable": Limit(30, 2),
    "Rematch": Limit(10, 10),
    "ListGames": Limit(30, 0.5),
    "ListTables": Limit(30, 0.5),
    "WatchLobby": Limit(10, 2),
    "GetRecord": Limit(30, 0.5),
    "GetRating": Limit(30, 0.5),
    "ListLeaderboard": Limit(30, 0.5),
    "Say": Limit(3, 2),
}
BY_ADDRESS = {"SignIn": Limit(100, 1)}
WRONG_CODES_OF_PLAYER = Limit(6, 30)
WRONG_CODES_OF_ADDRESS = Limit(30, 10)
_WRONG_CODE = "wrong code"
STREAMS = frozenset({"QuickMatch", "WatchLobby", "WatchTable"})
"""Each open one costs memory and is told of every change."""
COUNTED = STREAMS | {"JoinTable"}
"""Calls whose number at any moment is known."""
OPEN_BY_PLAYER = 8
OPEN_BY_ADDRESS = 1000
"""Streams of one of these kinds that may be open at once here; many players may be behind one address."""
OPEN_SECONDS = 5.0
"""Nobody knows when one of them will end: ask again after this time."""


class Limits:
    """A leaky bucket for each (what, who). An address of this machine itself is not limited.

    `clock` gives seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._free_at: dict[tuple[str, str], float] = {}
        self._bound = KEPT
        self._open: Counter[tuple[str, str]] = Counter()

    def admit(self, method: str, player_id: str, peer: str) -> Refusal | None:
        """Let a call in, or RATE_LIMITED with the time to wait. `peer` is as gRPC names it."""
        address = _outside(peer)
        if method == "JoinTable":
            wait = self._wait((_WRONG_CODE, player_id), WRONG_CODES_OF_PLAYER)
            if address:
                # As long as an answer is under way, the code may be wrong: a crowd of players shall not guess at once.
                pending = self._open[method, address]
                wait = max(wait, self._wait((_WRONG_CODE, address), WRONG_CODES_OF_ADDRESS, pending))
            if wait > 0:
                return _too_often("too many wrong codes", wait)
        if method in STREAMS:
            most = ((player_id, OPEN_BY_PLAYER), (address, OPEN_BY_ADDRESS))
            if any(who and self._open[method, who] >= many for who, many in most):
                return _too_often(f"too many open streams of {method}", OPEN_SECONDS)
        for who, limit in ((player_id, BY_PLAYER.get(method)), (address, BY_ADDRESS.get(method))):
            if who and limit is not None:
                wait = self._wait((method, who), limit)
                if wait > 0:
                    return _too_often(f"too many calls of {method}", wait)
                self._take((method, who), limit)
        if method in COUNTED:
            self._open.update((method, who) for who in (player_id, address) if who)
        return None

    def left(self, method: str, player_id: str, peer: str) -> None:
        """Take note that a call that was let in is over."""
        if method in COUNTED:
            for key in ((method, who) for who in (player_id, _outside(peer)) if who):
                self._open[key] -= 1
                if not self._open[key]:
                    del self._open[key]

    def refused(self, method: str, player_id: str, peer: str, refused: Refusal) -> None:
        """Take note of a refusal: codes must not be guessed."""
        if method == "JoinTable" and refused.reason == reasons.ERROR_REASON_TABLE_NOT_FOUND:
            self._take((_WRONG_CODE, player_id), WRONG_CODES_OF_PLAYER)
            if address := _outside(peer):
                self._take((_WRONG_CODE, address), WRONG_CODES_OF_ADDRESS)

    def _wait(self, key: tuple[str, str], limit: Limit, more: int = 0) -> float:
        """Seconds until one is allowed after so many `more`."""
        empty_in = max(0.0, self._free_at.get(key, 0.0) - self._clock())
        return empty_in - (limit.burst - 1 - more) * limit.seconds

    def _take(self, key: tuple[str, str], limit: Limit) -> None:
        now = self._clock()
        if len(self._free_at) > self._bound:
            self._free_at = {kept: at for kept, at in self._free_at.items() if at > now}
            # Where all of them are busy, not each call shall look at them all.
            self._bound = max(KEPT, 2 * len(self._free_at))
        self._free_at[key] = max(self._free_at.get(key, 0.0), now) + limit.seconds


def _outside(peer: str) -> str:
    """The address of a peer of another machine, or its /64: whoever has one of IPv6 has them all; "" for one of this
    machine."""
    kind, _, rest = peer.partition(":")
    if kind not in ("ipv4", "ipv6"):
        return ""
    host = ip_address(unquote(rest).rpartition(":")[0].strip("[]"))
    if host.is_loopback:
        return ""
    return str(host if host.version == 4 else IPv6Network((int(host), 64), strict=False))


def _too_often(what: str, wait_seconds: float) -> Refusal:
    refused = refusal(reasons.ERROR_REASON_RATE_LIMITED, f"{what}: try again in {wait_seconds:.1f} s")
    refused.retry_ms = round(wait_seconds * 1000) + 1
    return refused
