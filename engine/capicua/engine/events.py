"""What happened. Events are facts in the past tense; folding them gives the state, and nothing else does."""

from __future__ import annotations

import msgspec

from capicua.engine.variant import Variant


class Seal(msgspec.Struct, frozen=True, gc=False):
    """The server's seed for one deal, secret to the end of the game, and the commitment to it, which is public.

    To the engine they are bytes; docs/fair_deal.md says what they mean.
    """

    seed: bytes
    commitment: bytes


class GameStarted(msgspec.Struct, frozen=True, gc=False):
    """A game began. The first deal waits for the seeds of the seats in `awaited`, until `deadline_ms` at most."""

    variant: Variant
    seats: int
    turn_ms: int
    seal: Seal | None = None
    """For the first deal."""
    awaited: tuple[int, ...] = ()
    deadline_ms: int = 0


class SeedGiven(msgspec.Struct, frozen=True, gc=False):
    """A seat gave a seed of 1 to 32 bytes for the next deal."""

    seat: int
    seed: bytes


class Bot(msgspec.Struct, frozen=True, gc=False):
    """Who plays a seat on after its player; to the engine an id and a name."""

    player_id: str
    name: str


class SeatQuit(msgspec.Struct, frozen=True, gc=False):
    """The player of a seat left it for good, and a bot has it from now on. Nothing else changes for the others."""

    seat: int
    bot: Bot


class RoundStarted(msgspec.Struct, frozen=True, gc=False):
    """Tiles were dealt and the opener found; `opener_by` is a key of RULES README: high_double, lot, …"""

    round: int
    hands: tuple[tuple[int, ...], ...]
    boneyard: tuple[int, ...]
    opener: int
    opener_by: str
    lot: tuple[tuple[int, ...], ...] = ()
    forced_lead: int | None = None
    engine_tile: int | None = None
    seat_seeds: tuple[bytes, ...] = ()
    """The seed of each seat, b"" where it gave none."""
    next_seal: Seal | None = None
    """For the deal of the round after this one."""


class TurnStarted(msgspec.Struct, frozen=True, gc=False):
    """A seat is to act until `deadline_ms` (Unix milliseconds)."""

    seat: int
    deadline_ms: int


class TilePlayed(msgspec.Struct, frozen=True, gc=False):
    """A tile was placed. `count`, `points`, `voided`, `out_point` follow R-52 to R-63."""

    seat: int
    tile: int
    end: str
    count: int = 0
    points: int = 0
    voided: int = 0
    out_point: int = 0
    expired: bool = False


class TileDrawn(msgspec.Struct, frozen=True, gc=False):
    """The first tile of the boneyard went to a hand; `playable` says whether the seat can play now."""

    seat: int
    tile: int
    playable: bool


class TurnPassed(msgspec.Struct, frozen=True, gc=False):
    """A seat could neither play nor draw; with trains a marker may have been placed newly (R-71)."""

    seat: int
    marker_placed: bool = False


class Bonus(msgspec.Struct, frozen=True, gc=False):
    """Points for a special domino out: kind "capicua" or "chuchazo" (R-30)."""

    kind: str
    points: int


class RoundEnded(msgspec.Struct, frozen=True, gc=False):
    """A round was scored (R-64). `reason` is "domino", "block" or "target"; keys as in the vectors' `result`."""

    reason: str
    tie: bool
    winner_seat: int | None
    winner_side: int | None
    last_mover: int
    revealed: tuple[tuple[int, ...], ...]
    hand_pips: tuple[int, ...]
    raw_points: int | None
    awarded: int | None
    bonuses: tuple[Bonus, ...]
    reset: bool
    scores: tuple[int, ...]
    next_opener_seat: int | None
    next_opener_rule: str | None


class GameEnded(msgspec.Struct, frozen=True, gc=False):
    """The target was met."""

    winner_side: int


class ClockRestored(msgspec.Struct, frozen=True, gc=False):
    """Time in which no move could be accepted was given back to the seat to act."""

    deadline_ms: int


Event = (
    GameStarted
    | RoundStarted
    | TurnStarted
    | TilePlayed
    | TileDrawn
    | TurnPassed
    | RoundEnded
    | GameEnded
    | ClockRestored
    | SeedGiven
    | SeatQuit
)
