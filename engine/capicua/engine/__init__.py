"""The rules of dominoes as pure functions: `decide` gives events, `evolve` folds them, `see` shows them.

`advance` is the first two in one: events and the states they lead to.
"""

from capicua.engine.commands import (
    Command,
    DrawTile,
    ExpireTurn,
    GiveSeed,
    PassTurn,
    PlayTile,
    QuitSeat,
    RestoreClock,
    StartGame,
    StartRound,
)
from capicua.engine.deal import lot_kind, tile_order
from capicua.engine.decide import Decided, advance, decide
from capicua.engine.events import (
    Bonus,
    Bot,
    ClockRestored,
    Event,
    GameEnded,
    GameStarted,
    RoundEnded,
    RoundStarted,
    Seal,
    SeatQuit,
    SeedGiven,
    TileDrawn,
    TilePlayed,
    TurnPassed,
    TurnStarted,
)
from capicua.engine.evolve import evolve, fold
from capicua.engine.legal import autoplay, legal_plays
from capicua.engine.notation import NotationError, Record, parse_record, print_record, record_of, replay
from capicua.engine.rejections import Rejection, RejectReason
from capicua.engine.snapshot import STATE_VERSION, read_state, write_state
from capicua.engine.state import GameState, Phase, new_state
from capicua.engine.tiles import NAMES, PIPS, tile, tile_count
from capicua.engine.variant import Invalid, Variant, check, from_json, to_json
from capicua.engine.variants import VARIANTS, build
from capicua.engine.view import View, private_seats, see, view

__all__ = [
    "NAMES",
    "PIPS",
    "STATE_VERSION",
    "VARIANTS",
    "Bonus",
    "Bot",
    "ClockRestored",
    "Command",
    "Decided",
    "DrawTile",
    "Event",
    "ExpireTurn",
    "GameEnded",
    "GameStarted",
    "GameState",
    "GiveSeed",
    "Invalid",
    "NotationError",
    "PassTurn",
    "Phase",
    "PlayTile",
    "QuitSeat",
    "Record",
    "RejectReason",
    "Rejection",
    "RestoreClock",
    "RoundEnded",
    "RoundStarted",
    "Seal",
    "SeatQuit",
    "SeedGiven",
    "StartGame",
    "StartRound",
    "TileDrawn",
    "TilePlayed",
    "TurnPassed",
    "TurnStarted",
    "Variant",
    "View",
    "advance",
    "autoplay",
    "build",
    "check",
    "decide",
    "evolve",
    "fold",
    "from_json",
    "legal_plays",
    "lot_kind",
    "new_state",
    "parse_record",
    "print_record",
    "private_seats",
    "read_state",
    "record_of",
    "replay",
    "see",
    "tile",
    "tile_count",
    "tile_order",
    "to_json",
    "view",
    "write_state",
]
