"""The load of the bench: a process of its own in which every seat is a client with its own connection.

Prints one JSON line when all tables play, and one with the figures when told to stop by the clock.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import cycle

import grpc

from capicua.api.v1.types_pb2 import GameOptions
from capicua.api.v1.update_pb2 import Presence, Reset, Update
from capicua.client import Client, Game, Refused, Unreachable, connect
from capicua.runtime.loop import run
from capicua.runtime.threads import unhurried

ENDLESS_TARGET = 10_000
"""Games that outlast the measurement, so that only moves are measured."""


@dataclass(frozen=True)
class Load:
    """What to do, handed over as JSON in the first argument."""

    addresses: list[str]
    variant: str
    seats: int
    tables: int
    seconds: float
    spectators: int
    seed: int


@dataclass
class Figures:
    """What was seen; counts start anew when the measurement does."""

    moves: int = 0
    deliveries: int = 0
    latencies_ms: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


class Watch:
    """Looks at everything one viewer is shown: no gap, no double, nothing hidden."""

    def __init__(self, figures: Figures, seat: int | None) -> None:
        self._figures = figures
        self._seat = seat
        self._seq = 0

    def look(self, item: Update | Reset) -> None:
        """Note a fault, if there is one."""
        if isinstance(item, Reset):
            self._seq = item.view.seq
            if self._seat is None and (item.view.hand or item.view.legal):
                self._fault("a spectator's view holds a hand")
            return
        if item.seq != self._seq + 1:
            self._fault(f"seq {item.seq} after {self._seq}")
        self._seq = item.seq
        own = self._seat is not None
        match item.WhichOneof("event"):
            case "round_started" if not own and (item.round_started.hand or item.round_started.HasField("forced_lead")):
                self._fault("a spectator sees a hand")
            case "turn_started" if item.turn_started.legal and item.turn_started.seat != self._seat:
                self._fault("legal plays of another seat")
            case "tile_drawn" if item.tile_drawn.HasField("tile") and item.tile_drawn.seat != self._seat:
                self._fault("a tile drawn by another seat")

    def _fault(self, what: str) -> None:
        self._figures.faults.append(f"seat {self._seat}: {what}")


class Table:
    """One game with its players, and the moves under way in it."""

    def __init__(self, figures: Figures, chance: random.Random) -> None:
        self._figures = figures
        self._chance = chance
        self._sent: dict[int, float] = {}

    async def play(self, game: Game) -> None:
        """Play a seat for ever: any legal tile, as soon as it is its turn."""
        watch, figures = Watch(self._figures, game.seat), self._figures
        async for item in game:
            if isinstance(item, Presence):
                continue
            watch.look(item)
            figures.deliveries += 1
            kind = None if isinstance(item, Reset) else item.WhichOneof("event")
            if isinstance(item, Update) and kind == "tile_played" and item.tile_played.seat != game.seat:
                sent = self._sent.pop(item.seq, None)
                if sent is not None:
                    figures.latencies_ms.append((time.perf_counter() - sent) * 1000)
            if game.my_turn and kind in (None, "turn_started", "clock_restored"):
                move = self._chance.choice(game.view.legal)
                self._sent[game.view.seq + 1] = time.perf_counter()
                try:
                    await game.play(move.tile, move.end)
                    figures.moves += 1
                except Refused as refused:
                    figures.faults.append(f"refused: {refused}")

    async def spectate(self, game: Game) -> None:
        """Look on for ever."""
        watch = Watch(self._figures, None)
        async for item in game:
            if isinstance(item, Presence):
                continue
            watch.look(item)
            self._figures.deliveries += 1


async def main(load: Load) -> None:
    """Set the tables up, measure, print."""
    figures, chance = Figures(), random.Random(load.seed)
    viewers: list[Coroutine[None, None, None]] = []
    # The load is not to interrupt what it measures, nor itself.
    with unhurried():
        grpc.aio.init_grpc_aio()
    async with AsyncExitStack() as stack:
        addresses = cycle(load.addresses)

        async def client(name: str) -> Client:
            return await stack.enter_async_context(connect(next(addresses), name=name))

        options = GameOptions(variant=load.variant, seats=load.seats, target=ENDLESS_TARGET, turn_seconds=120)
        for number in range(load.tables):
            players = [await client(f"Load {number}.{seat}") for seat in range(load.seats)]
            waiting = await players[0].create_table(options)
            for player in players[1:]:
                await player.join_table(waiting.code)
            assignment = await players[0].start_table(waiting.table_id)
            table = Table(figures, chance)
            for player in players:
                viewers.append(table.play(await player.watch(assignment.game_id)))
            for spectator in range(load.spectators if number == 0 else 0):
                looker = await client(f"Look {spectator}")
                viewers.append(table.spectate(await looker.spectate(assignment.game_id)))
        # Everybody begins at once, when all sit: a table that plays already would only delay the others.
        tasks = [asyncio.create_task(viewer) for viewer in viewers]
        await asyncio.sleep(1.0)  # connections and caches settle before anything is counted
        print(json.dumps({"ready": True}), flush=True)
        figures.moves = figures.deliveries = 0
        figures.latencies_ms.clear()
        began = time.perf_counter()
        done, _ = await asyncio.wait(tasks, timeout=load.seconds, return_when=asyncio.FIRST_EXCEPTION)
        seconds = time.perf_counter() - began
        figures.faults += [f"a client ended: {task.exception()!r}" for task in done]
        print(json.dumps({"seconds": seconds} | vars(figures)), flush=True)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


if __name__ == "__main__":
    try:
        run(main(Load(**json.loads(sys.argv[1]))))
    except (Refused, Unreachable) as failure:
        sys.exit(f"capicua bench: {failure}")
