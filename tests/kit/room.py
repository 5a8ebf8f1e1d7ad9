"""Tables in this process, and the games of those who meet at them."""

from __future__ import annotations

from capicua.api.v1.table_service_pb2 import Assignment, Table
from capicua.api.v1.types_pb2 import GameOptions, Seat, TableOptions
from capicua.api.v1.update_pb2 import Refusal, View
from capicua.links.installation import Held
from capicua.matchmaking.tables import Tables
from capicua.runtime.shard import SHARDS
from capicua.store.archive import Archive
from capicua.store.memory_store import MemoryStore
from capicua.store.store import Store
from kit.actor import Actor

PUBLIC = TableOptions(public=True, spectators=True)


class Room:
    """The tables and a game-actor on one store; players are called "p-0", "p-1", …"""

    def __init__(self, store: Store | None = None, archive: Archive | None = None) -> None:
        self.store = store or MemoryStore()
        self.actor = Actor(self.store, archive=archive)
        self.tables = Tables(self.actor.service, self.store)
        self._epoch = 1

    async def open(self) -> None:
        """Own everything."""
        await self.actor.take_over()
        await self._load()

    async def move_tables(self) -> Tables:
        """Let another process take the tables over, which is told of nothing; gives those of before."""
        before, self.tables = self.tables, Tables(self.actor.service, self.store)
        self._epoch += 1
        await self._load()
        return before

    async def move_games(self) -> None:
        """Let another process take the games over."""
        self._epoch += 1
        self.actor = Actor(self.store, self._epoch, self.actor.clock)
        await self.actor.take_over()
        self.tables._actor = self.actor.service

    async def _load(self) -> None:
        for shard in range(SHARDS):
            await self.tables.load(shard, Held(self._epoch, 0))

    async def begin(self, people: int = 2, seats: int = 2, wishes: TableOptions = PUBLIC, **options: str | int) -> str:
        """The game of a table with so many people at it; gives its id."""
        wanted = GameOptions(**{"variant": "block", "seats": seats, **options})  # type: ignore[arg-type]
        table = await self.tables.create_table(person(0), wanted, wishes)
        assert isinstance(table, Table), table
        for number in range(1, people):
            assert not isinstance(await self.tables.join_table(person(number), table.code), Refusal)
        started = await self.tables.start_table("p-0", table.table_id)
        assert isinstance(started, Assignment), started
        return started.game_id

    async def played(self, people: int = 2, seats: int = 2, wishes: TableOptions = PUBLIC, **options: str | int) -> str:
        """The same, played to its end."""
        game_id = await self.begin(people, seats, wishes, **options)
        await self.play(game_id)
        return game_id

    async def play(self, game_id: str) -> None:
        """Play a game to its end."""
        await self.actor.play(game_id, 10_000)

    async def again(self, number: int, game_id: str, turned: bool = False) -> Table:
        """A player wants a rematch; gives the table."""
        asked = await self.tables.rematch(person(number), game_id, turned)
        assert not isinstance(asked, Refusal), asked
        return asked[0]

    async def refused(self, number: int, game_id: str) -> int:
        """The reason why a player gets no rematch."""
        asked = await self.tables.rematch(person(number), game_id, False)
        assert isinstance(asked, Refusal), asked
        return asked.reason

    async def view(self, game_id: str) -> View:
        """The public picture of a game."""
        return await self.actor.view("", game_id)


def person(number: int) -> Seat:
    """A player, without a seat."""
    return Seat(player_id=f"p-{number}", name=f"Player {number}")
