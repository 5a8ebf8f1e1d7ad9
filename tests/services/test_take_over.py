"""What `capicua torture` says of take-overs: which time is counted, and where another fault was in the way."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import pytest

from capicua.cli.torture.faults import Injected
from capicua.cli.torture.schedule import Fault
from capicua.cli.torture.take_over import SHARDS, take_overs
from capicua.log.v1.entry_pb2 import ClockRestored, Entry, Event, GameStarted, Player, TilePlayed

GAME = "g-1"
SHARD = crc32(GAME.encode()) % SHARDS
OWNED = "kill game-actor{}, until another owner had the game"
MOVED = "kill game-actor{}, until the next move of a player"


def fault(kind: str, role: str, at_ms: int, over_ms: int, shards: Sequence[int] = (), table: bool = False) -> Injected:
    """One that began and was over at these times."""
    return Injected(Fault(0.0, kind, role, 0, 0.0), at_ms, frozenset(shards), table, over_ms)


KILLED = fault("kill", "game-actor", 10_000, 12_000, [SHARD])


def costs(
    *others: Injected, bot: bool = False, expired: bool = False, held_back: Sequence[str] = ()
) -> dict[str, list[float]]:
    """What it cost a game that its owner died at 10 s: it has another at 12 s, and its next move comes at 12.5 s."""
    log = [
        (1, Entry(epoch=1, time_ms=1_000, events=[Event(game_started=GameStarted(players=[Player(bot=bot)]))])),
        (2, Entry(epoch=1, time_ms=9_000, request_id="a", events=[Event(tile_played=TilePlayed())])),
        (3, Entry(epoch=2, time_ms=12_000, events=[Event(clock_restored=ClockRestored())])),
        (
            4,
            Entry(epoch=2, time_ms=12_500, request_id="" if expired else "b", events=[Event(tile_played=TilePlayed())]),
        ),
    ]
    found = take_overs({GAME: log}, [KILLED, *others], held_back)
    return {name: times for name, times in found.items() if name.startswith("kill game-actor")}


def test_a_take_over_ends_with_the_next_owner_and_the_next_move() -> None:
    """Where a turn expired, or the player waited for its end, nobody can say when a move would have been accepted."""
    assert costs() == {OWNED.format(""): [2_000], MOVED.format(""): [2_500]}
    assert costs(expired=True) == costs(held_back=["b"]) == {OWNED.format(""): [2_000]}


@pytest.mark.parametrize(
    ("other", "owner_too", "with_bots_only"),
    [
        (fault("pause", "game-actor", 9_500, 13_000), True, False),
        (fault("kill-store", "store", 8_000, 9_500, [SHARD]), True, False),
        (fault("pause-store", "store", 11_000, 13_000, table=True), True, False),
        (fault("pause", "gateway", 11_000, 13_000), False, False),
        (fault("kill", "bots", 11_000, 13_000), False, True),
    ],
)
def test_another_fault_in_the_way_is_counted_apart(other: Injected, owner_too: bool, with_bots_only: bool) -> None:
    """Any owner, the part of the store that is asked, and for a move the way to the players."""
    mixed = ", with another fault"

    assert costs(other, bot=True) == {OWNED.format(mixed if owner_too else ""): [2_000], MOVED.format(mixed): [2_500]}
    assert (MOVED.format("") in costs(other)) is with_bots_only


@pytest.mark.parametrize(
    "other",
    [
        fault("kill", "timer", 10_500, 12_000),
        fault("kill-store", "store", 10_500, 12_000, [SHARD + 1]),
        fault("kill", "game-actor", 7_000, 8_500),
        fault("kill", "game-actor", 12_600, 13_000),
    ],
)
def test_what_is_not_in_the_way_changes_nothing(other: Injected) -> None:
    """Services that no move passes, other parts of the store, and what was over long before or came later."""
    assert costs(other) == costs()
