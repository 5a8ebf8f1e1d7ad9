"""Of the record of a game what its deals are checked by; no rule is needed to read it (docs/notation.md)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

_PASS = re.compile(r"\d-")
_MOVE = re.compile(r"(\d)[:+](\d+)-(\d+)(@[-LRUDM0-7]!?)?")


class NoRecord(ValueError):
    """Text that is no record of a game; the message names the line."""


@dataclass
class DealtRound:
    """One round: its seeds, what was dealt, and who laid and drew what. A tile is high · (high + 1) / 2 + low."""

    round: int
    commitment: bytes = b""
    server_seed: bytes = b""
    seat_seeds: list[bytes] = field(default_factory=list)
    engine_tile: int | None = None
    opener: int = 0
    opener_by: str = ""
    lot: list[list[int]] = field(default_factory=list)
    hands: list[list[int]] = field(default_factory=list)
    drawn: list[int] = field(default_factory=list)
    undrawn: int = 0
    moves: list[tuple[str, int, int, bool]] = field(default_factory=list)
    """As written, the seat, the tile, and whether it was drawn; passes are left out."""


@dataclass
class DealRecord:
    """What a record tells of its deals."""

    game_id: str = ""
    highest: int = 0
    """Pips of the highest double."""
    hand_size: int = 0
    seats: int = 0
    rounds: list[DealtRound] = field(default_factory=list)


def read_deals(record: str) -> DealRecord:
    """The deals of a record in text notation. Raises NoRecord."""
    deals = DealRecord()
    hand_sizes: dict[str, int] = {}
    for number, line in enumerate(record.splitlines(), start=1):
        word, _, rest = line.strip().partition(" ")
        try:
            match word:
                case "variant":
                    variant = json.loads(rest)
                    deals.highest, hand_sizes = int(variant["set"]), variant["hand_size"]
                case "seats":
                    deals.seats = int(rest)
                    deals.hand_size = int(hand_sizes[rest])
                case "game":
                    deals.game_id = rest
                case "round":
                    deals.rounds.append(DealtRound(int(rest)))
                case _:
                    if deals.rounds:
                        _read(deals.rounds[-1], word, rest)
        except (ValueError, KeyError, TypeError, AttributeError) as wrong:
            raise NoRecord(f"line {number}: {line[:60]!r} cannot be read: {wrong}") from None
    if not (0 < deals.highest < 13 and 1 < deals.seats < 9) or [dealt.round for dealt in deals.rounds] != list(
        range(1, len(deals.rounds) + 1)
    ):
        raise NoRecord("a record has a variant, its seats, and rounds that are numbered from 1")
    return deals


def _read(dealt: DealtRound, word: str, rest: str) -> None:
    match word:
        case "commitment":
            dealt.commitment = bytes.fromhex(rest)
        case "server-seed":
            dealt.server_seed = bytes.fromhex(rest)
        case "seat-seeds":
            dealt.seat_seeds = [b"" if seed == "-" else bytes.fromhex(seed) for seed in rest.split()]
        case "engine-tile":
            dealt.engine_tile = _tile(rest)
        case "opener":
            seat, dealt.opener_by = rest.split()
            dealt.opener = int(seat)
        case "lot":
            dealt.lot.append(_tiles(rest))
        case "hand":
            dealt.hands.append(_tiles(rest.partition(" ")[2]))
        case "boneyard":
            drawn, _, undrawn = rest.rpartition("?x")
            dealt.drawn, dealt.undrawn = _tiles(drawn), int(undrawn)
        case "moves":
            dealt.moves += [_move(move) for move in rest.split() if not _PASS.fullmatch(move)]


def _move(move: str) -> tuple[str, int, int, bool]:
    found = _MOVE.fullmatch(move)
    if found is None:
        raise ValueError(f"{move!r} is no move")
    return move, int(found[1]), _tile(f"{found[2]}-{found[3]}"), found[4] is None


def _tiles(text: str) -> list[int]:
    return [_tile(name) for name in text.split()]


def _tile(name: str) -> int:
    high, low = map(int, name.split("-"))
    if not 0 <= low <= high:
        raise ValueError(f"{name!r} is no tile")
    return high * (high + 1) // 2 + low
