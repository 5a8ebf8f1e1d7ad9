"""A table that waits for its players."""

from __future__ import annotations

import asyncio

from capicua.api.v1.table_service_pb2 import Assignment, Table
from capicua.api.v1.types_pb2 import GameOptions, Seat
from capicua.matchmaking.seating import newcomer
from capicua.matchmaking.table_options import complete
from capicua.runtime.ports import TableTold


class WaitingTable:
    """A table as everybody at it is shown, and who watches it; stored as that message by one owner with its `epoch`.

    A seat is free, or somebody's; of a rematch it may also be a bot's, or kept for one who is awaited.
    """

    def __init__(self, now: Table, epoch: int) -> None:
        self.now = now
        """As it is stored. Its `game_id` is set before the game is made, so that it is made once."""
        self.epoch = epoch
        self.started = False
        self.closed = False
        self.lock = asyncio.Lock()
        self.watchers: list[tuple[str, TableTold]] = []
        self.closing: asyncio.TimerHandle | None = None
        self.hostless: asyncio.TimerHandle | None = None
        """Runs while the host does not watch."""

    @classmethod
    def read(cls, data: bytes, epoch: int) -> WaitingTable:
        """The table that was stored."""
        now = Table.FromString(data)
        now.table_options.CopyFrom(complete(now.table_options))
        return cls(now, epoch)

    @property
    def table_id(self) -> str:
        """Its id."""
        return self.now.table_id

    @property
    def code(self) -> str:
        """Its code, which is the end of its id too."""
        return self.now.code

    @property
    def options(self) -> GameOptions:
        """The game to be played, without gaps."""
        return self.now.options

    @property
    def host(self) -> str:
        """Id of the player who hosts."""
        return self.now.seats[self.now.host_seat].player_id

    @property
    def people(self) -> list[str]:
        """Ids of those who sit here to play, by seat."""
        return people_at(self.now)

    @property
    def places(self) -> list[Seat | None]:
        """Who plays if the game begins now, by seat; None where a bot is missing."""
        return [seat if seat.player_id and seat.seat not in self.now.awaited else None for seat in self.now.seats]

    @property
    def complete(self) -> bool:
        """Whether a rematch has nobody to wait for."""
        return bool(self.now.rematch_of) and None not in self.places

    @property
    def listed(self) -> bool:
        """Whether the lobby lists it: what is listed can be joined."""
        return self.now.table_options.public and not self.now.game_id and self.free_seat() is not None

    def seat_of(self, player_id: str) -> int | None:
        """The seat of somebody at the table, or the one that is kept for them."""
        return next((seat.seat for seat in self.now.seats if player_id and seat.player_id == player_id), None)

    def free_seat(self) -> int | None:
        """The first seat that is nobody's."""
        return next((seat.seat for seat in self.now.seats if not seat.player_id), None)

    def watched_by(self, player_id: str) -> bool:
        """Whether a player watches it."""
        return any(watcher == player_id for watcher, _ in self.watchers)

    def assignment(self, seat: int) -> Assignment:
        """Where somebody at the table plays."""
        return Assignment(game_id=self.now.game_id, seat=seat, table_id=self.table_id)

    def message(self) -> Table:
        """The table as it is shown."""
        shown = _copy(self.now)
        if not self.started:
            shown.game_id = ""
        return shown

    def tell(self) -> None:
        """Show everybody who watches the table as it is."""
        for _, told in tuple(self.watchers):
            told(self.message())


def new_table(now: Table, host: Seat | None = None) -> Table:
    """`now` with a seat for each of its game, all free but that of the `host`."""
    del now.seats[:]
    now.seats.extend(Seat(seat=seat) for seat in range(now.options.seats))
    return now if host is None else seated(now, 0, host)


def people_at(table: Table) -> list[str]:
    """Ids of those who sit at a table to play, by seat."""
    return [
        seat.player_id for seat in table.seats if seat.player_id and not seat.bot and seat.seat not in table.awaited
    ]


def seated(table: Table, seat: int, player: Seat) -> Table:
    """The table with a player on a seat, by a name that looks like no other's there; the first of the people hosts."""
    after = _copy(table)
    others = [each for each in table.seats if each.player_id and each.seat != seat]
    after.seats[seat].CopyFrom(newcomer(player, others))
    after.seats[seat].seat = seat
    after.awaited[:] = [each for each in table.awaited if each != seat]
    if not people_at(table):
        after.host_seat = seat
    return after


def freed(table: Table, seat: int) -> Table:
    """The table without whoever had the seat; if it was the host, the next of the people hosts."""
    after = _copy(table)
    after.seats[seat].CopyFrom(Seat(seat=seat))
    after.awaited[:] = [each for each in table.awaited if each != seat]
    people = people_at(after)
    if seat == table.host_seat and people:
        host = min(after.seats, key=lambda each: (each.player_id not in people, (each.seat - seat) % len(after.seats)))
        after.host_seat = host.seat
    return after


def begun(table: Table, game_id: str) -> Table:
    """The table when its game is about to begin: nobody is awaited any more."""
    after = _copy(table)
    for seat in table.awaited:
        after.seats[seat].CopyFrom(Seat(seat=seat))
    del after.awaited[:]
    after.game_id = game_id
    return after


def _copy(table: Table) -> Table:
    copy = Table()
    copy.CopyFrom(table)
    return copy
