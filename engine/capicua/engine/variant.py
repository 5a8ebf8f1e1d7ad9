"""A variant is data: a named, complete set of parameters (R-12). Nothing else says how a game is played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from capicua.engine.tiles import tile_count


class _Data(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Base of all parameters: what is not known is refused."""


class Draw(_Data, frozen=True, gc=False):
    """How stuck seats draw; `reserve` tiles are never drawn (R-57 to R-59)."""

    policy: Literal["none", "until_playable", "one"]
    reserve: int


class Opener(_Data, frozen=True, gc=False):
    """Who leads, and what (R-16 to R-22)."""

    first: Literal["high_double", "lot", "lot_by_tile"]
    lead: Literal["qualifying", "any"]
    next: Literal["winner", "rotate", "first_rule"]
    after_tie: Literal["rotate", "first_rule", "same"]


class InPlay(_Data, frozen=True, gc=False):
    """Which counts give points, and how many (R-24)."""

    divisors: tuple[int, ...]
    count: Literal["sum", "quotient"]


class Award(_Data, frozen=True, gc=False):
    """What the end of a round is worth (R-15, R-23)."""

    value: Literal["win", "zero", "others", "others_minus_own", "all", "own_pips_penalty"]
    round: Literal["none", "nearest5", "down5"]


class EndScore(_Data, frozen=True, gc=False):
    """The award for a domino out and for a blocked round."""

    domino: Award
    block: Award


class Target(_Data, frozen=True, gc=False):
    """What ends the game, by seat count (R-62 to R-68)."""

    kind: Literal["at_least", "exact", "shutout", "rounds_lowest"]
    value: dict[int, int]
    check: Literal["round_end", "immediate"]


class Bonuses(_Data, frozen=True, gc=False):
    """Points for a special domino out; 0 is off (R-30)."""

    capicua: int
    chuchazo: int


class Trains(_Data, frozen=True, gc=False):
    """Rules of the trains (R-69 to R-78)."""

    engine: Literal["preset_descending"]
    double_follow_up: Literal["on_that_double"]
    dead_double: Literal["void"]
    double_blank_pips: int


class Variant(_Data, frozen=True, gc=False):
    """All parameters of a variant; the keys are those of the rules' parameter model."""

    key: str
    set: Literal[6, 9, 12]
    seats: tuple[int, ...]
    teams: Literal["none", "optional", "pairs"]
    direction: Literal["cw", "ccw"]
    topology: Literal["line", "trains"]
    hand_size: dict[int, int]
    draw: Draw
    opener: Opener
    end_score: EndScore
    target: Target
    game_tie: Literal["extra_round"]
    turn_seconds: int
    auto_draw: Literal[True]
    auto_pass: Literal[True]
    spinner: Literal["none", "first_double_sides_first", "first_double_all"] = "none"
    in_play: InPlay = InPlay((), "sum")
    block_winner: Literal["lowest_side", "lowest_hand", "last_mover", "leader", "none"] = "none"
    bonus: Bonuses = Bonuses(0, 0)
    trains: Trains | None = None

    def pairs(self, seats: int) -> bool:
        """Whether `seats` seats play as two pairs (R-14)."""
        return self.teams == "pairs" and seats == 4


class Invalid(msgspec.Struct, frozen=True):
    """Parameters that cannot be played: the rule that forbids them, and what is wrong."""

    rule: str
    message: str


def from_mapping(key: str, data: Mapping[str, object]) -> Variant | Invalid:
    """The variant `key` with exactly the parameters of `data`; R-12 stands for unknown keys and wrong types."""
    if "key" in data:
        return Invalid("R-12", "`key` is no parameter")
    try:
        return msgspec.convert({**data, "key": key}, Variant, str_keys=True)
    except msgspec.ValidationError as failure:
        return Invalid("R-12", f"the parameters do not fit: {failure}")


def to_json(variant: Variant) -> bytes:
    """All parameters with the key, as one JSON object."""
    return msgspec.json.encode(variant)


def from_json(data: bytes) -> Variant:
    """The variant that `to_json` wrote. Raises msgspec.ValidationError for anything else."""
    return msgspec.json.decode(data, type=Variant)


