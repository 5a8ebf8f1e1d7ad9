"""A game-actor in process, with time and viewers in the test's hand."""

from __future__ import annotations

import asyncio
from collections.abc import Container
from dataclasses import dataclass, field
from typing import Any

from capicua.api.v1.error_reason_pb2 import ErrorReason
from capicua.api.v1.game_service_pb2 import Command, GiveSeed, PlayTile, QuitGame, Say, SessionResponse
from capicua.api.v1.types_pb2 import GameOptions, Seat, TableOptions
from capicua.api.v1.update_pb2 import CommandAnswer, Frame, Refusal, Said, Update, View
from capicua.game_actor.service import GameActorService
from capicua.internal.v1.game_actor_service_pb2 import CreateGameRequest, ExpireTurnRequest
from capicua.links.installation import Held
from capicua.runtime.shard import SHARDS
from capicua.store.archive import Archive
from capicua.store.store import Store

OPEN = TableOptions(public=True, spectators=True)


class HandClock:
    """Time that passes only when told to."""

    def __init__(self, now_ms: int = 1_000_000) -> None:
        self.now_ms = now_ms

    def __call__(self) -> int:
        return self.now_ms


@dataclass
class Deadlines:
    """A timer that rings only when told to (implements `ports.Timer`)."""

    due: dict[str, tuple[int, int]] = field(default_factory=dict)

    def schedule(self, game_id: str, turn_seq: int, deadline_ms: int) -> None:
        self.due[game_id] = (turn_seq, deadline_ms)

    def cancel(self, game_id: str) -> None:
        self.due.pop(game_id, None)


class Eyes:
    """A viewer that keeps all it is shown (implements `ports.Viewer`)."""

    def __init__(self, player_id: str) -> None:
        self.player_id = player_id
        self.opened_ms = 0
        self.frames: list[Frame] = []
        self.over = False

    def send(self, frames: bytes, seq: int) -> None:
        self.frames += SessionResponse.FromString(frames).frames

    def hear(self, frames: bytes) -> None:
        self.frames += SessionResponse.FromString(frames).frames

    def notice(self, game_id: str, refused: Refusal) -> None:
        self.frames.append(Frame(notice={"game_id": game_id, "refusal": refused}))  # type: ignore[arg-type]

    def ended(self, game_id: str) -> None:
        self.over = True

    @property
    def updates(self) -> list[Update]:
        """Updates shown so far."""
        return [frame.update for frame in self.frames if frame.HasField("update")]

    @property
    def said(self) -> list[Said]:
        """Talk heard so far."""
        return [frame.said for frame in self.frames if frame.HasField("said")]

    @property
    def seqs(self) -> list[int]:
        """Their numbers."""
        return [update.seq for update in self.updates]


