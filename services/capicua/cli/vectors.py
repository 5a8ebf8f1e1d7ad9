"""Rules vectors: whole rounds with every field to compare, played through the engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from capicua.engine import (
    NAMES,
    VARIANTS,
    Event,
    GameEnded,
    GameState,
    Invalid,
    PlayTile,
    Rejection,
    RoundEnded,
    RoundStarted,
    StartRound,
    TileDrawn,
    TilePlayed,
    TurnPassed,
    TurnStarted,
    build,
    check,
    decide,
    evolve,
    legal_plays,
    new_state,
    tile,
)
from capicua.engine.scoring import next_opener
from capicua.engine.trains import Trains

Vector = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing that is not as the vector says; `step` is 0 for the opener, -1 for the result."""

    step: int
    key: str
    expected: object
    got: object


class BadVector(ValueError):
    """The vector itself is no round of any variant; the text says why."""


_MALFORMED = (KeyError, TypeError, ValueError, AttributeError, IndexError)
"""What reading JSON of another shape than a vector's comes to."""


def start(vector: Vector) -> tuple[GameState, StartRound]:
    """The state before the round of a vector, and its deal. Raises BadVector where it can be no round."""
    if vector["variant"] not in VARIANTS:
        raise BadVector(f"no variant is called {vector['variant']!r}")
    # Where pairs are optional, the vector says whether they are in force.
    teams = {"teams": "pairs" if vector["teams"] else "none"}
    variant = build(vector["variant"], {**vector["overrides"], **teams})
    seats = vector["seats"]
    problem = variant if isinstance(variant, Invalid) else check(variant, seats)
    if isinstance(variant, Invalid) or problem is not None:
        assert problem is not None
        raise BadVector(f"{problem.message} ({problem.rule})")
    scores = tuple(vector["scores_before"])
    before = new_state(variant, seats, 1000 * variant.turn_seconds, round=vector["round"] - 1, scores=scores)
    if previous := vector["previous"]:
        before = _after(before, previous)
    lot = vector["lot"] or {}
    order = [name for hand in vector["deal"]["hands"] for name in hand] + vector["deal"]["boneyard"]
    draws = tuple(tuple(map(tile, draw)) for draw in lot.get("draws", ()))
    return before, StartRound(tuple(map(tile, order)), lot.get("seat"), draws)


def _after(state: GameState, previous: dict[str, Any]) -> GameState:
    """The state with the opener that the round before leads to (R-20)."""
    opener = state.variant.opener
    winner = previous.get("winner")
    # A shutout win leaves the winner a point, unless it only took the other side's away.
    reset = state.variant.target.kind == "shutout" and winner is not None and not any(state.scores)
    seat, rule = next_opener(_with(state, opener=previous["opener"]), winner, reset)
    by = opener.next if winner is not None else opener.after_tie
    return _with(state, next_opener=seat, next_opener_by=rule or by)


def _with(state: GameState, **changes: Any) -> GameState:
    """The state with other values in what changes only now and then."""
    return replace(state, standing=replace(state.standing, **changes))


def round_steps(vector: Vector) -> Iterator[tuple[Event, GameState, GameState]]:
    """Play the vector's plays: each event with the state before and after it. Raises BadVector."""
    try:
        yield from _played(vector)
    except BadVector:
        raise
    except _MALFORMED as failure:
        raise BadVector(f"this is no rules vector: {type(failure).__name__}: {failure}") from failure


def _played(vector: Vector) -> Iterator[tuple[Event, GameState, GameState]]:
    state, deal = start(vector)
    try:
        events = decide(state, deal, 0)
    except ValueError as failure:
        raise BadVector(str(failure)) from failure
    plays = iter([step for step in vector["steps"] if step["action"] == "play"])
    while True:
        assert not isinstance(events, Rejection)
        for event in events:
            before, state = state, evolve(state, event)
            yield event, before, state
        if isinstance(events[-1], RoundEnded | GameEnded):
            return
        step = next(plays, None)
        if step is None:
            return
        wish = PlayTile(state.turn, tile(step["tile"]), step.get("end") or step.get("train") or "")
        outcome = decide(state, wish, 0)
        if isinstance(outcome, Rejection):
            raise BadVector(f"step {step['n']}: the play is refused: {outcome.reason}")
        events = outcome


def check_vector(vector: Vector) -> Difference | None:
    """The first difference between a vector and the engine; None if they agree in every field."""
    try:
        return _check(vector)
    except BadVector as bad:
        return Difference(0, "vector", "a round that can be played", str(bad))
    except _MALFORMED as failure:
        return Difference(0, "vector", "a rules vector", f"{type(failure).__name__}: {failure}")


