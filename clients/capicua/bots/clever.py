"""The clever bot: counts tiles, remembers who passed or drew on what, and looks one play ahead."""

from __future__ import annotations

from random import Random

from capicua.bots.knowledge import Knowledge, lines
from capicua.bots.outlook import other, others, outlook, worth_shed
from capicua.bots.train_plan import best_on_trains
from capicua.engine.legal import Play
from capicua.engine.line import Shape, shape_after
from capicua.engine.scoring import points_of
from capicua.engine.tiles import tiles_in
from capicua.engine.variant import InPlay

_POINT = 0.5
"""What a point made, or not left to the next player, is worth in the coin of the outlook."""
_PLAN_STEPS = 40


def choose(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
    """The play with the best outlook by a few rules of thumb; `chance` and `seconds` are not needed."""
    if knowledge.variant.topology == "trains":
        return best_on_trains(knowledge, _PLAN_STEPS)
    values = outlooks(knowledge)
    return max(knowledge.legal, key=values.__getitem__)


def outlooks(knowledge: Knowledge) -> dict[Play, float]:
    """The outlook of every legal play, on a line."""
    line = lines(knowledge.variant, knowledge.placements)[-1]
    shed, seats = worth_shed(knowledge), []
    for after, worth in others(knowledge):
        seat = knowledge.in_turn[after]
        seats.append(other(worth, knowledge.hidden & ~knowledge.lacks(seat), knowledge.sizes[seat]))
    next_size = knowledge.sizes[knowledge.in_turn[1]]
    values, in_play = {}, knowledge.variant.in_play
    for tile, end in knowledge.legal:
        shape = line.place(knowledge.seat, tile, end).shape
        kept = knowledge.hand & ~(1 << tile)
        value = shed[tile] + outlook(kept, shape.fitting, seats)
        if in_play.divisors:
            tiles, _ = seats[0]
            answer = _answer(in_play, shape, tiles, next_size / max(tiles.bit_count(), 1))
            value += _POINT * (points_of(in_play, shape.count) - answer)
        values[tile, end] = value
    return values


def _answer(in_play: InPlay, shape: Shape, tiles: int, chance: float) -> float:
    """The most points that a seat is expected to make next, if it holds each of these tiles with some chance."""
    by_points: dict[int, int] = {}
    for end, fitting in shape.places:
        for tile in tiles_in(tiles & fitting):
            after = shape_after(shape, tile, end)
            assert after is not None
            points = points_of(in_play, after.count)
            if points:
                by_points[points] = by_points.get(points, 0) | 1 << tile
    expected, counted, none_better = 0.0, 0, 1.0
    for points in sorted(by_points, reverse=True):
        none = (1.0 - chance) ** (by_points[points] & ~counted).bit_count()
        counted |= by_points[points]
        expected += none_better * (1.0 - none) * points
        none_better *= none
    return expected
