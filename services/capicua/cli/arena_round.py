"""One round between bots, each of which is shown what its seat may see and nothing else."""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import Random

import msgspec

from capicua.api.v1.game_service_pb2 import SessionResponse
from capicua.api.v1.update_pb2 import Update, View
from capicua.bots import Choose, Memory
from capicua.client import apply
from capicua.engine import (
    PIPS,
    GameState,
    Phase,
    PlayTile,
    Rejection,
    StartGame,
    StartRound,
    Variant,
    decide,
    evolve,
    lot_kind,
    new_state,
    tile_count,
    tile_order,
)
from capicua.game_actor.api_codec import update_frame
from capicua.game_actor.history import Step
from capicua.log.v1 import entry_pb2 as log

SECONDS = 0.05
"""The most that a bot may think about a play."""


class Round:
    """A round that is played in this process: an engine, and for every seat the view that its updates make."""

    def __init__(self, variant: Variant, seats: int, dealt: StartRound) -> None:
        """Begin a game with this deal."""
        pairs = variant.pairs(seats)
        players = [log.Player(player_id=str(seat)) for seat in range(seats)]
        overrides = {
            name: value for name, value in msgspec.to_builtins(variant, str_keys=True).items() if name != "key"
        }
        self._facts = log.GameStarted(
            variant=variant.key,
            overrides_json=msgspec.json.encode(overrides).decode(),
            seats=seats,
            pairs=pairs,
            players=players,
        )
        self._views = [View(own_seat=seat) for seat in range(seats)]
        self._memories = [Memory(view) for view in self._views]
        self.shown: list[list[Update]] = [[] for _ in range(seats)]
        """What each seat has been shown so far."""
        self._state: GameState | None = None
        self._carry_out(StartGame(variant, seats, 0))
        self._carry_out(dealt)

    @property
    def state(self) -> GameState:
        """Where the round stands, with everything that is hidden from the bots."""
        assert self._state is not None
        return self._state

    def play(self, bots: Sequence[Choose], chance: Random) -> list[list[float]]:
        """Play to the end, `bots` by seat; gives the seconds that each seat took for each choice it had."""
        seconds: list[list[float]] = [[] for _ in bots]
        while self.state.phase is Phase.PLAYING:
            seat = self.state.turn
            knowledge = self._memories[seat].knowledge()
            started = time.thread_time()
            tile, end = bots[seat](knowledge, chance, SECONDS)
            if len(knowledge.legal) > 1:
                seconds[seat].append(time.thread_time() - started)
            self._carry_out(PlayTile(seat, tile, end))
        return seconds

    def winners(self) -> tuple[int, ...]:
        """The sides that won the round: several for a tie, none if nobody did.

        Where plays give points, and with trains, it is the points of the round that count.
        """
        state = self.state
        if state.variant.topology == "trains":
            return _holders(state.scores, min(state.scores))
        if state.variant.in_play.divisors:
            return _holders(state.scores, max(state.scores))
        return self._winner

    def _carry_out(self, command: StartGame | StartRound | PlayTile) -> None:
        events = decide(self._state, command, 0)
        assert not isinstance(events, Rejection), events
        for event in events:
            self._state = evolve(self._state, event)
            step = Step(event, self._state, 0)
            for view, memory, shown in zip(self._views, self._memories, self.shown, strict=True):
                frames = update_frame("", self._facts, step, view.own_seat)
                update = SessionResponse.FromString(frames).frames[0].update
                apply(view, update)
                memory.take(update)
                shown.append(update)
                if update.HasField("round_ended"):
                    ended = update.round_ended
                    self._winner = (ended.winner_side,) if ended.HasField("winner_side") else ()


def _holders(scores: tuple[int, ...], score: int) -> tuple[int, ...]:
    return tuple(side for side, reached in enumerate(scores) if reached == score)


def deal(variant: Variant, seats: int, chance: Random) -> StartRound:
    """A shuffled deal of a first round, with whatever lot it needs."""
    state = new_state(variant, seats, 0)
    order = list(tile_order(state))
    chance.shuffle(order)
    kind = lot_kind(state)
    if kind == "seat":
        return StartRound(tuple(order), lot_seat=chance.randrange(seats))
    lot: list[tuple[int, ...]] = []
    tied = seats if kind == "tiles" else 0
    while tied > 1:
        lot.append(tuple(chance.sample(range(tile_count(variant.set)), tied)))
        pips = [sum(PIPS[tile]) for tile in lot[-1]]
        tied = pips.count(max(pips))
    return StartRound(tuple(order), lot_tiles=tuple(lot))
