"""The record of a game, told step by step."""

from __future__ import annotations

from collections.abc import Iterator

from capicua.api.v1.game_service_pb2 import SessionResponse
from capicua.api.v1.update_pb2 import View
from capicua.cli import news, text
from capicua.client import apply
from capicua.engine import GameState, RoundStarted, evolve, parse_record, replay
from capicua.engine.notation import Record
from capicua.game_actor.api_codec import TILES, update_frame
from capicua.game_actor.history import Step
from capicua.log.v1 import entry_pb2 as log


def tell_record(notation: str) -> Iterator[str]:
    """Every step of the game as its spectators saw it, with all the hands besides.

    Raises NotationError for text that is no record, or one that breaks the rules.
    """
    record = parse_record(notation)
    facts = _facts(record)
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


def _facts(record: Record) -> log.GameStarted:
    players = [log.Player(name=name) for name in record.players]
    return log.GameStarted(
        variant=record.variant.key,
        seats=record.seats,
        turn_ms=record.turn_ms,
        pairs=record.variant.pairs(record.seats),
        players=players,
    )
