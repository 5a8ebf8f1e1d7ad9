"""Whole logs of random finished games, and who played them."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import cache

from msgspec.structs import replace

from capicua.engine import VARIANTS, Bot, Event, GameEnded, SeatQuit, TilePlayed, Variant, to_json
from capicua.game_actor import log_codec
from capicua.log.v1 import entry_pb2 as log
from capicua.store.archive import Archive, Entries, Summary
from kit.games import random_game
from kit.recordings import SMALL_TARGETS


def a_log(
    players: Sequence[str],
    *,
    variant: str = "block",
    seed: int = 1,
    ended_ms: int = 0,
    public: bool = True,
    overrides_json: str = "",
    away: Container[int] = (),
    quits: Sequence[int] = (),
) -> Entries:
    """The log of a finished game; ids of bots begin with "bot-", seats that are `away` let every turn expire, and
    those of `quits` are left in that order, right after the first deal.
    """
    seats = len(players)
    rules, played = _game(variant, seats, seed)
    events = [
        replace(event, expired=True) if isinstance(event, TilePlayed) and event.seat in away else event
        for event in played
    ]
    left = [SeatQuit(seat, Bot(f"bot-for-{seat}", "Bot")) for seat in quits]
    events[3:3] = left
    facts = log.GameStarted(
        variant=variant,
        parameters_json=to_json(rules),
        seats=seats,
        turn_ms=30_000,
        pairs=rules.pairs(seats),
        players=[log.Player(player_id=who, name=who.upper(), bot=who.startswith("bot-")) for who in players],
        public=public,
        overrides_json=overrides_json,
    )
    return [(1, log_codec.entry_bytes(facts, events, epoch=1, time_ms=ended_ms))]


@cache
def _game(key: str, seats: int, seed: int) -> tuple[Variant, tuple[Event, ...]]:
    """A game to a small target, and its rules."""
    target = VARIANTS[key].target
    small = dict.fromkeys(target.value, SMALL_TARGETS[target.kind])
    rules = replace(VARIANTS[key], target=replace(target, value=small))
    events = tuple(event for event, _ in random_game(rules, seats, seed, rounds=500))
    assert isinstance(events[-1], GameEnded)
    return rules, events


async def put(archive: Archive, game_id: str, stored: Entries) -> None:
    """Archive a game."""
    await archive.put(game_id, stored, Summary("block", 2, started_ms=0, ended_ms=0))
