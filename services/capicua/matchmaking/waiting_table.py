"""A table that waits for its players."""

from __future__ import annotations

import asyncio

from capicua.api.v1.table_service_pb2 import Assignment, Table
from capicua.api.v1.types_pb2 import GameOptions, Seat, TableOptions
from capicua.matchmaking.table_options import complete
from capicua.runtime.ports import TableTold


class WaitingTable:
    """The people at a table in order of arrival, the first of whom hosts, and who watches it.

    It is stored as the message that everybody at it is shown, and written by one owner with its `epoch`.
    """

    def __init__(
        self,
        table_id: str,
        options: GameOptions,
        people: list[Seat],
        epoch: int,
        *,
        code: str,
        table_options: TableOptions,
        game_id: str = "",
    ) -> None:
        self.table_id = table_id
        self.code = code
        self.options = options
        self.table_options = table_options
        self.people = people
        self.epoch = epoch
        self.game_id = game_id
        """Of the game that is begun or about to be; set before the game is made, so that it is made once."""
        self.started = False
        self.lock = asyncio.Lock()
        self.watchers: list[tuple[str, TableTold]] = []
        self.closing: asyncio.TimerHandle | None = None

    @classmethod
    def read(cls, data: bytes, epoch: int) -> WaitingTable:
        """The table that was stored."""
        stored = Table.FromString(data)
        people = [seat for seat in stored.seats if seat.player_id]
        return cls(
            stored.table_id,
            stored.options,
            people,
            epoch,
            code=stored.code,
            table_options=complete(stored.table_options),
            game_id=stored.game_id,
        )

    def seat_of(self, player_id: str) -> int | None:
        """The seat of somebody at the table."""
        return next((i for i, person in enumerate(self.people) if person.player_id == player_id), None)

    @property
    def listed(self) -> bool:
        """Whether the lobby lists it: what is listed can be joined."""
        return self.table_options.public and not self.game_id and len(self.people) < self.options.seats

    def assignment(self, seat: int) -> Assignment:
        """Where somebody at the table plays."""
        return Assignment(game_id=self.game_id, seat=seat, table_id=self.table_id)

    def message(self, people: list[Seat] | None = None) -> Table:
        """The table as it is shown; with other `people`, as it is about to be."""
        sitting = self.people if people is None else people
        seats = [
            Seat(seat=i, player_id=p.player_id, name=p.name, gives_seed=p.gives_seed) for i, p in enumerate(sitting)
        ]
        seats += [Seat(seat=i) for i in range(len(seats), self.options.seats)]
        return Table(
            table_id=self.table_id,
            code=self.code,
            options=self.options,
            table_options=self.table_options,
            seats=seats,
            host_seat=0,
            game_id=self.game_id if self.started else "",
        )

    def stored(self, people: list[Seat]) -> bytes:
        """The bytes that `read` takes."""
        message = self.message(people)
        message.game_id = self.game_id
        return message.SerializeToString()

    def tell(self) -> None:
        """Show everybody who watches the table as it is."""
        for _, told in tuple(self.watchers):
            told(self.message())
