"""Random rounds to play: any variant, any seats, now and then with parameters that no named variant has."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from engine.naive import VARIANTS, find_opener, naive_round
from engine.naive_layout import pips, tile_set
from engine.naive_score import Unruled, game_winner

Json = dict[str, Any]

PIP_VALUES = ("others", "others_minus_own", "all")
IN_PLAY: tuple[Json, ...] = (
    {"divisors": [], "count": "sum"},
    {"divisors": [3], "count": "sum"},
    {"divisors": [5], "count": "sum"},
    {"divisors": [3, 5], "count": "quotient"},
    {"divisors": [5, 3, 2], "count": "quotient"},
)


def random_vector(rng: random.Random, variant: str) -> Json:
    """A random round of a variant, played at random to its end."""
    while True:
        seats = rng.choice(VARIANTS[variant]["seats"])
        setup = random_setup(rng, variant, seats, _random_pairs(rng, variant, seats))
        try:
            return naive_round(setup, rng.choice)
        except Unruled:
            continue


def _random_pairs(rng: random.Random, variant: str, seats: int) -> bool:
    """Whether four seats play in pairs: not on trains (R-33), often where it is the custom, seldom against it."""
    likely = {"none": 0.1, "optional": 0.5, "pairs": 0.9}[VARIANTS[variant]["teams"]]
    if VARIANTS[variant]["target"]["kind"] == "shutout":
        likely = 1
    return seats == 4 and VARIANTS[variant]["topology"] == "line" and rng.random() < likely


def random_setup(rng: random.Random, variant: str, seats: int, pairs: bool) -> Json:
    """A random valid setup: the keys of a vector from `id` to `deal`."""
    overrides = _random_overrides(rng, variant, seats, pairs)
    rules = {**VARIANTS[variant], **overrides}
    trains = rules["topology"] == "trains"
    round_ = rng.choice((1, rng.randint(2, 16)))
    setup: Json = {
        "id": f"{variant}-random",
        "variant": variant,
        "overrides": overrides,
        "title": "A random round",
        "seats": seats,
        "teams": pairs,
        "round": round_,
        "previous": None,
        "lot": None,
    }
    setup["scores_before"] = _random_scores(rng, rules, setup)
    if round_ > 1:
        setup["previous"] = _random_previous(rng, rules, setup)
    tiles = tile_set(rules["set"])
    if trains:
        number = rules["set"] - (round_ - 1) % (rules["set"] + 1)
        setup["engine"] = f"{number}-{number}"
        tiles.remove(setup["engine"])
    rng.shuffle(tiles)
    size = rules["hand_size"][str(seats)]
    hands = [tiles[seat * size : (seat + 1) * size] for seat in range(seats)]
    setup["deal"] = {"hands": hands, "boneyard": tiles[seats * size :]}
    setup["lot"] = _random_lot(rng, rules, setup)
    return setup


def _random_overrides(rng: random.Random, variant: str, seats: int, pairs: bool) -> Json:
    """Now and then a few random values, tried until they go together; the pairs as asked in any case."""
    wanted = "pairs" if pairs else "none"
    as_is = VARIANTS[variant]["teams"] in ((wanted,) if pairs else (wanted, "optional"))
    teams = {} if as_is else {"teams": wanted}
    if rng.random() < 0.5:
        return teams
    while True:
        overrides = {**teams, **any_overrides(rng, variant)}
        rules = {**VARIANTS[variant], **overrides}
        if broken_rule(rules, seats, pairs) is None and not _unruled(rules):
            return overrides


def any_overrides(rng: random.Random, variant: str) -> Json:
    """Some random values, whether they go together or not."""
    base = VARIANTS[variant]
    parts = dict(_train_parts(rng, base) if base["topology"] == "trains" else _line_parts(rng, base))
    overrides = {key: parts[key] for key in rng.sample(list(parts), rng.randint(1, 4))}
    if overrides.get("block_winner") == "none" and rng.random() < 0.8:
        overrides["end_score"] = {**base["end_score"], "block": {"value": "zero", "round": "none"}}
    return overrides


def _train_parts(rng: random.Random, base: Json) -> Iterator[tuple[str, Any]]:
    highest, full = rng.choice((6, 6, 9, 12)), rng.random() < 0.5
    most = {key: (len(tile_set(highest)) - 1) // int(key) for key in base["hand_size"]}
    yield "set", highest
    # Full hands leave next to nothing to draw, so that the trains are often blocked.
    yield "hand_size", {key: size if full else rng.randint(2, max(2, size)) for key, size in most.items()}
    yield "draw", {"policy": "one", "reserve": rng.randint(0, 2)}
    yield "target", {**base["target"], "value": dict.fromkeys(base["target"]["value"], rng.randint(1, 13))}


def _line_parts(rng: random.Random, base: Json) -> Iterator[tuple[str, Any]]:
    reserve = rng.randint(0, 2)
    policy = rng.choice(("none", "until_playable", "until_playable"))
    yield "set", rng.choice((6, 9, 12))
    yield "hand_size", {key: rng.choice((size, rng.randint(3, size))) for key, size in base["hand_size"].items()}
    yield "draw", {"policy": policy, "reserve": 0 if policy == "none" else reserve}
    yield "spinner", rng.choice(("none", "first_double_sides_first", "first_double_all"))
    yield "in_play", rng.choice(IN_PLAY)
    yield "block_winner", rng.choice(("lowest_side", "lowest_hand", "last_mover", "leader", "none"))
    values, roundings = ("win", "zero", *PIP_VALUES), ("none", "none", "nearest5", "down5")
    domino, block = ({"value": rng.choice(values), "round": rng.choice(roundings)} for _ in range(2))
    yield "end_score", {"domino": domino, "block": block}
    kind, value = rng.choice((("at_least", 50), ("at_least", 150), ("at_least", 3), ("exact", 31), ("shutout", 4)))
    check = rng.choice(("round_end", "immediate"))
    yield "target", {"kind": kind, "value": dict.fromkeys(base["hand_size"], value), "check": check}
    yield "bonus", {"capicua": rng.choice((0, 25, 30)), "chuchazo": rng.choice((0, 25, 100))}
    first = rng.choice(("high_double", "lot", "lot_by_tile"))
    after_tie = rng.choice(("rotate", "first_rule", "same"))
    next_, lead = rng.choice(("winner", "rotate", "first_rule")), rng.choice(("qualifying", "any"))
    yield "opener", {"first": first, "lead": lead, "next": next_, "after_tie": after_tie}


def broken_rule(rules: Json, seats: int, pairs: bool) -> str | None:
    """The rule that forbids these parameters together (R-32 to R-43); None if they may be played."""
    trains = rules["topology"] == "trains"
    tiles = len(tile_set(rules["set"]))
    dealt = seats * rules["hand_size"][str(seats)] + (1 if trains else 0)
    draw, opener, target = rules["draw"], rules["opener"], rules["target"]
    domino, block = rules["end_score"]["domino"], rules["end_score"]["block"]
    values = [domino["value"], block["value"]]
    in_play, winner = rules.get("in_play"), rules.get("block_winner")
    spinner, bonus = rules.get("spinner", "none"), max(rules.get("bonus", {"capicua": 0}).values())
    sides = 2 if pairs else seats
    policy, reserve = draw["policy"], draw["reserve"]
    # R-83 for blocked rounds; after a domino out in pairs the partner may hold more than both opponents.
    heavy_may_win = winner in ("leader", "last_mover") or (pairs and winner == "lowest_hand")
    negative = (heavy_may_win and block["value"] == "others_minus_own") or (
        pairs and domino["value"] == "others_minus_own"
    )
    broken = {
        "R-32": dealt > tiles or seats not in rules["seats"],
        "R-33": (rules["teams"] == "pairs" and seats != 4) or (trains and pairs),
        "R-34": (reserve > 0 and policy == "none")
        or (policy != "none" and reserve >= tiles - dealt)
        or (policy == "one" and not trains),
        "R-35": opener["lead"] == "qualifying" and opener["first"] != "high_double",
        "R-36": (trains and any(key in rules for key in ("spinner", "in_play", "bonus", "block_winner")))
        or (not trains and ("own_pips_penalty" in values or target["kind"] == "rounds_lowest")),
        "R-37": bonus > 0 and (spinner != "none" or domino["value"] not in PIP_VALUES),
        "R-38": in_play is not None
        and ((in_play["count"] == "sum" and len(in_play["divisors"]) > 1) or min(in_play["divisors"], default=2) < 2),
        "R-39": (target["kind"] == "exact" and (target["check"] != "immediate" or negative))
        or (target["kind"] == "shutout" and (sides != 2 or values != ["win", "win"])),
        "R-40": any(end["round"] != "none" and end["value"] in ("win", "zero") for end in (domino, block))
        or (winner in ("leader", "last_mover") and block["value"] == "others_minus_own" and block["round"] != "none"),
        "R-41": target["check"] == "immediate" and target["kind"] in ("rounds_lowest", "shutout"),
        "R-42": winner == "leader" and target["kind"] == "rounds_lowest",
        "R-43": winner == "none" and block["value"] != "zero",
    }
    return next((rule for rule, is_broken in broken.items() if is_broken), None)


def _unruled(rules: Json) -> bool:
    """
    Whether the rules leave the scores open: R-63 speaks of the 1 for a domino out only, so the points of an
    `exact` game must be 1 or 0; R-67 does not speak of points in play.
    """
    kind, end = rules["target"]["kind"], rules["end_score"]
    beyond_one = end["domino"]["value"] != "win" or end["block"]["value"] not in ("win", "zero")
    return (kind == "exact" and beyond_one) or (kind == "shutout" and bool(rules["in_play"]["divisors"]))


def _random_scores(rng: random.Random, rules: Json, setup: Json) -> list[int]:
    """Scores with which the game can go on, near the target more often than chance would have it."""
    sides = 2 if setup["teams"] else setup["seats"]
    kind, value = rules["target"]["kind"], rules["target"]["value"][str(setup["seats"])]
    if setup["round"] == 1:
        return [0] * sides
    if kind == "shutout":
        scores = [rng.randrange(value), 0]
        return scores if rng.random() < 0.5 else scores[::-1]
    if kind == "rounds_lowest":
        top = rng.choice((3, 300))
        scores = [rng.randint(0, top) for _ in range(sides)]
        if setup["round"] > value:
            scores[:2] = [min(scores)] * 2
        return scores
    leader = rules["block_winner"] == "leader"
    if leader and rng.random() < 0.3:
        return [rng.randint(-20, value - 1)] * sides
    lowest = -20 if leader else 0
    near = rng.random() < 0.5
    scores = [rng.randint(max(lowest, value - 20) if near else lowest, value - 1) for _ in range(sides)]
    if rules["in_play"]["divisors"] and rules["target"]["check"] == "round_end" and rng.random() < 0.1:
        scores[:2] = [value + rng.randint(0, 30)] * 2
    return scores


def _random_previous(rng: random.Random, rules: Json, setup: Json) -> Json:
    """
    The round before. At 0–0 in a shutout it had no winner: a reset would look the same as a tie there, and
    a vector has no word for it (R-22).
    """
    seats = setup["seats"]
    opener = rng.randrange(seats)
    if rules["topology"] == "trains":
        return {"opener": opener}
    won = rng.random() < 0.7
    if rules["target"]["kind"] == "shutout":
        won = won and max(setup["scores_before"]) > 0
    winner = rng.randrange(seats) if won else None
    return {"opener": opener, "winner": winner, "tie": winner is None}


def _random_lot(rng: random.Random, rules: Json, setup: Json) -> Json | None:
    """A lot where the opener is found by one (R-18, R-19), and now and then a seat that decides nothing."""
    by = find_opener(rules, {**setup, "lot": {"seat": 0, "draws": [_unequal(setup["seats"])]}})["by"]
    if by == "lot_by_tile":
        return {"kind": "tiles", "draws": _random_draws(rng, rules["set"], setup["seats"])}
    if by == "lot" or (rules["opener"]["first"] == "lot" and rng.random() < 0.1):
        return {"kind": "seat", "seat": rng.randrange(setup["seats"])}
    return None


def _unequal(seats: int) -> list[str]:
    return [f"{seat}-0" for seat in range(seats)]


def _random_draws(rng: random.Random, highest: int, seats: int) -> list[list[str]]:
    """R-19: one tile per seat, then new tiles for the tied seats alone; often from the few heavy tiles."""
    tiles = tile_set(highest)
    if rng.random() < 0.5:
        tiles = [tile for tile in tiles if pips([tile]) in (highest, highest + 1)]
    rng.shuffle(tiles)
    rest = [tile for tile in tile_set(highest) if tile not in tiles]
    rng.shuffle(rest)
    tiles += rest
    draws: list[list[str]] = []
    tied = seats
    while tied > 1:
        draws.append([tiles.pop(0) for _ in range(tied)])
        weights = [pips([tile]) for tile in draws[-1]]
        tied = weights.count(max(weights))
    return draws


def may_go_on(setup: Json) -> bool:
    """Whether nobody has won the game before this round."""
    before = {**setup, "round": setup["round"] - 1}
    return game_winner({**VARIANTS[setup["variant"]], **setup["overrides"]}, before, setup["scores_before"]) is None
