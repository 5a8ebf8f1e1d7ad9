"""Everything the server knows of a game. Made by folding events, never changed in place (I-5)."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from capicua.engine.events import Bot, Seal
from capicua.engine.line import Line
from capicua.engine.trains import Trains
from capicua.engine.variant import Variant

MISSES_UNTIL_AWAY = 2
"""After so many expired turns in a row a seat is away, and its turns are short."""


class Phase(StrEnum):
    """What a game waits for."""

    DEALING = "dealing"
    """StartRound."""
    PLAYING = "playing"
    """The seat to act."""
    OVER = "over"
    """Nothing: the target was met."""


DEALING, PLAYING, OVER = Phase
"""The same by names that are found faster than the members of an enum."""


class Quit(msgspec.Struct, frozen=True, gc=False):
    """A seat whose player has left it for good."""

    seq: int
    """Of the event that says so."""
    seat: int
    bot: Bot
    """Who has it since."""


class Setup(msgspec.Struct, frozen=True, gc=False):
    """What does not change during a game."""

    variant: Variant
    seats: int
    turn_ms: int
    pairs: bool
    sides: int
    quiet: bool
    """Whether plays are on a line and worth nothing: only ends of rounds give points or end the game."""

    def side(self, seat: int) -> int:
        """The side of a seat (R-14)."""
        return seat % 2 if self.pairs else seat


class Standing(msgspec.Struct, frozen=True, gc=False):
    """What changes only now and then, apart from what changes at every event: a state is made anew each time."""

    setup: Setup
    phase: Phase
    round: int
    """Number of the round, from 1; 0 before the first."""
    scores: tuple[int, ...]
    """By side."""
    misses: tuple[int, ...]
    """Turns in a row that expired, by seat."""
    quiet: bool = False
    """Whether a round is played with quiet plays, and nobody missed a turn."""
    held: tuple[tuple[int, ...], ...] = ()
    """The tiles each seat got, in that order, played ones too."""
    boneyard: tuple[int, ...] = ()
    drawn: int = 0
    """How many tiles of the boneyard have been drawn."""
    opener: int = 0
    opener_by: str = ""
    forced_lead: int | None = None
    """The tile that must be led."""
    engine_tile: int | None = None
    next_opener: int | None = None
    next_opener_by: str = ""
    """How the next opener is found: winner, rotate, same (then `next_opener` is the seat), or the first rule."""
    winner_side: int | None = None
    seals: tuple[Seal | None, ...] = ()
    """Of each round that was dealt, and of the next; None for one that began without."""
    seat_seeds: tuple[bytes, ...] = ()
    """Given for the next deal, by seat; b"" for none yet, () for none at all."""
    used_seeds: tuple[bytes, ...] = ()
    """The seats' seeds that are in deals."""
    awaited: tuple[int, ...] = ()
    """Seats whose seed the first deal waits for."""
    quits: tuple[Quit, ...] = ()
    """Seats whose players have left, in that order."""


class GameState(msgspec.Struct, frozen=True, gc=False):
    """A game after `seq` events. Hands are masks over tile indexes."""

    standing: Standing
    seq: int
    hands: tuple[int, ...] = ()
    layout: Line | Trains | None = None
    turn: int = 0
    turn_seq: int = 0
    """Seq of the event that set the deadline."""
    deadline_ms: int = 0
    passes: int = 0
    """Passes in a row that count towards a blocked round (R-60, R-77)."""
    drew: bool = False
    """Whether the seat to act has drawn since its last play."""

    @property
    def setup(self) -> Setup:
        """What does not change during the game."""
        return self.standing.setup

    @property
    def phase(self) -> Phase:
        """What the game waits for."""
        return self.standing.phase

    @property
    def round(self) -> int:
        """Number of the round, from 1; 0 before the first."""
        return self.standing.round

    @property
    def scores(self) -> tuple[int, ...]:
        """By side."""
        return self.standing.scores

    @property
    def held(self) -> tuple[tuple[int, ...], ...]:
        """The tiles each seat got in this round, in that order, played ones too."""
        return self.standing.held

    @property
    def boneyard(self) -> tuple[int, ...]:
        """The boneyard as it was dealt; the first `drawn` tiles have been drawn."""
        return self.standing.boneyard

    @property
    def drawn(self) -> int:
        """How many tiles of the boneyard have been drawn."""
        return self.standing.drawn

    @property
    def opener(self) -> int:
        """The seat that opened the round."""
        return self.standing.opener

    @property
    def engine_tile(self) -> int | None:
        """The engine tile of the round; None without trains (R-69)."""
        return self.standing.engine_tile

    @property
    def winner_side(self) -> int | None:
        """The side that won the game; None before its end."""
        return self.standing.winner_side

    @property
    def next_commitment(self) -> bytes:
        """The server's commitment for the next deal; b"" if there is none."""
        seals = self.standing.seals
        return seals[-1].commitment if seals and seals[-1] is not None else b""

    @property
    def server_seeds(self) -> tuple[bytes, ...]:
        """The server's seed in each deal so far, b"" for one without: secret until the game is over."""
        return tuple([seal.seed if seal else b"" for seal in self.standing.seals[: self.round]])

    @property
    def variant(self) -> Variant:
        """The rules in force."""
        return self.standing.setup.variant

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.standing.setup.seats

    @property
    def forced_lead(self) -> int | None:
        """The tile that must be led; None once the round is led."""
        return None if self.layout is None or self.layout.placements else self.standing.forced_lead

    @property
    def last_mover(self) -> int:
        """The seat of the last play; the opener before the first."""
        return self.layout.placements[-1][0] if self.layout is not None and self.layout.placements else self.opener

    @property
    def boneyard_size(self) -> int:
        """Tiles left in the boneyard, its floor included."""
        return len(self.boneyard) - self.drawn

    @property
    def can_draw(self) -> bool:
        """Whether any tile may be drawn from the boneyard."""
        draw = self.setup.variant.draw
        return draw.policy != "none" and self.boneyard_size > draw.reserve

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """Tiles in each hand, by seat."""
        return tuple(hand.bit_count() for hand in self.hands)

    def tiles_of(self, seat: int) -> tuple[int, ...]:
        """The hand of a seat in the order in which it got the tiles."""
        hand = self.hands[seat]
        return tuple([tile for tile in self.standing.held[seat] if hand >> tile & 1]) if hand else ()


def new_state(
    variant: Variant,
    seats: int,
    turn_ms: int,
    *,
    round: int = 0,
    scores: tuple[int, ...] | None = None,
    next_opener: int | None = None,
    next_opener_by: str = "",
    seq: int = 0,
) -> GameState:
    """A game that waits for the deal of round `round` + 1, with the scores and the opener that led there."""
    pairs = variant.pairs(seats)
    sides = 2 if pairs else seats
    target = variant.target
    plays_score = bool(variant.in_play.divisors) or target.kind == "exact" or target.check == "immediate"
    quiet = variant.topology == "line" and not plays_score
    standing = Standing(
        setup=Setup(variant, seats, turn_ms, pairs, sides, quiet),
        phase=DEALING,
        round=round,
        scores=scores or (0,) * sides,
        misses=(0,) * seats,
        next_opener=next_opener,
        next_opener_by=next_opener_by or variant.opener.first,
    )
    return GameState(standing, seq)


def added(scores: tuple[int, ...], side: int, points: int) -> tuple[int, ...]:
    """The scores with `points` more for a side."""
    return (*scores[:side], scores[side] + points, *scores[side + 1 :])
