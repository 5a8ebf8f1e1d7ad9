"""Search: for games in which plays give points. Worlds are played on by the engine, every seat going for points."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import reduce
from random import Random

from capicua.bots.knowledge import Knowledge
from capicua.bots.worlds import World, worlds
from capicua.engine import (
    GameState,
    Phase,
    PlayTile,
    Rejection,
    RoundStarted,
    TilePlayed,
    TurnStarted,
    evolve,
    legal_plays,
    new_state,
)
from capicua.engine.decide import advance
from capicua.engine.legal import Play
from capicua.engine.scoring import points_of
from capicua.engine.tiles import TOTAL, tiles_in

_PIP = 0.3
"""What a pip shed is worth to the seats of a playout, in points."""
_WHIM = 4.0
"""Up to so many points they see in a play by mere chance."""
_WORLDS = 100


def most_points(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
    """The play from which on the own side gains most points on the others, over as many worlds as time allows."""
    until = time.thread_time() + seconds
    total = dict.fromkeys(knowledge.legal, 0)
    for number, world in enumerate(worlds(knowledge, chance)):
        state = _state(knowledge, world)
        for play in total:
            total[play] += _lead(_play_on(_after(state, play), chance), knowledge)
        if number == _WORLDS or time.thread_time() > until:
            break
    return max(total, key=lambda play: (total[play], TOTAL[play[0]]))


def _state(knowledge: Knowledge, world: World) -> GameState:
    """The game as it stands in a world."""
    state = new_state(knowledge.variant, knowledge.seats, 0, round=knowledge.round - 1, scores=knowledge.scores)
    return reduce(evolve, _events(knowledge, world), state)


def _events(knowledge: Knowledge, world: World) -> Iterator[RoundStarted | TilePlayed | TurnStarted]:
    """A shorter story that ends alike: as if all draws had been dealt, and the points made in the rounds before."""
    hands = [tiles_in(hand) for hand in world.hands]
    for seat, tile, _ in knowledge.placements:
        hands[seat].append(tile)
    dealt = tuple(map(tuple, hands))
    yield RoundStarted(knowledge.round, dealt, world.boneyard, knowledge.opener, knowledge.variant.opener.first)
    for seat, tile, end in knowledge.placements:
        yield TilePlayed(seat, tile, end)
    yield TurnStarted(knowledge.seat, 0)


def _after(state: GameState, play: Play) -> GameState:
    decided = advance(state, PlayTile(state.turn, *play), 0)
    assert not isinstance(decided, Rejection), decided
    return decided[1][-1]


def _play_on(state: GameState, chance: Random) -> GameState:
    """The game at the end of the round."""
    whim = chance.random
    while state.phase is Phase.PLAYING:
        layout, in_play, seat = state.layout, state.variant.in_play, state.turn
        assert layout is not None
        best, chosen = -1.0, None
        for play in legal_plays(state):
            points = points_of(in_play, layout.place(seat, *play).count())
            value = points + _PIP * TOTAL[play[0]] + _WHIM * whim()
            if value > best:
                best, chosen = value, play
        assert chosen is not None
        state = _after(state, chosen)
    return state


def _lead(state: GameState, knowledge: Knowledge) -> int:
    """Points of the own side beyond those of the best other."""
    own = knowledge.side(knowledge.seat)
    return state.scores[own] - max(score for side, score in enumerate(state.scores) if side != own)
