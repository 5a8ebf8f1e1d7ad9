"""
A second, naive rule writer: plain lists and strings, everything counted again at every step.

It is written from the rules alone and shares nothing with the engine, so that a mistake has to be made twice
to go unseen. It writes whole rounds as rules vectors.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.naive_layout import (
    halves,
    is_dead,
    is_double,
    line_contributions,
    line_ends,
    pips,
    train_tips,
)
from engine.naive_score import round_result, side_of, sides_of

Json = dict[str, Any]
Choose = Callable[[list[str]], str]

VARIANTS: dict[str, Json] = json.loads((Path(__file__).parent / "data" / "variants.json").read_text())


def rules_of(setup: Json) -> Json:
    """The parameters of a round: those of its variant, each override in place of the whole value."""
    return {**VARIANTS[setup["variant"]], **setup["overrides"]}


def naive_round(setup: Json, choose: Choose) -> Json:
    """
    The whole vector of a round: `choose` takes one of the sorted legal plays at every play.

    The setup holds the keys of a vector up to `deal`. Raises Unruled where the rules leave the winner open.
    """
    rules = rules_of(setup)
    game: Json = {
        "hands": copy.deepcopy(setup["deal"]["hands"]),
        "boneyard": list(setup["deal"]["boneyard"]),
        "scores": list(setup["scores_before"]),
        "sides": sides_of(setup["seats"], setup["teams"]),
        "opener": find_opener(rules, setup),
        "plays": [],
        "markers": [],
        "debt": None,
        "passes": 0,
        "out_point": 0,
        "reason": None,
        "steps": [],
    }
    seat = game["opener"]["seat"]
    while game["reason"] is None:
        if rules["topology"] == "trains":
            _turn_on_trains(rules, setup, game, seat, choose)
        else:
            _turn_on_line(rules, setup, game, seat, choose)
        seat = (seat + 1) % setup["seats"]
    result = round_result(rules, setup, game)
    return {**copy.deepcopy(setup), "opener": game["opener"], "steps": game["steps"], "result": result}


def find_opener(rules: Json, setup: Json) -> Json:
    """The `opener` of a vector (R-16 to R-20)."""
    previous, opener = setup["previous"], rules["opener"]
    how = opener["first"]
    if previous is not None:
        next_rule = opener["next"] if previous.get("winner") is not None else opener["after_tie"]
        how = how if next_rule == "first_rule" else next_rule
    if how == "high_double":
        return _opener_by_tile(opener["lead"], setup["deal"]["hands"])
    if how == "lot":
        seat = setup["lot"]["seat"]
    elif how == "lot_by_tile":
        seat = _opener_by_lot(setup["lot"]["draws"], setup["seats"])
    elif how == "winner":
        seat = previous["winner"]
    else:
        seat = (previous["opener"] + (how == "rotate")) % setup["seats"]
    return {"seat": seat, "forced_lead": None, "by": how}


def _opener_by_tile(lead: str, hands: list[list[str]]) -> Json:
    dealt = [tile for hand in hands for tile in hand]
    candidates = [tile for tile in dealt if is_double(tile)] or dealt
    best = max(candidates, key=lambda tile: (pips([tile]), halves(tile)[0]))
    seat = next(seat for seat, hand in enumerate(hands) if best in hand)
    return {"seat": seat, "forced_lead": best if lead == "qualifying" else None, "by": "high_double"}


def _opener_by_lot(draws: list[list[str]], seats: int) -> int:
    tied = list(range(seats))
    for draw in draws:
        most = max(pips([tile]) for tile in draw)
        tied = [seat for seat, tile in zip(tied, draw, strict=True) if pips([tile]) == most]
    (seat,) = tied
    return seat


def _turn_on_line(rules: Json, setup: Json, game: Json, seat: int, choose: Choose) -> None:
    """R-56 to R-60."""
    legal = _legal_on_line(rules, game, seat)
    while not legal and rules["draw"]["policy"] == "until_playable" and _can_draw(rules, game):
        tile = _draw(game, seat)
        legal = _legal_on_line(rules, game, seat)
        _step(rules, game, seat, "draw", tile=tile, playable=legal != [])
    if legal:
        _play_on_line(rules, setup, game, seat, legal, choose(legal))
        game["passes"] = 0
        return
    game["passes"] += 1
    _step(rules, game, seat, "pass")
    if game["passes"] == setup["seats"]:
        game["reason"] = "block"


def _legal_on_line(rules: Json, game: Json, seat: int) -> list[str]:
    hand, forced = game["hands"][seat], game["opener"]["forced_lead"]
    if not game["plays"]:
        return sorted(f"{tile}@-" for tile in hand if forced in (None, tile))
    ends = line_ends(game["plays"], rules["spinner"])
    return sorted(f"{tile}@{end}" for tile in hand for end, number in ends.items() if number in halves(tile))


def _play_on_line(rules: Json, setup: Json, game: Json, seat: int, legal: list[str], choice: str) -> None:
    """R-61 to R-63: the play, its points and whether it ends the round or the game."""
    tile, end = _put(game, seat, legal, choice)
    contrib = line_contributions(game["plays"], rules["spinner"])
    count = sum(contrib.values())
    points, voided = _points_in_play(rules["in_play"], count), 0
    went_out = game["hands"][seat] == []
    side = side_of(seat, game["sides"])
    target = rules["target"]
    value = target["value"][str(setup["seats"])]
    if target["kind"] == "exact":
        game["out_point"] = 1 if went_out else 0
        if game["scores"][side] + points + game["out_point"] > value:
            voided = points + game["out_point"]
            points = game["out_point"] = 0
    game["scores"][side] += points + game["out_point"]
    said = {"voided": voided} if voided else {}
    said |= {"out_point": game["out_point"]} if game["out_point"] else {}
    ends = line_ends(game["plays"], rules["spinner"])
    table = {"ends": ends, "contrib": contrib, "count": count, "points": points, **said}
    _step(rules, game, seat, "play", tile=tile, legal=legal, end=end, **table)
    met = target["check"] == "immediate" and game["scores"][side] >= value
    if met and not (went_out and target["kind"] == "exact"):
        game["reason"] = "target"
    elif went_out:
        game["reason"] = "domino"


def _points_in_play(in_play: Json, count: int) -> int:
    """R-24, R-55."""
    fitting = [divisor for divisor in in_play["divisors"] if count % divisor == 0]
    return sum(count if in_play["count"] == "sum" else count // divisor for divisor in fitting)


def _turn_on_trains(rules: Json, setup: Json, game: Json, seat: int, choose: Choose) -> None:
    """R-71 to R-77."""
    drew = False
    while True:
        legal = _legal_on_trains(setup, game, seat)
        if not legal and _can_draw(rules, game):
            tile = _draw(game, seat)
            drew = True
            legal = _legal_on_trains(setup, game, seat)
            _step(rules, game, seat, "draw", tile=tile, playable=legal != [])
        if not legal:
            break
        _play_on_train(rules, setup, game, seat, legal, choose(legal))
        game["passes"] = 0
        if game["hands"][seat] == []:
            game["reason"] = "domino"
            return
        if game["debt"] is None:
            return
        drew = False
    marked = str(seat) in game["markers"]
    game["markers"] = sorted({*game["markers"], str(seat)})
    game["passes"] = game["passes"] + 1 if marked and not drew else 0
    _step(rules, game, seat, "pass")
    if game["passes"] == setup["seats"] and not _can_draw(rules, game):
        game["reason"] = "block"


def _legal_on_trains(setup: Json, game: Json, seat: int) -> list[str]:
    tips = train_tips(game["plays"], setup["seats"], setup["engine"])
    allowed = [game["debt"]] if game["debt"] else [str(seat), "M", *game["markers"]]
    return sorted(
        {f"{tile}@{train}" for tile in game["hands"][seat] for train in allowed if tips[train] in halves(tile)}
    )


def _play_on_train(rules: Json, setup: Json, game: Json, seat: int, legal: list[str], choice: str) -> None:
    tile, train = _put(game, seat, legal, choice)
    if train == str(seat) and train in game["markers"]:
        game["markers"].remove(train)
    open_double = is_double(tile) and not is_dead(tile, game["plays"], rules["set"])
    game["debt"] = train if open_double else None
    tips = train_tips(game["plays"], setup["seats"], setup["engine"])
    _step(rules, game, seat, "play", tile=tile, legal=legal, train=train, tips=tips)


def _can_draw(rules: Json, game: Json) -> bool:
    left: int = len(game["boneyard"]) - rules["draw"]["reserve"]
    return left > 0


def _draw(game: Json, seat: int) -> str:
    tile: str = game["boneyard"].pop(0)
    game["hands"][seat].append(tile)
    return tile


def _put(game: Json, seat: int, legal: list[str], choice: str) -> tuple[str, str]:
    assert choice in legal
    tile, end = choice.split("@")
    game["hands"][seat].remove(tile)
    game["plays"].append({"seat": seat, "tile": tile, "end": end})
    game["last_legal"] = legal
    return tile, end


def _step(rules: Json, game: Json, seat: int, action: str, **more: Any) -> None:
    step = {"n": len(game["steps"]) + 1, "seat": seat, "action": action, **more}
    step |= {"hand_sizes": [len(hand) for hand in game["hands"]], "boneyard": len(game["boneyard"])}
    if rules["topology"] == "trains":
        step |= {"markers": list(game["markers"]), "debt": game["debt"]}
    else:
        step["scores"] = list(game["scores"])
    game["steps"].append(step)
