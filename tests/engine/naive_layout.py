"""The layout the slow way: built again from the list of all plays whenever somebody asks for it."""

from __future__ import annotations

from typing import Any

Play = dict[str, Any]
"""One play: its `seat`, its `tile` and the `end` or train it went to."""


def halves(tile: str) -> list[int]:
    """Both numbers of a tile, the larger first (R-1)."""
    return [int(half) for half in tile.split("-")]


def pips(tiles: list[str]) -> int:
    """The pips of some tiles together; a double counts in full (R-11)."""
    return sum(sum(halves(tile)) for tile in tiles)


def is_double(tile: str) -> bool:
    """Whether both halves are equal."""
    first, second = halves(tile)
    return first == second


def tile_set(highest: int) -> list[str]:
    """All tiles 0-0 … n-n, each once (R-1)."""
    return [f"{high}-{low}" for high in range(highest + 1) for low in range(high + 1)]


def turned(tile: str, number: int) -> list[int]:
    """The halves of a tile with the given number first, as it touches its neighbour (R-48)."""
    first, second = halves(tile)
    assert number in (first, second)
    return [number, second if first == number else first]


def lay_line(plays: list[Play], spinner_mode: str) -> dict[str, Any]:
    """
    The line after some plays: `row`, the halves of each tile from end L to end R; `up` and `down`, the arms
    on the short sides, halves outwards; `spinner`, its place in the row or None (R-46 to R-49).
    """
    row: list[list[int]] = []
    up: list[list[int]] = []
    down: list[list[int]] = []
    spinner: int | None = None
    for play in plays:
        tile, end = play["tile"], play["end"]
        becomes_spinner = spinner_mode != "none" and spinner is None and is_double(tile)
        if end == "-":
            row.append(halves(tile))
        elif end == "L":
            row.insert(0, turned(tile, row[0][0])[::-1])
            spinner = spinner + 1 if spinner is not None else None
        elif end == "R":
            row.append(turned(tile, row[-1][1]))
        else:
            assert spinner is not None
            arm = up if end == "U" else down
            arm.append(turned(tile, arm[-1][1] if arm else row[spinner][0]))
        if becomes_spinner:
            spinner = len(row) - 1 if end == "R" else 0
    return {"row": row, "up": up, "down": down, "spinner": spinner}


def line_ends(plays: list[Play], spinner_mode: str) -> dict[str, int]:
    """The open ends and their numbers; U and D once they are open (R-47, R-50, R-51)."""
    line = lay_line(plays, spinner_mode)
    row, spinner = line["row"], line["spinner"]
    ends = {"L": row[0][0], "R": row[-1][1]}
    if spinner is None:
        return ends
    both_long_sides = 0 < spinner < len(row) - 1
    if spinner_mode == "first_double_all" or both_long_sides:
        number = row[spinner][0]
        ends["U"] = line["up"][-1][1] if line["up"] else number
        ends["D"] = line["down"][-1][1] if line["down"] else number
    return ends


def line_contributions(plays: list[Play], spinner_mode: str) -> dict[str, int]:
    """What each end adds to the count; their sum is the count (R-52 to R-54)."""
    line = lay_line(plays, spinner_mode)
    row, spinner = line["row"], line["spinner"]
    if spinner is None and len(row) == 1:
        first, second = row[0]
        return {"L": first + second, "R": 0} if first == second else {"L": first, "R": second}
    if spinner is None:
        return {"L": _outward(row[0][::-1]), "R": _outward(row[-1])}
    number = row[spinner][0]
    arms = {
        "L": [tile[::-1] for tile in row[:spinner]][::-1],
        "R": row[spinner + 1 :],
        "U": line["up"],
        "D": line["down"],
    }
    parts = {end: _outward(arm[-1]) if arm else 0 for end, arm in arms.items()}
    bare = [end for end, arm in arms.items() if not arm]
    if len(bare) > 2:
        parts[bare[0]] += 2 * number
    return parts


def _outward(tile: list[int]) -> int:
    inward, outward = tile
    return inward + outward if inward == outward else outward


def train_names(seats: int) -> list[str]:
    """One train for each seat and the Mexican train (R-70)."""
    return [str(seat) for seat in range(seats)] + ["M"]


def train_tips(plays: list[Play], seats: int, engine: str) -> dict[str, int]:
    """The number at the open end of every train; all start at the engine tile (R-69)."""
    tips = dict.fromkeys(train_names(seats), halves(engine)[0])
    for play in plays:
        tips[play["end"]] = turned(play["tile"], tips[play["end"]])[1]
    return tips


def is_dead(double: str, plays: list[Play], highest: int) -> bool:
    """Whether every tile with the number of this double, which is never the engine tile's, is laid (R-75)."""
    number = halves(double)[0]
    laid = [play["tile"] for play in plays]
    return all(tile in laid for tile in tile_set(highest) if number in halves(tile))
