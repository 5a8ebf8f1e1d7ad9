"""From what was asked for to rules in force."""

from __future__ import annotations

import json

import msgspec

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.types_pb2 import GameOptions
from capicua.api.v1.update_pb2 import Refusal
from capicua.engine import VARIANTS, Invalid, Variant, build, check
from capicua.runtime.refusals import refusal

DEFAULT_VARIANT = "block_rounds"
MIN_TURN_SECONDS, MAX_TURN_SECONDS = 5, 120
MAX_POINTS = 10_000
"""Of a target and of all that gives points at once: what is more cannot be meant."""
MAX_OVERRIDES = 2_000
"""Characters of `overrides_json`; every view carries it."""


class Rules(msgspec.Struct, frozen=True):
    """The variant with everything asked for built in, and the options without gaps."""

    variant: Variant
    options: GameOptions


def _invalid(message: str) -> Refusal:
    return refusal(reasons.ERROR_REASON_INVALID_OPTIONS, message)


def rules_of(options: GameOptions) -> Rules | Refusal:
    """Fill every gap, build the variant, and check the combination (R-32 to R-43)."""
    key = options.variant or DEFAULT_VARIANT
    base = VARIANTS.get(key)
    if base is None:
        known = ", ".join(VARIANTS)
        return refusal(reasons.ERROR_REASON_UNKNOWN_VARIANT, f"no variant is called {key!r}; there are {known}")
    overrides = _overrides(options.overrides_json)
    if isinstance(overrides, Refusal):
        return overrides
    variant = build(key, overrides)
    if isinstance(variant, Invalid):
        return _invalid(f"{variant.message} ({variant.rule})")
    seats = options.seats if options.HasField("seats") else min(variant.seats, default=0)
    if seats not in variant.seats:
        allowed = ", ".join(map(str, variant.seats))
        return _invalid(f"{key} is played with {allowed} seats, not {seats} (R-32)")
    if options.HasField("target"):
        target = {
            "kind": variant.target.kind,
            "value": {str(seats): options.target},
            "check": variant.target.check,
        }
        variant = build(key, {**overrides, "target": target})
        if isinstance(variant, Invalid):
            return _invalid(f"{variant.message} ({variant.rule})")
    problem = check(variant, seats)
    if problem is not None:
        return _invalid(f"{problem.message} ({problem.rule})")
    for name, points in _points(variant, seats).items():
        if not 0 <= points <= MAX_POINTS:
            return _invalid(f"`{name}` must be {MAX_POINTS} at most and not negative")
    turn_seconds = options.turn_seconds if options.HasField("turn_seconds") else variant.turn_seconds
    if not MIN_TURN_SECONDS <= turn_seconds <= MAX_TURN_SECONDS:
        limits = f"{MIN_TURN_SECONDS} to {MAX_TURN_SECONDS}"
        return _invalid(f"`turn_seconds` must be {limits}, not {turn_seconds}")
    complete = GameOptions(
        variant=key,
        seats=seats,
        target=variant.target.value[seats],
        turn_seconds=turn_seconds,
        overrides_json=json.dumps(overrides, separators=(",", ":"), sort_keys=True) if overrides else "",
    )
    return Rules(variant, complete)


def _points(variant: Variant, seats: int) -> dict[str, int]:
    return {
        "target": variant.target.value[seats],
        "bonus.capicua": variant.bonus.capicua,
        "bonus.chuchazo": variant.bonus.chuchazo,
        "trains.double_blank_pips": variant.trains.double_blank_pips if variant.trains else 0,
    }


def _overrides(text: str) -> dict[str, object] | Refusal:
    if not text:
        return {}
    if len(text) > MAX_OVERRIDES:
        return _invalid(f"`overrides_json` must have {MAX_OVERRIDES} characters at most")
    try:
        overrides = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as failure:
        return _invalid(f"`overrides_json` is not JSON: {failure}")
    if not isinstance(overrides, dict):
        return _invalid("`overrides_json` must be a JSON object of parameters")
    return overrides