def check(variant: Variant, seats: int) -> Invalid | None:
    """Whether `seats` seats can play this combination of parameters (R-32 to R-43); None if they can."""
    v, target = variant, variant.target
    pairs, trains, block = v.pairs(seats), v.topology == "trains", v.end_score.block
    awards = (v.end_score.domino, v.end_score.block)
    if seats not in v.seats or seats not in v.hand_size or seats not in target.value:
        return Invalid("R-32", f"{seats} seats are not allowed; allowed are {', '.join(map(str, v.seats))}")
    if not 2 <= seats <= 8 or v.hand_size[seats] < 1:
        return Invalid("R-32", "a game needs 2 to 8 seats with at least one tile each")
    left = tile_count(v.set) - seats * v.hand_size[seats] - (1 if trains else 0)
    sides = 2 if pairs else seats
    # One line a rule, in the order of the rules: (rule, whether it is broken, what is wrong).
    broken = (
        ("R-32", left < 0, f"{seats} hands of {v.hand_size[seats]} need more tiles than the set has"),
        ("R-33", v.teams == "pairs" and seats != 4, "pairs need 4 seats"),
        ("R-33", v.teams != "none" and trains, "trains are played without pairs"),
        ("R-34", v.draw.reserve < 0, "`draw.reserve` cannot be negative"),
        ("R-34", v.draw.reserve > 0 and v.draw.policy == "none", "a floor needs a boneyard to draw from"),
        (
            "R-34",
            v.draw.policy != "none" and v.draw.reserve >= left,
            "`draw.reserve` must be less than the boneyard after the deal",
        ),
        ("R-34", v.draw.policy == "one" and not trains, "drawing one tile is for trains only"),
        (
            "R-35",
            v.opener.lead == "qualifying" and v.opener.first != "high_double",
            "only `high_double` names a tile that must be led",
        ),
        (
            "R-36",
            trains and (v.spinner != "none" or bool(v.in_play.divisors) or v.block_winner != "none" or _any_bonus(v)),
            "trains have no spinner, points in play, bonus or winner of a blocked round",
        ),
        (
            "R-36",
            not trains and (target.kind == "rounds_lowest" or any(a.value == "own_pips_penalty" for a in awards)),
            "own pips and `rounds_lowest` are for trains only",
        ),
        ("R-36", trains and v.trains is None, "trains need the parameters `trains`"),
        ("R-36", not trains and v.trains is not None, "`trains` is for the topology trains only"),
        ("R-37", min(v.bonus.capicua, v.bonus.chuchazo) < 0, "a bonus cannot be negative"),
        ("R-37", _any_bonus(v) and v.spinner != "none", "a bonus needs two open ends, so no spinner"),
        (
            "R-37",
            _any_bonus(v) and awards[0].value in ("win", "zero", "own_pips_penalty"),
            "a bonus needs a domino out that is worth pips",
        ),
        (
            "R-38",
            v.in_play.count == "sum" and len(v.in_play.divisors) > 1,
            "several divisors would count one sum twice",
        ),
        ("R-38", any(divisor < 2 for divisor in v.in_play.divisors), "a divisor must be 2 or more"),
        ("R-39", target.kind == "exact" and target.check != "immediate", "an exact target is checked at once"),
        (
            "R-39",
            target.kind == "exact" and _can_be_negative(v, pairs),
            "an exact target needs points that are never negative",
        ),
        (
            "R-39",
            target.kind == "shutout" and (sides != 2 or any(award.value != "win" for award in awards)),
            "a shutout is for two sides that score wins",
        ),
        (
            "R-40",
            any(award.round != "none" and award.value in ("win", "zero") for award in awards),
            "wins are not rounded",
        ),
        (
            "R-40",
            block.round != "none" and block.value == "others_minus_own" and v.block_winner in ("leader", "last_mover"),
            "points that may be negative are not rounded",
        ),
        (
            "R-41",
            target.check == "immediate" and target.kind in ("rounds_lowest", "shutout"),
            "this target is only known at the end of a round",
        ),
        (
            "R-42",
            v.block_winner == "leader" and target.kind == "rounds_lowest",
            "where the lowest total wins there is no leader",
        ),
        (
            "R-43",
            not trains and v.block_winner == "none" and block.value != "zero",
            "without a winner a blocked round is worth nothing",
        ),
        ("R-12", target.value[seats] < 1, "the target must be 1 or more"),
    )
    return next((Invalid(rule, message) for rule, is_broken, message in broken if is_broken), None)


def _any_bonus(variant: Variant) -> bool:
    return variant.bonus.capicua > 0 or variant.bonus.chuchazo > 0


def _can_be_negative(variant: Variant, pairs: bool) -> bool:
    """R-83, and a domino out of one whose partner holds more than the others."""
    domino, block = variant.end_score.domino.value, variant.end_score.block.value
    winners = ("leader", "last_mover", "lowest_hand") if pairs else ("leader", "last_mover")
    return (domino == "others_minus_own" and pairs) or (block == "others_minus_own" and variant.block_winner in winners)
