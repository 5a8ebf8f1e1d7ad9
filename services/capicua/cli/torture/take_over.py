"""How long games that a fault hit could not go on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from zlib import crc32

from capicua.cli.torture.checker import Log
from capicua.cli.torture.faults import Injected

SHARDS = 256


def take_overs(logs: Mapping[str, Log], injected: Sequence[Injected]) -> dict[str, list[float]]:
    """Milliseconds from each fault to the next accepted command in each game that it hit, by "kind role".

    A game says nothing where the turn expired instead: its player may have been asleep.
    """
    found: dict[str, list[float]] = {}
    for hit in injected:
        for game_id, log in logs.items():
            if crc32(game_id.encode()) % SHARDS in hit.shards:
                found.setdefault(f"{hit.fault.kind} {hit.fault.role}", []).extend(_wait(log, hit.at_ms))
    return found


def _wait(log: Log, at_ms: float) -> Iterator[float]:
    if log and log[0][1].time_ms > at_ms:
        return
    for _, entry in log:
        if entry.time_ms > at_ms and entry.events[0].HasField("tile_played"):
            if entry.request_id:
                yield entry.time_ms - at_ms
            return
