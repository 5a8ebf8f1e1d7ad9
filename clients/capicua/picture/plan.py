"""Where the tiles of a layout lie, on an area of fixed proportion. The unit of length is half a tile."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, combinations, count

from capicua.engine.line import Placement
from capicua.engine.state import GameState
from capicua.engine.tiles import DOUBLE, PIPS, TOTAL
from capicua.engine.trains import Trains
from capicua.picture.fold import OVERHANG, Laid, Lane, Placed, fold, lanes, reverse

LEFT, RIGHT, UP, DOWN = (-1, 0), (1, 0), (0, -1), (0, 1)
NARROWEST = 28
"""Width of the smallest plan; a layout that does not fit gets a wider one, with smaller tiles for the eye."""
WIDER = 2
CLEAR = 3.0
"""How far lanes that come back stay away from the middle, where another arm or the hub is."""
APART = 0.4
"""The least gap between tiles of different arms."""
ROW = 2.6
"""The least height of a train's row: doubles lie across it and cover two units."""
HUB = 1.6
"""Width of the hub that the trains leave from."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Where everything lies, on `width` × `height` units; (0, 0) is its upper left corner.

    `arms` are the tiles of each arm outward, by the name of its open end: L R U D, or a train. On a line they
    leave from `middle`, the spinner or else the lead; None before it. Trains leave from a hub, HUB wide along the
    left edge, at the heights `rows`; `middle` is the engine tile on it.
    """

    width: float
    height: float
    middle: Placed | None
    arms: dict[str, list[Placed]]
    rows: dict[str, float]

    def tiles(self) -> Iterator[Placed]:
        """Every tile of the layout, and the engine tile."""
        return chain([self.middle] if self.middle else [], *self.arms.values())

    @property
    def fits(self) -> bool:
        """Whether every tile and every row lies on the plan, and the arms stay apart."""
        arms = combinations(self.arms.values(), 2)
        return (
            all(
                tile.reach(RIGHT) <= tile.x <= self.width - tile.reach(RIGHT)
                and tile.reach(DOWN) <= tile.y <= self.height - tile.reach(DOWN)
                for tile in self.tiles()
            )
            and all(y <= self.height - ROW / 2 for y in self.rows.values())
            and not any(tile.is_near(other, APART) for one, two in arms for tile in one for other in two)
        )


def plan_layout(state: GameState, proportion: float) -> Plan:
    """The smallest plan, as wide as `proportion` times its height, on which the layout of `state` fits."""
    return next(plan for width in count(NARROWEST, WIDER) if (plan := _plan(state, width, width / proportion)).fits)


def _plan(state: GameState, width: float, height: float) -> Plan:
    layout = state.layout
    if isinstance(layout, Trains):
        assert state.engine_tile is not None
        return _trains(layout, state.engine_tile, width, height)
    if layout is None or not layout.placements:
        return Plan(width, height, None, {}, {})
    return _line(layout.placements, state.variant.spinner != "none", width, height)


# A line.


def _line(placements: Sequence[Placement], spins: bool, width: float, height: float) -> Plan:
    middle, arms = arms_of(placements, spins)
    # A double lies across the line, so its heading is down; the spinner's short sides are above and below.
    centre = Placed(*middle, 0, 0, DOWN if DOUBLE[middle.tile] else RIGHT)
    placed = {
        end: [tile.moved(width / 2, height / 2) for tile in fold(run, centre, _way(end, spins, width, height))]
        for end, run in arms.items()
    }
    return Plan(width, height, centre.moved(width / 2, height / 2), placed, {})


def _way(end: str, spins: bool, width: float, height: float) -> Iterator[Lane]:
    """The lanes of an arm: a half of the plan for each of two, a quarter for each where there may be four."""
    far = width / 2 - OVERHANG
    near = -CLEAR if spins else far
    side = RIGHT if end in "RU" else LEFT
    off = UP if end in "LU" else DOWN
    if end in "LR":
        return lanes(side, off, far, near)
    return chain([Lane(off, height / 2 - OVERHANG)], lanes(side, reverse(off), far, near))


def arms_of(placements: Sequence[Placement], spins: bool) -> tuple[Laid, dict[str, list[Laid]]]:
    """The tile in the middle, the lead or the spinner, and the arms outward from it by their ends (R-46 to R-51).

    The `inner` half of the one in the middle is at the left. There must be a lead; `spins` says whether the first
    double is a spinner.
    """
    _, lead, _ = placements[0]
    row, short = deque([Laid(lead, *PIPS[lead])]), {"U": list[Laid](), "D": list[Laid]()}
    # The first double is the spinner, wherever in the row it lies.
    doubles = (tile for _, tile, _ in placements if DOUBLE[tile])
    middle = next(doubles, lead) if spins else lead
    for _, tile, end in placements[1:]:
        if end == "L":
            row.appendleft(_behind(tile, row[0].inner).turned)
        elif end == "R":
            row.append(_behind(tile, row[-1].outward))
        else:
            arm = short[end]
            arm.append(_behind(tile, arm[-1].outward if arm else PIPS[middle][0]))
    left: list[Laid] = []
    while (laid := row.popleft()).tile != middle:
        left.insert(0, laid.turned)
    return laid, {"L": left, "R": list(row), **short}


def _behind(tile: int, pips: int) -> Laid:
    return Laid(tile, pips, TOTAL[tile] - pips)


# Trains.


def _trains(trains: Trains, engine_tile: int, width: float, height: float) -> Plan:
    # Every train leaves the hub as if the engine tile stood there, across its way.
    hub = Placed(engine_tile, *PIPS[engine_tile], HUB - 0.5, 0, DOWN)
    runs: dict[str, list[Laid]] = {name: [] for name, _ in trains.ends()}
    for _, tile, name in trains.placements:
        run = runs[name]
        run.append(_behind(tile, run[-1].outward if run else hub.second))
    arms = {name: fold(run, hub, lanes(RIGHT, DOWN, width - OVERHANG, -CLEAR)) for name, run in runs.items()}
    heights = [max(ROW, *(ROW / 2 + tile.y + tile.reach(DOWN) for tile in arm), 0) for arm in arms.values()]
    spare = max(0.0, height - sum(heights)) / len(heights)
    centres = accumulate((tall + spare for tall in heights), initial=(spare + ROW) / 2)
    ways = dict(zip(arms, centres, strict=False))
    placed = {name: [tile.moved(0, ways[name]) for tile in arm] for name, arm in arms.items()}
    return Plan(width, height, hub.moved(0.5 - HUB / 2, height / 2), placed, ways)
