"""How long games that a fault hit could not go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from zlib import crc32

from capicua.cli.torture.checker import Log
from capicua.cli.torture.faults import Injected

SHARDS = 256
AFTERMATH_SECONDS = 3.0
"""A fault may still be felt so long after it is over."""


def take_overs(logs: Mapping[str, Log], injected: Sequence[Injected]) -> dict[str, list[float]]:
    """Milliseconds from each fault to the next accepted command in each game that it hit, by "kind role".

    Where a second fault hit the game meanwhile, or an earlier one still may, it is counted apart. A game says
    nothing where the turn expired instead: its player may have been asleep.
    """
    found: dict[str, list[float]] = {}
    for game_id, log in logs.items():
        hits = [hit for hit in injected if crc32(game_id.encode()) % SHARDS in hit.shards]
        for hit in hits:
            moved_ms = _next_command(log, hit.at_ms)
            if moved_ms:
                alone = all(other is hit or _apart(other, hit.at_ms, moved_ms) for other in hits)
                name = f"{hit.fault.kind} {hit.fault.role}" + ("" if alone else ", with another fault")
                found.setdefault(name, []).append(moved_ms - hit.at_ms)
    return found


def _next_command(log: Log, at_ms: float) -> int:
    """When the first command after `at_ms` was accepted; 0 if none was, or the game did not run yet."""
    if log[0][1].time_ms > at_ms:
        return 0
    later = (e for _, e in log if e.time_ms > at_ms and e.events[0].HasField("tile_played"))
    entry = next(later, None)
    return entry.time_ms if entry is not None and entry.request_id else 0


def _apart(other: Injected, from_ms: float, to_ms: float) -> bool:
    felt_ms = (other.fault.seconds + AFTERMATH_SECONDS) * 1000
    return other.at_ms > to_ms or other.at_ms + felt_ms < from_ms
