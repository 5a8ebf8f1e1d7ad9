"""The processes of an installation, and which of them owns which shard. Pure: time comes in as a value.

A role's shards are shared out among its members that are not draining. Whoever beats takes free shards up to
its fair share; whoever has more is told, and gives them up when it has finished what is under way.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from capicua.runtime.shard import shard_of

TICKETS = shard_of("tickets")
"""All tickets are with one process: only so has a player one, from however many devices."""


class Member(msgspec.Struct, array_like=True):
    """A living process: what it does, where it is reached, and when it last said so (Unix ms)."""

    role: str
    address: str
    alive_ms: int
    until_ms: int
    draining: bool = False
    alone: bool = False


class Shard(NamedTuple):
    """Its owner's name ("" for none), the owner's epoch, and when it last had an owner (0: never)."""

    owner: str = ""
    epoch: int = 0
    served_ms: int = 0


class _Written(msgspec.Struct):
    members: dict[str, Member] = {}
    shards: dict[str, list[list[Any]]] = {}
    """Runs of shards that are alike: how many they are, then what is said of each. Older versions wrote each shard
    without a number, and cannot read one, so they do not write into a table that they would misread."""


class Installation(msgspec.Struct):
    """All members by name, and the shards of each role that has any."""

    members: dict[str, Member] = {}
    shards: dict[str, list[Shard]] = {}

    @classmethod
    def read(cls, data: bytes) -> Installation:
        """The installation that was written so; an empty one where nothing was written."""
        if not data:
            return cls()
        written = msgspec.json.decode(data, type=_Written)
        shards = {role: [shard for run in runs for shard in _alike(*run)] for role, runs in written.shards.items()}
        return cls(written.members, shards)

    def written(self) -> bytes:
        """As it is kept in the store: short, for everybody reads it several times a second."""
        runs = {
            role: [[len(list(alike)), *shard] for shard, alike in groupby(listed)]
            for role, listed in self.shards.items()
        }
        return msgspec.json.encode(_Written(self.members, runs))

    def of(self, role: str) -> dict[str, Member]:
        """The members that do `role`."""
        return {name: member for name, member in self.members.items() if member.role == role}

    def owner(self, role: str, shard: int) -> Member | None:
        """The member that owns a shard, if one does."""
        shards = self.shards.get(role)
        return self.members.get(shards[shard].owner) if shards else None


def _alike(first: int | str, *rest: Any) -> list[Shard]:
    return [Shard(*rest)] * first if isinstance(first, int) else [Shard(first, *rest)]


class Held(NamedTuple):
    """A shard in one's own hands: its epoch, and since when nobody has served it (Unix ms; 0: unknown)."""

    epoch: int
    served_ms: int


class Beat(NamedTuple):
    """What a member learns when it says that it lives: what it holds, how many too many, and when the first lease of
    another of its role ends if that one says nothing more (Unix ms; 0: nobody else has one)."""

    held: dict[int, Held]
    surplus: int
    next_end_ms: int = 0


class Alone(RuntimeError):
    """Another member will not share the installation, or we will not; the text names it."""


def beat(table: Installation, name: str, me: Member, now_ms: int, *, shards: int, starting: bool = False) -> Beat:
    """Write `me` into `table` as living at `now_ms`, and share out the shards of its role.

    `starting` says that whatever the table holds under this name is of an earlier process. Raises Alone.
    """
    if starting:
        _drop(table, name)
    elif name in table.members:
        _forgive_silence(table, now_ms, me.until_ms - now_ms)
    _drop_dead(table, now_ms)
    for other, member in table.members.items():
        if other != name and (member.alone or me.alone):
            raise Alone(f"another server ({other}, {member.role}) plays on this store: stop it first")
    table.members[name] = me
    if not shards:
        return Beat({}, 0)
    listed = table.shards.setdefault(me.role, [])
    listed += [Shard()] * (shards - len(listed))
    others = [member for other, member in table.of(me.role).items() if other != name]
    # Who has been silent for half a lease may be dead: a newcomer is to get its shards, not those of the living.
    late_ms = (now_ms + me.until_ms) // 2
    living = [member for member in (me, *others) if not member.draining and member.until_ms > late_ms]
    share = 0 if me.draining else -(-shards // len(living))
    mine = [number for number, shard in enumerate(listed) if shard.owner == name]
    for number, shard in enumerate(listed):
        if not shard.owner and len(mine) < share:
            # Epochs grow with time too, so that they grow even where the store has lost its last writes.
            listed[number] = Shard(name, max(shard.epoch + 1, now_ms), shard.served_ms)
            mine.append(number)
    held = {number: Held(listed[number].epoch, listed[number].served_ms) for number in mine}
    return Beat(held, len(mine) - share, min((member.until_ms for member in others), default=0))


def give(table: Installation, role: str, name: str, numbers: set[int], now_ms: int) -> None:
    """Free these shards of the member `name`."""
    listed = table.shards.get(role, [])
    for number, shard in enumerate(listed):
        if number in numbers and shard.owner == name:
            listed[number] = Shard("", shard.epoch, now_ms)


def leave(table: Installation, name: str, now_ms: int) -> None:
    """Take a member out that has stopped in order."""
    if member := table.members.get(name):
        member.alive_ms = now_ms
        _drop(table, name)


def _forgive_silence(table: Installation, now_ms: int, ttl_ms: int) -> None:
    """Where nobody could beat for half a lease it was the store that was away: everybody gets that time."""
    silence_ms = now_ms - max(member.alive_ms for member in table.members.values())
    if silence_ms > ttl_ms / 2:
        for member in table.members.values():
            member.until_ms += silence_ms


def _drop_dead(table: Installation, now_ms: int) -> None:
    for name in [name for name, member in table.members.items() if member.until_ms <= now_ms]:
        _drop(table, name)


def _drop(table: Installation, name: str) -> None:
    gone = table.members.pop(name, None)
    for listed in table.shards.values():
        for number, shard in enumerate(listed):
            if shard.owner == name:
                served_ms = gone.alive_ms if gone is not None else shard.served_ms
                listed[number] = Shard("", shard.epoch, served_ms)


def per_owner(table: Installation, role: str) -> dict[str, int]:
    """How many shards each owner of the role has; those without one are counted under ""."""
    count: dict[str, int] = defaultdict(int)
    for shard in table.shards.get(role, ()):
        count[shard.owner] += 1
    return dict(count)
