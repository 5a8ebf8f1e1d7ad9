"""What the engine can be asked to do. Commands are imperative; events say what came of them."""

from __future__ import annotations

import msgspec

from capicua.engine.events import Bot, Seal
from capicua.engine.variant import Variant


class StartGame(msgspec.Struct, frozen=True, gc=False):
    """Begin a game. The shell has checked the options (`variant.check`); for the rest see GameStarted."""

    variant: Variant
    seats: int
    turn_ms: int
    seal: Seal | None = None
    awaited: tuple[int, ...] = ()
    deadline_ms: int = 0


class StartRound(msgspec.Struct, frozen=True, gc=False):
    """Deal. Chance is the shell's: it hands in the finished order and the lot.

    `order` is a permutation of the tile set, without the engine tile where there is one: seat s gets
    the tiles s·h … (s+1)·h − 1, the rest is the boneyard, first drawn first. `lot_seat` and `lot_tiles`
    (one tuple for each turn of drawing, R-19) matter only when `decide.lot_kind` asks for them. `seat_seeds`
    and the seal for the round after are kept with the deal as they are.
    """

    order: tuple[int, ...]
    lot_seat: int | None = None
    lot_tiles: tuple[tuple[int, ...], ...] = ()
    seat_seeds: tuple[bytes, ...] = ()
    next_seal: Seal | None = None


class GiveSeed(msgspec.Struct, frozen=True, gc=False):
    """Put a seed of 1 to 32 bytes into the deal of `round`, which must be the next one."""

    seat: int
    round: int
    seed: bytes


class QuitSeat(msgspec.Struct, frozen=True, gc=False):
    """Leave a seat for good to the first bot of `spare` that plays none yet; there must be one.

    `spare` are bots that did not sit in the game when it began.
    """

    seat: int
    spare: tuple[Bot, ...]


class PlayTile(msgspec.Struct, frozen=True, gc=False):
    """Place `tile` at `end`: "-" (the lead), "L", "R", "U", "D", or a train "0" … "7", "M"."""

    seat: int
    tile: int
    end: str


class DrawTile(msgspec.Struct, frozen=True, gc=False):
    """Take a tile. Draws are automatic (R-7), so this is always refused, with the reason of R-80."""

    seat: int


class PassTurn(msgspec.Struct, frozen=True, gc=False):
    """End the turn without a play. Passes are automatic (R-7), so this is always refused."""

    seat: int


class ExpireTurn(msgspec.Struct, frozen=True, gc=False):
    """The deadline of the running turn has passed: play for the seat as R-79 says."""


class RestoreClock(msgspec.Struct, frozen=True, gc=False):
    """The game had no owner for `gone_ms`: move the deadline by as much."""

    gone_ms: int


Command = StartGame | StartRound | GiveSeed | QuitSeat | PlayTile | DrawTile | PassTurn | ExpireTurn | RestoreClock
