"""The end of a round the slow way: who won, what it gives, whether the game is over, who opens next."""

from __future__ import annotations

from typing import Any

from engine.naive_layout import is_double, pips

Json = dict[str, Any]


class Unruled(Exception):
    """The rules do not say who wins: the leaders are equal and none of them has moved (R-136)."""


def sides_of(seats: int, pairs: bool) -> list[list[int]]:
    """The seats of each side (R-14)."""
    return [[0, 2], [1, 3]] if pairs else [[seat] for seat in range(seats)]


def side_of(seat: int, sides: list[list[int]]) -> int:
    """The side a seat belongs to (R-14)."""
    return next(side for side, seats in enumerate(sides) if seat in seats)


def round_result(rules: Json, setup: Json, game: Json) -> Json:
    """The `result` of a vector (R-64); the scores of the game grow by the points of the end of the round."""
    result: Json = {
        "reason": game["reason"],
        "tie": False,
        "winner_seat": None,
        "winner_side": None,
        "last_mover": game["plays"][-1]["seat"],
        "hand_pips": [pips(hand) for hand in game["hands"]],
        "revealed": game["hands"],
        "raw_points": None,
        "awarded": 0,
        "bonuses": [],
        "reset": False,
    }
    if rules["topology"] == "trains":
        _end_trains(result, game)
    else:
        _end_line(rules, result, game)
    result["scores"] = game["scores"]
    result["game_winner"] = game_winner(rules, setup, game["scores"])
    result["game_over"] = result["game_winner"] is not None
    result["next_opener"] = _next_opener(rules, setup, game, result)
    return result


def _end_trains(result: Json, game: Json) -> None:
    """R-77, R-78: every seat adds its own pips; nobody wins a blocked round, and it is not a tie."""
    result["awarded"] = None
    if result["reason"] == "domino":
        result["winner_seat"] = result["winner_side"] = result["last_mover"]
    for seat, own in enumerate(result["hand_pips"]):
        game["scores"][seat] += own


def _end_line(rules: Json, result: Json, game: Json) -> None:
    if result["reason"] == "target":
        return
    sides = game["sides"]
    if result["reason"] == "domino":
        side = side_of(result["last_mover"], sides)
        seat = result["last_mover"]
    else:
        found = block_winner(rules["block_winner"], game)
        if found is None:
            result["tie"] = True
            return
        side, seat = found
    result["winner_side"], result["winner_seat"] = side, seat

    how = rules["end_score"][result["reason"]]
    own = sum(result["hand_pips"][seat] for seat in sides[side])
    others = sum(result["hand_pips"]) - own
    raw = {"win": 1, "zero": 0, "others": others, "others_minus_own": others - own, "all": others + own}[how["value"]]
    rounded = {"none": raw, "nearest5": 5 * ((raw + 2) // 5), "down5": 5 * (raw // 5)}[how["round"]]
    result["raw_points"], result["awarded"] = raw, rounded

    if rules["target"]["kind"] == "exact" and result["reason"] == "domino":
        # this point was one sum with the last play and is in the scores already.
        result["awarded"] = game["out_point"]
    elif rules["target"]["kind"] == "shutout":
        if game["scores"][1 - side] == 0:
            game["scores"][side] += rounded
        else:
            result["awarded"], result["reset"] = 0, True
            game["scores"][:] = [0, 0]
    else:
        game["scores"][side] += rounded
    if result["reason"] == "domino":
        result["bonuses"] = _bonuses(rules["bonus"], game)
        game["scores"][side] += sum(bonus["points"] for bonus in result["bonuses"])


def block_winner(how: str, game: Json) -> tuple[int, int] | None:
    """The winning side and seat of a blocked round on a line; None if nobody wins (R-21, R-25 to R-29)."""
    hands, sides, movers = game["hands"], game["sides"], [play["seat"] for play in game["plays"]]
    seats = len(hands)
    from_last_mover = [(movers[-1] + step) % seats for step in range(seats)]
    if how == "none":
        return None
    if how == "lowest_hand":
        lowest = min(pips(hand) for hand in hands)
        lightest = [seat for seat in from_last_mover if pips(hands[seat]) == lowest]
        winning = {side_of(seat, sides) for seat in lightest}
        return (winning.pop(), lightest[0]) if len(winning) == 1 else None
    if how == "lowest_side":
        totals = [sum(pips(hands[seat]) for seat in side) for side in sides]
        if totals.count(min(totals)) > 1:
            return None
        side = totals.index(min(totals))
    elif how == "last_mover":
        side = side_of(movers[-1], sides)
    else:
        side = _leader(game)
    return side, next(seat for seat in from_last_mover if seat in sides[side])


def _leader(game: Json) -> int:
    """R-28, R-136: top score, then fewest tiles, then the most recent mover."""
    scores, hands, sides = game["scores"], game["hands"], game["sides"]
    left = [side for side in range(len(sides)) if scores[side] == max(scores)]
    tiles = {side: sum(len(hands[seat]) for seat in sides[side]) for side in left}
    left = [side for side in left if tiles[side] == min(tiles.values())]
    if len(left) == 1:
        return left[0]
    for play in reversed(game["plays"]):
        if side_of(play["seat"], sides) in left:
            return side_of(play["seat"], sides)
    raise Unruled


def _bonuses(points: Json, game: Json) -> list[Json]:
    """R-30, R-131, R-132: what the last tile earned by its kind."""
    last = game["plays"][-1]["tile"]
    fitted = {play.split("@")[1] for play in game["last_legal"] if play.split("@")[0] == last}
    kinds = []
    if not is_double(last) and {"L", "R"} <= fitted:
        kinds.append("capicua")
    if last == "0-0":
        kinds.append("chuchazo")
    return [{"kind": kind, "points": points[kind]} for kind in kinds if points[kind]]


def game_winner(rules: Json, setup: Json, scores: list[int]) -> int | None:
    """The side that has won the game; None while it goes on (R-62, R-65, R-67, R-68)."""
    kind, value = rules["target"]["kind"], rules["target"]["value"][str(setup["seats"])]
    if kind == "rounds_lowest":
        over, best = setup["round"] >= value, min(scores)
    else:
        best = max(scores)
        over = best == value if kind == "exact" else best >= value
    return scores.index(best) if over and scores.count(best) == 1 else None


def _next_opener(rules: Json, setup: Json, game: Json, result: Json) -> Json | None:
    """R-20 to R-22."""
    if result["game_over"]:
        return None
    opener = rules["opener"]
    how = opener["next"] if result["winner_seat"] is not None else opener["after_tie"]
    if result["reset"] or how == "first_rule":
        return {"rule": opener["first"]}
    last = game["opener"]["seat"]
    return {"seat": {"winner": result["winner_seat"], "same": last, "rotate": (last + 1) % setup["seats"]}[how]}
