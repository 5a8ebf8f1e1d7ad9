"""What the services ask of each other. In one process these are function calls; nothing here knows a rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from capicua.api.v1.game_service_pb2 import Command, GameSummary, ListGamesRequest, Say
from capicua.api.v1.table_service_pb2 import Assignment, QuickMatchRequest, Table, Waiting
from capicua.api.v1.types_pb2 import GameOptions, Seat, TableOptions
from capicua.api.v1.update_pb2 import CommandAnswer, Refusal, View
from capicua.internal.v1.game_actor_service_pb2 import (
    CheckOptionsResponse,
    CreateGameRequest,
    PlayerSeat,
)
from capicua.internal.v1.listed_pb2 import Listed

Reply = Callable[[CommandAnswer], None]
SeatListener = Callable[[PlayerSeat], None]
TicketTold = Callable[[Waiting | CreateGameRequest | Assignment | Refusal], None]
"""Hears how a ticket stands; of a game before it is made, so that who keeps tickets can have it made by others."""
TableTold = Callable[[Table | Refusal], None]
ListedTold = Callable[[str, Listed | None], None]
"""Hears from a process (its address; "" is this one) what it lists; None where the process is lost."""


class Viewer(Protocol):
    """Someone who follows games: one client connection."""

    @property
    def player_id(self) -> str:
        """The player behind the connection."""

    @property
    def opened_ms(self) -> int:
        """When the connection was opened (Unix ms); of two of one player the newer one counts."""

    def send(self, frames: bytes, seq: int) -> None:
        """Take one or more encoded frames that end with event `seq`, 0 for frames of no event; never waits."""

    def hear(self, frames: bytes) -> None:
        """Take encoded frames of talk; it may be dropped where the reader is slow, and nothing else is lost for it."""

    def notice(self, game_id: str, refused: Refusal) -> None:
        """Take the news that a game cannot be followed."""

    def ended(self, game_id: str) -> None:
        """Take the news that nothing more will come of a game."""


class GameActor(Protocol):
    """The only writer of games."""

    async def create_game(self, request: CreateGameRequest) -> Refusal | None:
        """Make a game; asking again with the same id changes nothing."""

    async def check_options(self, options: GameOptions) -> CheckOptionsResponse | Refusal:
        """Fill every gap of `options`, or say what is wrong with them."""

    def submit(self, player_id: str, command: Command, reply: Reply) -> None:
        """Carry a command out; `reply` is called exactly once, after the events are stored."""

    def say(self, player_id: str, say: Say, done: Callable[[Refusal | None], None]) -> None:
        """Let all who may hear a player know what they say; `done` is called exactly once."""

    def watch(self, viewer: Viewer, game_id: str, last_seen_seq: int) -> None:
        """Send `viewer` what it has not seen, then every update, as its player may see them."""

    def unwatch(self, viewer: Viewer, game_id: str) -> None:
        """Send `viewer` nothing more of this game."""

    async def view(self, game_id: str, player_id: str) -> View | Refusal:
        """The full picture as `player_id` may see it."""

    async def record(self, game_id: str) -> str | Refusal:
        """The text notation of a finished game."""

    async def finished_game(self, game_id: str) -> GameSummary | Refusal:
        """A finished game as it ended."""

    async def live_games(self, request: ListGamesRequest) -> list[GameSummary]:
        """Public games that are being played, newest first."""

    async def seats_of(self, player_id: str) -> list[PlayerSeat]:
        """Every seat the player holds in a running game."""

    def on_seat(self, listener: SeatListener) -> None:
        """Call `listener` for each seat of each new game."""

    def on_listed(self, told: ListedTold) -> None:
        """Tell `told` of the live games that the lobby lists, now and after each change."""


class Timer(Protocol):
    """Keeper of deadlines."""

    def schedule(self, game_id: str, turn_seq: int, deadline_ms: int) -> None:
        """Remember when a turn expires, in place of what was known of this game."""

    def cancel(self, game_id: str) -> None:
        """Forget the game."""


class Matchmaking(Protocol):
    """Keeper of tickets and of tables that wait. A `player` is a Seat without its number."""

    async def enqueue(self, player: Seat, request: QuickMatchRequest, told: TicketTold) -> Callable[[], None] | Refusal:
        """Queue the player; `told` is called until an assignment or refusal ends it. The result cancels."""

    async def create_table(self, host: Seat, options: GameOptions, table_options: TableOptions) -> Table | Refusal:
        """Make a table."""

    async def join_table(self, player: Seat, code: str, table_id: str = "") -> tuple[Table, int] | Refusal:
        """Take a seat, by the id if there is one, else by the code; gives the table and the seat."""

    async def start_table(self, player_id: str, table_id: str) -> Assignment | Refusal:
        """Begin the game; bots fill the free seats."""

    async def rematch(self, player: Seat, game_id: str, turned: bool) -> tuple[Table, int] | Refusal:
        """Ask for another game after a finished one, or agree to it; gives the table and the seat."""

    async def leave_table(self, player_id: str, table_id: str) -> Refusal | None:
        """Give the seat up, or decline a rematch."""

    async def watch_table(self, player_id: str, table_id: str, told: TableTold) -> Callable[[], None] | Refusal:
        """Call `told` with the table now and after each change. The result ends it."""

    def on_listed(self, told: ListedTold) -> None:
        """Tell `told` of the tables that the lobby lists, now and after each change."""

    def on_offers(self, told: ListedTold) -> None:
        """Tell `told` of the tables at which somebody is awaited for a rematch, now and after each change."""
