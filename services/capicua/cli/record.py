"""The record of a game, told step by step."""

from __future__ import annotations

import json
from collections.abc import Iterator

from capicua.api.v1.game_service_pb2 import SessionResponse
from capicua.api.v1.update_pb2 import View
from capicua.cli import news, text
from capicua.client import apply
from capicua.engine import VARIANTS, GameState, RoundStarted, evolve, parse_record, replay, to_json
from capicua.engine.notation import Record
from capicua.game_actor.api_codec import TILES, update_frame
from capicua.game_actor.history import Step
from capicua.log.v1 import entry_pb2 as log


def tell_record(notation: str) -> Iterator[str]:
    """Every step of the game as its spectators saw it, with all the hands besides.

    Raises NotationError for text that is no record, or one that breaks the rules.
    """
    record = parse_record(notation)
    facts = facts_of(record)
    view = View()
    state: GameState | None = None
    for event in replay(record):
        state = evolve(state, event)
        frames = update_frame("", facts, Step(event, state, 0), None)
        update = SessionResponse.FromString(frames).frames[0].update
        apply(view, update)
        if told := news.tell(view, update):
            yield told
        if isinstance(event, RoundStarted):
            for seat, hand in enumerate(event.hands):
                yield f"  {text.name(view, seat)} holds {text.tiles(TILES[tile] for tile in hand)}"


def facts_of(record: Record) -> log.GameStarted:
    """What the log of the recorded game said of it at its beginning."""
    players = [log.Player(name=name) for name in record.players]
    usual, played = (json.loads(to_json(variant)) for variant in (VARIANTS[record.variant.key], record.variant))
    overrides = {name: value for name, value in played.items() if value != usual[name]}
    return log.GameStarted(
        variant=record.variant.key,
        overrides_json=json.dumps(overrides) if overrides else "",
        seats=record.seats,
        turn_ms=record.turn_ms,
        pairs=record.variant.pairs(record.seats),
        players=players,
    )
