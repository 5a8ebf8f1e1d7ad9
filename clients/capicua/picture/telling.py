"""What happened in a turn, in a few words under the picture."""

from __future__ import annotations

from collections.abc import Sequence

from capicua.engine import (
    NAMES,
    Event,
    GameEnded,
    RoundEnded,
    RoundStarted,
    SeatQuit,
    TileDrawn,
    TilePlayed,
    TurnPassed,
    TurnStarted,
)
from capicua.engine.state import Setup

_BONUS = {"capicua": "capicúa", "chuchazo": "chuchazo"}


def side_name(setup: Setup, names: Sequence[str], side: int) -> str:
    """A side by the names of its seats, which are two where partners play (R-14)."""
    return f"{names[side]} & {names[side + 2]}" if setup.pairs else names[side]


def tell_turn(setup: Setup, events: Sequence[Event], names: Sequence[str], known: bool) -> str:
    """The last turn in `events`, which end with what is to be told; empty before anything happened.

    `known` says whether drawn tiles are named.
    """
    told: list[str] = []
    for event in reversed(events):
        if isinstance(event, TurnStarted) and told:
            break
        if words := _words(setup, event, names, known):
            told.insert(0, words)
        if isinstance(event, RoundStarted):
            break
    return " · ".join(told)


def _words(setup: Setup, event: Event, names: Sequence[str], known: bool) -> str:
    match event:
        case RoundStarted():
            return f"Round {event.round} begins"
        case TilePlayed():
            points = event.points + event.out_point
            scored = f", {_points(points)}" if points else f", {_points(event.voided)} void" if event.voided else ""
            return f"{names[event.seat]} plays {NAMES[event.tile]}{_where(event, names)}{scored}"
        case TileDrawn():
            return f"{names[event.seat]} draws {NAMES[event.tile] if known else 'a tile'}"
        case TurnPassed():
            return f"{names[event.seat]} passes"
        case SeatQuit():
            return f"{names[event.seat]} has quit: {event.bot.name} plays on"
        case RoundEnded():
            return _round_ended(setup, event, names)
        case GameEnded():
            return f"{_wins(setup, event.winner_side, names)} the game"
    return ""


def _where(event: TilePlayed, names: Sequence[str]) -> str:
    match event.end:
        case "-":
            return ""
        case "M":
            return " on the Mexican train"
        case "L" | "R" | "U" | "D" as end:
            return f" at {end}"
        case train:
            return f" on the train of {names[int(train)]}" if int(train) != event.seat else " on their own train"


def _round_ended(setup: Setup, event: RoundEnded, names: Sequence[str]) -> str:
    words = [{"domino": "domino out", "block": "blocked"}.get(event.reason, "target met")]
    words += [f"{_BONUS[bonus.kind]} {bonus.points}" for bonus in event.bonuses]
    if event.winner_side is not None:
        words.append(f"{_wins(setup, event.winner_side, names)} the round")
    elif event.tie:
        words.append("a tie")
    if event.awarded:
        words.append(_points(event.awarded))
    return ", ".join(words)


def _wins(setup: Setup, side: int, names: Sequence[str]) -> str:
    return f"{side_name(setup, names, side)} {'win' if setup.pairs else 'wins'}"


def _points(number: int) -> str:
    return f"{number} point" if abs(number) == 1 else f"{number} points"
