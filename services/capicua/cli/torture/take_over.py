"""How long games that a fault hit could not go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from zlib import crc32

from capicua.cli.torture.checker import Log
from capicua.cli.torture.faults import Injected

SHARDS = 256


def take_overs(logs: Mapping[str, Log], injected: Sequence[Injected]) -> dict[str, list[float]]:
    """Milliseconds from each fault to the next move in each game that it hit, by "kind role"; games that nobody
    moved in before or after it say nothing."""
    moves = {game_id: _moves(log) for game_id, log in logs.items()}
    found: dict[str, list[float]] = {}
    for hit in injected:
        waits = found.setdefault(f"{hit.fault.kind} {hit.fault.role}", []) if hit.shards else []
        for game_id, times in moves.items():
            if crc32(game_id.encode()) % SHARDS in hit.shards and times and times[0] <= hit.at_ms < times[-1]:
                waits.append(next(moved for moved in times if moved > hit.at_ms) - hit.at_ms)
    return found


def _moves(log: Log) -> list[int]:
    return [entry.time_ms for _, entry in log if entry.HasField("seat")]
