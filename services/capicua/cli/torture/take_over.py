"""How long games that a fault hit could not go on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from zlib import crc32

from capicua.cli.torture.checker import Log
from capicua.cli.torture.faults import Injected

SHARDS = 256
AFTERMATH_MS = 1_000
"""A fault may still be felt so long after it is over."""


def take_overs(
    logs: Mapping[str, Log], injected: Sequence[Injected], held_back: Collection[str] = ()
) -> dict[str, list[float]]:
    """Milliseconds from each fault on, for each game that it hit, by what they are.

    They end where another owner has the game, if a game-actor was hit, and where the next command is accepted. A
    game says nothing of that where the turn expired instead, for its player may have been asleep, or where the
    request id is one of `held_back`. Where another fault was in the way in the same seconds, the time is counted apart.
    """
    found: defaultdict[str, list[float]] = defaultdict(list)
    for game_id, log in logs.items():
        shard = crc32(game_id.encode()) % SHARDS
        for hit in injected:
            if shard not in hit.shards:
                continue
            for until, ends_ms, roles in _ends(log, hit, held_back):
                alone = not any(
                    other is not hit and _in_the_way(other, shard, roles) and not _apart(other, hit.at_ms, ends_ms)
                    for other in injected
                )
                name = f"{hit.fault.kind} {hit.fault.role}" + ("" if alone else ", with another fault")
                found[f"{name}, until {until}"].append(ends_ms - hit.at_ms)
    return found


def _ends(log: Log, hit: Injected, held_back: Collection[str]) -> Iterator[tuple[str, int, set[str]]]:
    """What ended the standstill, when, and the roles of those that take part in it."""
    if hit.fault.role == "game-actor" and (owned_ms := _next_owner(log, hit.at_ms)):
        yield "another owner had the game", owned_ms, {"game-actor"}
    if moved_ms := _next_command(log, hit.at_ms, held_back):
        roles = {"game-actor", "gateway"}
        yield "the next move of a player", moved_ms, roles | {"bots"} if _has_bots(log) else roles


def _has_bots(log: Log) -> bool:
    events = [event for _, entry in log for event in entry.events]
    return any(player.bot for player in events[0].game_started.players) or any(e.HasField("seat_quit") for e in events)


def _next_owner(log: Log, at_ms: float) -> int:
    """When the first entry of the next owner came; 0 if none did, or the game did not run yet."""
    before = [entry.epoch for _, entry in log if entry.time_ms <= at_ms]
    later = (entry.time_ms for _, entry in log if entry.time_ms > at_ms and before and entry.epoch > before[-1])
    return next(later, 0)


def _next_command(log: Log, at_ms: float, held_back: Collection[str]) -> int:
    """When the first command after `at_ms` was accepted; 0 if none was, or it says nothing."""
    if log[0][1].time_ms > at_ms:
        return 0
    later = (e for _, e in log if e.time_ms > at_ms and e.events[0].HasField("tile_played"))
    entry = next(later, None)
    return entry.time_ms if entry is not None and entry.request_id and entry.request_id not in held_back else 0


def _in_the_way(other: Injected, shard: int, roles: set[str]) -> bool:
    """Whether a fault may hold up a game of this shard too: where one owner is missing, any other counts."""
    if other.fault.role == "store":
        return other.table or shard in other.shards
    return other.fault.role in roles


def _apart(other: Injected, from_ms: float, to_ms: float) -> bool:
    return other.at_ms > to_ms or other.over_ms + AFTERMATH_MS < from_ms