def _check(vector: Vector) -> Difference | None:
    number, expected_steps = 0, vector["steps"]
    ended: RoundEnded | None = None
    last: GameState | None = None
    for event, before, state in round_steps(vector):
        last = state
        if isinstance(event, RoundStarted):
            found = _first(0, vector["opener"], _opener(event))
        elif isinstance(event, TurnStarted | GameEnded):
            continue
        elif isinstance(event, RoundEnded):
            ended = event
            continue
        else:
            if number == len(expected_steps):
                return Difference(number + 1, "step", None, _step(number + 1, event, before, state))
            expected = expected_steps[number]
            number += 1
            # How a count is made up is for reading; its sum is compared.
            wanted = {key: value for key, value in expected.items() if key != "contrib"}
            found = _first(number, wanted, _step(number, event, before, state))
        if found is not None:
            return found
    if number < len(expected_steps):
        return Difference(number + 1, "step", expected_steps[number], None)
    if ended is None or last is None:
        return Difference(-1, "result", vector["result"], None)
    return _first(-1, vector["result"], _result(ended, last))


def print_vector(vector: Vector) -> Iterator[str]:
    """A line for each step of a vector: what happened, the open ends, the scores. Raises BadVector."""
    for event, _, state in round_steps(vector):
        layout = state.layout
        ends = " ".join(f"{end}:{pips}" for end, pips in layout.ends()) if layout else ""
        match event:
            case RoundStarted():
                yield f"{state.variant.key}, {state.seats} seats: {vector.get('title', '')}"
                yield f"round {event.round}: seat {event.opener} opens by {event.opener_by}"
            case TilePlayed():
                points = f"  {event.points} points" if event.points else ""
                yield f"seat {event.seat} plays {NAMES[event.tile]}@{event.end}  [{ends}]{points}"
            case TileDrawn():
                yield f"seat {event.seat} draws {NAMES[event.tile]}  {state.boneyard_size} left"
            case TurnPassed():
                yield f"seat {event.seat} passes"
            case RoundEnded():
                winner = "nobody" if event.winner_side is None else f"side {event.winner_side}"
                yield f"round ends: {event.reason}, {winner} wins; scores {list(event.scores)}"
            case GameEnded():
                yield f"game over: side {event.winner_side} wins"


def _first(step: int, expected: dict[str, Any], got: dict[str, Any]) -> Difference | None:
    for key in [*expected, *(key for key in got if key not in expected)]:
        if expected.get(key, "absent") != got.get(key, "absent"):
            return Difference(step, key, expected.get(key, "absent"), got.get(key, "absent"))
    return None


def _opener(event: RoundStarted) -> dict[str, Any]:
    return {"seat": event.opener, "forced_lead": _name(event.forced_lead), "by": event.opener_by}


def _step(n: int, event: Event, before: GameState, state: GameState) -> dict[str, Any]:
    step: dict[str, Any] = {
        "n": n,
        "hand_sizes": list(state.hand_sizes),
        "boneyard": state.boneyard_size,
    }
    layout = state.layout
    trains = isinstance(layout, Trains)
    if isinstance(layout, Trains):
        step |= {"markers": sorted(layout.markers()), "debt": layout.debt_name()}
    else:
        step["scores"] = list(state.scores)
    match event:
        case TilePlayed():
            assert layout is not None
            legal = sorted(f"{NAMES[tile]}@{end}" for tile, end in legal_plays(before))
            step |= {"seat": event.seat, "action": "play", "tile": NAMES[event.tile], "legal": legal}
            if trains:
                return step | {"train": event.end, "tips": dict(layout.ends())}
            step |= {"end": event.end, "ends": dict(layout.ends())}
            step |= {"count": event.count, "points": event.points}
            step |= {"voided": event.voided} if event.voided else {}
            return step | ({"out_point": event.out_point} if event.out_point else {})
        case TileDrawn():
            return step | {
                "seat": event.seat,
                "action": "draw",
                "tile": NAMES[event.tile],
                "playable": event.playable,
            }
        case TurnPassed():
            return step | {"seat": event.seat, "action": "pass"}
        case _:
            raise TypeError(f"no step: {event}")


def _result(event: RoundEnded, state: GameState) -> dict[str, Any]:
    over = state.winner_side is not None
    opener: dict[str, Any] | None = {"seat": event.next_opener_seat}
    if event.next_opener_rule is not None:
        opener = {"rule": event.next_opener_rule}
    return {
        "reason": event.reason,
        "tie": event.tie,
        "winner_seat": event.winner_seat,
        "winner_side": event.winner_side,
        "last_mover": event.last_mover,
        "hand_pips": list(event.hand_pips),
        "revealed": [[NAMES[tile] for tile in hand] for hand in event.revealed],
        "raw_points": event.raw_points,
        "awarded": event.awarded,
        "bonuses": [{"kind": bonus.kind, "points": bonus.points} for bonus in event.bonuses],
        "reset": event.reset,
        "scores": list(event.scores),
        "game_over": over,
        "game_winner": state.winner_side,
        "next_opener": None if over else opener,
    }


def _name(tile: int | None) -> str | None:
    return None if tile is None else NAMES[tile]
