"""Which faults, when: the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from capicua.runtime.settings import LEASE_SECONDS

KINDS = ("kill", "pause", "drain", "kill-store", "pause-store", "fail-over", "cut", "swallow", "delay")
"""kill -9 and start again; SIGSTOP for longer than the lease; SIGTERM and start again; the same of a master of the
store; a replica made master in order; every connection through one gateway cut in mid-frame, or open and dead; its
bytes late."""
ROLES = ("game-actor", "game-actor", "gateway", "matchmaking", "timer", "bots")
"""Those that faults of processes are shared out among."""
FIRST_SECONDS = 1.0
QUIET_SECONDS = (0.5, 2.5)
"""From the beginning of one fault to that of the next."""


@dataclass(frozen=True)
class Fault:
    """One fault: when it begins (seconds from the start), what, of which role, which of them, and for how long.

    `number` is taken modulo how many there are then. `seconds` is how long it stays away or paused or late.
    """

    at: float
    kind: str
    role: str
    number: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.at:7.1f} s  {self.kind:12}{self.role:12}{self.number:3}{self.seconds:7.1f} s"


def schedule(seed: int, seconds: float, kinds: Sequence[str] = KINDS, lease: float = LEASE_SECONDS) -> list[Fault]:
    """Faults of these kinds from the first second on, none after `seconds`."""
    return list(_faults(random.Random(seed), seconds, kinds, lease))


def _faults(chance: random.Random, seconds: float, kinds: Sequence[str], lease: float) -> Iterator[Fault]:
    at = FIRST_SECONDS
    while at < seconds:
        kind, number = chance.choice(kinds), chance.randrange(1000)
        role = chance.choice(ROLES) if kind in ("kill", "pause", "drain") else "store"
        if kind in ("cut", "swallow", "delay"):
            role = "gateway"
        length = chance.uniform(1.2, 2.5) * lease if kind == "pause" else chance.uniform(0.5, 4.0)
        yield Fault(round(at, 1), kind, role, number, round(length, 1))
        at += chance.uniform(*QUIET_SECONDS)
