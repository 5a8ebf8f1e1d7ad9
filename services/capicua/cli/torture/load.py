"""Tables that play one short game after another, with real clients."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack

from capicua.api.v1.types_pb2 import GameOptions
from capicua.cli.torture import sdk_player
from capicua.cli.torture.figures import Figures
from capicua.cli.torture.raw_player import RawPlayer
from capicua.cli.torture.violation import Kind, Violation
from capicua.client import Client, Refused, Unreachable, connect

SHORT_GAMES = (
    GameOptions(variant="block", seats=2, target=1),
    GameOptions(variant="draw", seats=2, target=1),
    GameOptions(variant="draw", seats=3, target=1),
    GameOptions(variant="all_fives", seats=2, target=30),
    GameOptions(variant="partners_100", seats=4, target=1),
    GameOptions(variant="mexican_train", seats=3, target=1),
)
"""One round each, or few."""
MOST_SEATS = 4
TURN_SECONDS = 5
GAMES_OF_AN_EVENING = 8
QUICK_SHARE = 0.15
"""Share of the games that are found by quick match, where bots fill free seats."""
RAW_SHARE = 0.5
"""Share of the players that use bare streams."""


class Load:
    """`tables` tables at `gateways`, until `stop`; then games under way are played to their ends."""

    def __init__(self, gateways: Sequence[str], tables: int, seed: int, pause: float = 0.1) -> None:
        self.figures = Figures()
        self._gateways = list(gateways)
        self._pause = pause
        self._stopping = False
        self._tasks = [asyncio.ensure_future(self._table(number, seed)) for number in range(tables)]

    async def stop(self, seconds: float) -> int:
        """Begin no new game and wait for the others; gives how many tables had not ended after `seconds`."""
        self._stopping = True
        done, late = await asyncio.wait(self._tasks, timeout=seconds)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late)
        for task in done:
            task.result()
        return len(late)

    async def _table(self, number: int, seed: int) -> None:
        chance = random.Random(f"{seed} {number}")
        while not self._stopping:
            async with AsyncExitStack() as stack:
                people = [
                    Person(f"Guest {number}.{seat}", self._gateways, self.figures, chance, self._pause)
                    for seat in range(MOST_SEATS + 1)
                ]
                for person in people:
                    stack.push_async_callback(person.leave)
                await self._evening(people, chance)

    async def _evening(self, people: Sequence[Person], chance: random.Random) -> None:
        """A few games with the same people: nobody may make tables without end."""
        for _ in range(GAMES_OF_AN_EVENING):
            if self._stopping:
                return
            try:
                await self._game(people, chance)
            except (Refused, Unreachable) as failure:
                self.figures.retries[failure.name if isinstance(failure, Refused) else "unreachable"] += 1
                await asyncio.sleep(chance.uniform(0.1, 0.5))

    async def _game(self, people: Sequence[Person], chance: random.Random) -> None:
        if chance.random() < QUICK_SHARE:
            client = await people[0].client()
            found = await client.quick_match("block", seats=2, target=1)
            await people[0].play(found.game_id, raw=False)
            return
        options = GameOptions(turn_seconds=TURN_SECONDS)
        options.MergeFrom(chance.choice(SHORT_GAMES))
        clients = [await person.client() for person in people[: options.seats + 1]]
        *players, spectator = zip(people, clients, strict=False)
        table = await players[0][1].create_table(options)
        for _, client in players[1:]:
            await client.join_table(table.code)
        game_id = await self._start(clients[0], table.table_id)
        async with asyncio.TaskGroup() as group:
            for person, _ in players:
                group.create_task(person.play(game_id, raw=chance.random() < RAW_SHARE))
            group.create_task(spectator[0].spectate(game_id))

    async def _start(self, host: Client, table_id: str) -> str:
        """Asked again until it is known what came of it: the same table gives the same game."""
        while True:
            try:
                return (await host.start_table(table_id)).game_id
            except Unreachable:
                self.figures.retries["unreachable"] += 1
                await asyncio.sleep(0.2)


class Person:
    """Somebody who signs in once, and comes back with the same token when the client has failed for good."""

    def __init__(
        self, name: str, gateways: Sequence[str], figures: Figures, chance: random.Random, pause: float
    ) -> None:
        self._name = name
        self._gateways = chance.sample(gateways, len(gateways))
        self._figures = figures
        self._chance = chance
        self._pause = pause
        self._stack = AsyncExitStack()
        self._client: Client | None = None
        self._token = ""
        self._player_id = ""

    async def client(self) -> Client:
        """The signed-in client. Raises Unreachable."""
        if self._client is None:
            address = ",".join(self._gateways)
            opened = connect(address, name=self._name, token=self._token, patience=None)
            self._client = client = await self._stack.enter_async_context(opened)
            self._token = client.token
            self._player_id = client.player_id = client.player_id or self._player_id
        return self._client

    async def leave(self) -> None:
        """End the client; the next one is the same player."""
        self._client = None
        await self._stack.aclose()

    async def play(self, game_id: str, *, raw: bool) -> None:
        """Play the own seat to the end of the game, whatever it takes."""
        while True:
            client, chance = await self.client(), self._chance
            if raw:
                # A session of the SDK would be superseded by the raw player's.
                await self.leave()
                player = RawPlayer(game_id, self._player_id, self._token, self._figures, chance, self._pause)
                following = player.follow(self._gateways)
            else:
                following = sdk_player.play(client, game_id, self._figures, chance, self._pause)
            if await self._borne(game_id, following):
                return

    async def spectate(self, game_id: str) -> None:
        """Look on to the end of the game."""
        while not await self._borne(game_id, sdk_player.spectate(await self.client(), game_id, self._figures)):
            pass

    async def _borne(self, game_id: str, following: Coroutine[None, None, None]) -> bool:
        """Whether it came to its end; where the client gave up for good, that is noted and the next one is new."""
        try:
            await following
        except (Refused, Unreachable) as failure:
            self._figures.thrown_out.append(Violation(Kind.CLIENT, game_id, f"{self._name}: {failure}"))
            await self.leave()
            await asyncio.sleep(self._chance.uniform(0.1, 0.5))
            return False
        return True
