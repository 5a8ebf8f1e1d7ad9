"""What `capicua status` says of an installation."""

from __future__ import annotations

from capicua.cli.status import Load, describe, unowned
from capicua.links.installation import Installation, Member, Shard


def _installation(*owners: str) -> Installation:
    """One game-actor "a" that was seen half a second ago, a gateway, and shards with these owners."""
    members = {
        "a": Member("game-actor", "10.0.0.1:7000", 9_500, 12_500, draining=True),
        "g": Member("gateway", "10.0.0.2:7600", 10_000, 13_000),
    }
    return Installation(members, {"game-actor": [Shard(owner) for owner in owners]})


def test_every_process_is_listed_with_what_it_does() -> None:
    text = describe(_installation("a", "a"), 10_000, {"a": Load(7, 12.5, 9)})

    assert "game-actor     10.0.0.1:7000             0.5 s draining      2      7     12.5        9" in text
    assert "gateway        10.0.0.2:7600             0.0 s\n" in text
    assert text.splitlines()[-1].split() == ["total", "2", "processes", "7", "12.5", "9"]


def test_a_shard_without_owner_is_told() -> None:
    table = _installation("a", "", "")

    assert unowned(table, 10_000) == {"game-actor": 2}
    assert describe(table, 10_000, {"a": Load()}).endswith("2 shards of game-actor have no owner")
    assert unowned(_installation("a"), 10_000) == {}


def test_a_shard_of_a_dead_process_has_no_owner() -> None:
    """Where nobody lives, nobody has struck the dead from the table either; at first it is empty."""
    assert unowned(_installation("a", "a"), 12_500) == {"game-actor": 2}
    assert unowned(Installation(), 10_000) == {"game-actor": 256}


def test_a_process_that_does_not_answer_is_no_reason_to_say_nothing() -> None:
    assert "2     no   answer" in describe(_installation("a", "a"), 10_000, {"a": None})