class Actor:
    """A game-actor over `store`, and one table at it."""

    def __init__(
        self, store: Store, epoch: int = 1, clock: HandClock | None = None, archive: Archive | None = None
    ) -> None:
        self.store = store
        self.clock = clock or HandClock()
        self.timer = Deadlines()
        self.service = GameActorService(store, self.timer, self.clock, archive)
        self._epoch = epoch
        self._ready = False

    async def take_over(self, served_ms: int = 0) -> None:
        """Own every shard, which nobody has served since `served_ms`."""
        self._ready = True
        for shard in range(SHARDS):
            self.service.shards.taken(shard, Held(self._epoch, served_ms))
        await self.service.shards.ready()

    async def start(self, variant: str = "block", seats: int = 2, **options: int | str) -> str:
        """A running game of players "p-0", "p-1", … that anybody may watch; gives its id."""
        return await self.start_table(OPEN, variant, seats, (), **options)

    async def start_awaiting(self, awaited: Container[int], variant: str, seats: int, **options: int | str) -> str:
        """The same, where the first deal waits for the seeds of some seats."""
        return await self.start_table(OPEN, variant, seats, awaited, **options)

    async def start_table(
        self,
        table_options: TableOptions,
        variant: str,
        seats: int,
        awaited: Container[int] = (),
        **options: int | str,
    ) -> str:
        """A running game of a table that allows what `table_options` say."""
        request = CreateGameRequest(
            game_id=f"g-{variant}-{seats}",
            table_id="t-1",
            options=GameOptions(variant=variant, seats=seats, **options),  # type: ignore[arg-type]
            seats=[
                Seat(seat=seat, player_id=f"p-{seat}", name=f"Player {seat}", gives_seed=seat in awaited)
                for seat in range(seats)
            ],
            table_options=table_options,
        )
        if not self._ready:
            await self.take_over()
        refused = await self.service.create_game(request)

        assert refused is None, refused
        return request.game_id

    def watch(self, player_id: str, game_id: str, last_seen_seq: int = 0) -> Eyes:
        """A viewer from `last_seen_seq` on."""
        eyes = Eyes(player_id)
        self.service.watch(eyes, game_id, last_seen_seq)
        return eyes

    async def view(self, player_id: str, game_id: str) -> View:
        """The picture of one player."""
        view = await self.service.view(game_id, player_id)

        assert isinstance(view, View), view
        return view

    async def submit(self, player_id: str, command: Command) -> CommandAnswer:
        """Send a command and wait for its answer."""
        answered: asyncio.Future[CommandAnswer] = asyncio.get_running_loop().create_future()
        self.service.submit(player_id, command, answered.set_result)
        return await answered

    async def give_seed(self, seat: int, game_id: str, seed: bytes, round: int = 0) -> CommandAnswer:
        """A seat's seed for the next deal, or for that of `round`."""
        view = await self.view("", game_id)
        wish = GiveSeed(round=round or view.round + 1, seed=seed)
        request_id = f"{seat}-{wish.round}-{seed.hex()}"
        command = Command(game_id=game_id, request_id=request_id, expected_seq=view.seq, give_seed=wish)
        return await self.submit(f"p-{seat}", command)

    async def quit(self, player_id: str, game_id: str, request_id: str = "quit") -> CommandAnswer:
        """A player leaves for good, having seen nothing of the game."""
        return await self.submit(player_id, Command(game_id=game_id, request_id=request_id, quit_game=QuitGame()))

    def say(self, player_id: str, game_id: str, **what: Any) -> ErrorReason.ValueType | None:
        """Something a player says; gives why it is refused, if it is."""
        done: list[Refusal | None] = []
        self.service.say(player_id, Say(game_id=game_id, **what), done.append)
        (refused,) = done
        return refused and refused.reason

    async def next_command(self, game_id: str, request_id: str) -> tuple[str, Command]:
        """The player to act, and the first of its legal plays as a command."""
        seats = {held.seat: held.player_id for held in self.service.seats() if held.game_id == game_id}
        player_id = seats[(await self.view(seats[0], game_id)).turn]
        view = await self.view(player_id, game_id)
        play = PlayTile(play=view.legal[0])
        command = Command(game_id=game_id, request_id=request_id, expected_seq=view.seq, play_tile=play)
        return player_id, command

    async def play(self, game_id: str, moves: int, first: int = 0) -> int:
        """Play up to `moves` moves; gives how many were played before the game ended."""
        for number in range(moves):
            if game_id not in self.timer.due:
                return number
            player, command = await self.next_command(game_id, f"r-{first + number}")
            answer = await self.submit(player, command)

            assert answer.HasField("accepted"), answer
        return moves

    def expire(self, game_id: str) -> None:
        """Let the deadline of the running turn pass and ring."""
        turn_seq, deadline_ms = self.timer.due[game_id]
        self.clock.now_ms = max(self.clock.now_ms, deadline_ms)
        self.service.expire_turn(ExpireTurnRequest(game_id=game_id, turn_seq=turn_seq))
