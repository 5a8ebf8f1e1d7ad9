"""One game as a client sees it."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Awaitable, Callable
from uuid import uuid4

from capicua.api.v1.game_service_pb2 import Command, GiveSeed, PlayTile, QuitGame, Say
from capicua.api.v1.types_pb2 import GAME_STATE_FINISHED, Play, Tile
from capicua.api.v1.update_pb2 import Frame, Presence, Reset, Update, View
from capicua.client.fold import apply, present
from capicua.client.refused import Refused, Unreachable
from capicua.client.server_clock import ServerClock
from capicua.client.talk import Talk
from capicua.client.witness import Witness
from capicua.fair import SEED_BYTES

Submit = Callable[[Command], Awaitable[int]]
Item = Update | Reset | Presence
"""What iterating over a game gives."""


class Game:
    """A game that is watched: iterate over it to follow it.

    Iterating gives first a Reset with the whole view, then every Update once, in the order of `seq`. A
    further Reset comes only where updates could not be had any more. Between them a Presence says that a player has
    dropped or is there again; it has no `seq` and is no part of the game's history. `view` is the picture after the
    item given last, so it is moved on by iterating alone. Iteration ends with the game or by
    `Client.unwatch`, and raises what ended the watch otherwise: Refused or Unreachable. One task may iterate.
    """

    def __init__(
        self,
        game_id: str,
        submit: Submit | None = None,
        send: Callable[[Say], None] | None = None,
        *,
        seeds: bool = False,
    ) -> None:
        self.game_id = game_id
        self.talk = talk = Talk(game_id, send)
        """What the others say; iterate over it besides the game."""
        self.say = talk.say
        self.mute = talk.mute
        self.unmute = talk.unmute
        self.witness = Witness()
        """What was seen of the deals, to `verify` the record of the game."""
        self.view = View(game_id=game_id)
        self.arrived_seq = 0
        """The last seq that came from the server; 0 asks it for a whole view."""
        self._clock = ServerClock()
        self._submit = submit
        self._seeds = seeds
        self.quitted = False
        """Whether the own player has left the seat for good, by what has arrived."""
        self._seeded_round = 0
        self.giving: set[asyncio.Task[None]] = set()
        """Seeds on their way to the server; cancelled when the watch ends."""
        self._played_seq = 0
        self._items: deque[Item] = deque()
        self._news = asyncio.Event()
        self._catching_up = False
        self._finished = False
        self._left = False
        self._failure: Exception | None = None

    @property
    def seat(self) -> int | None:
        """The seat this client plays; None for a spectator."""
        return self.view.own_seat if self.view.HasField("own_seat") else None

    @property
    def my_turn(self) -> bool:
        """Whether this client is to play, by what it has seen, and has not done so: then `view.legal` is not empty."""
        return self.view.HasField("turn") and self.view.turn == self.seat and self._played_seq <= self.view.seq

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the running turn expires, 0 to the turn limit; None while it is nobody's turn.

        By the server's clock, as its updates tell it: ours may be wrong.
        """
        if not self.view.deadline_ms:
            return None
        return min(max(self._clock.seconds_until(self.view.deadline_ms), 0.0), float(self.view.options.turn_seconds))

    @property
    def finished(self) -> bool:
        """Whether the end of the game has arrived, though it may not have been iterated to yet."""
        return self._finished

    async def play(self, tile: Tile, end: str) -> int:
        """Place `tile` at `end`, one of `view.legal`; gives the seq of the last event it caused.

        `end` is "-" for a lead, else the name of an open end. The play is carried out exactly once, however often the
        connection breaks; its updates come by iterating. Raises Stale if the game has gone on since `view`, mostly
        because the turn has expired; other Refused only for what is not in `view.legal`; Unreachable where it is not
        known whether the play was carried out.
        """
        if self._submit is None:
            raise TypeError("a spectator cannot play: watch the game instead of spectating it")
        play = PlayTile(play=Play(tile=tile, end=end))
        seen = self.view.seq
        command = Command(game_id=self.game_id, request_id=uuid4().hex, expected_seq=seen, play_tile=play)
        self._played_seq = await self._submit(command)
        return self._played_seq

    async def quit(self) -> int:
        """Leave the seat to a bot for good, at any time; gives the seq of the event that says so.

        Whoever quits has lost (docs/ratings.md). The game goes on, and iterating with it, as a spectator's: it
        raises Refused with SPECTATORS_NOT_ALLOWED where the table has none. To quit twice is to quit once. Raises
        Refused: GAME_OVER, NOT_SEATED.
        """
        if self._submit is None:
            raise TypeError("a spectator has no seat to leave: `Client.unwatch` ends the watch")
        command = Command(
            game_id=self.game_id, request_id=uuid4().hex, expected_seq=self.arrived_seq, quit_game=QuitGame()
        )
        return await self._submit(command)

    async def give_seed(self, seed: bytes) -> None:
        """Put 1 to 32 random bytes into the next deal, so that the server alone cannot have chosen it.

        Every deal needs fresh ones, drawn when `witness.next_round` had become its round; with `connect(seeds=True)`
        that happens by itself. Raises Refused: SEED_NOT_DUE if the deal was made meanwhile, SEED_GIVEN, SEED_USED.
        """
        if self._submit is None:
            raise TypeError("a spectator gives no seeds: watch the game instead of spectating it")
        wish = GiveSeed(round=self.witness.next_round or 0, seed=seed)
        command = Command(game_id=self.game_id, request_id=uuid4().hex, expected_seq=self.arrived_seq, give_seed=wish)
        await self._submit(command)
        self.witness.seeds[wish.round] = seed

    def __aiter__(self) -> Game:
        return self

    async def __anext__(self) -> Item:
        while True:
            item = await self._next()
            if isinstance(item, Reset):
                self.view.CopyFrom(item.view)
                self._played_seq = 0
            elif isinstance(item, Update):
                apply(self.view, item)
            elif not present(self.view, item):
                continue
            return item

    async def _next(self) -> Item:
        while not self._items:
            if self._failure is not None:
                raise self._failure
            if self._finished or self._left:
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()
        return self._items.popleft()

    async def begun(self) -> None:
        """Wait for the first view and show it, without taking it from the iteration."""
        while not self.arrived_seq and self._failure is None:
            self._news.clear()
            await self._news.wait()
        if self._failure is not None:
            raise self._failure
        if not self.view.seq:
            first = self._items[0]
            assert isinstance(first, Reset)
            self.view.CopyFrom(first.view)

    def take(self, frame: Frame) -> bool:
        """Take an update, reset, presence or talk from the server; False if the stream must resume at `arrived_seq`."""
        if frame.WhichOneof("frame") == "said":
            self.talk.take(frame.said)
            return True
        if frame.WhichOneof("frame") == "presence":
            if self.arrived_seq:
                self._items.append(frame.presence)
                self._news.set()
            return True
        if frame.WhichOneof("frame") == "reset":
            self._keep(frame.reset, frame.reset.view.seq)
            self._finished = frame.reset.view.state == GAME_STATE_FINISHED
            if self._finished:
                self._close()
            return True
        update = frame.update
        self._clock.heard(update.time_ms)
        if update.seq <= self.arrived_seq or not self.arrived_seq:
            # Known, or of a watch before this one, whose view is on its way.
            return True
        if update.seq == self.arrived_seq + 1 and (kind := update.WhichOneof("event")) is not None:
            self._keep(update, update.seq)
            if kind == "game_ended":
                self._finished = True
                self._close()
            return True
        if update.seq == self.arrived_seq + 1:
            # Of a kind this client does not know: only a whole view helps.
            self.arrived_seq = 0
        behind, self._catching_up = not self._catching_up, True
        return not behind

    def interrupted(self) -> None:
        """The connection is gone; the next one resumes."""
        self._catching_up = False

    def leave(self) -> None:
        """End the iteration at once: nobody wants more of it."""
        self._left = True
        self._items.clear()
        self._close()
        self._news.set()

    def fail(self, failure: Exception) -> None:
        """End the iteration with `failure`, after what has arrived."""
        self._failure = failure
        self._close()
        self._news.set()

    def _keep(self, item: Update | Reset, seq: int) -> None:
        self.arrived_seq = seq
        self._catching_up = False
        self._items.append(item)
        self._news.set()
        self.witness.take(item)
        if isinstance(item, Update) and item.HasField("seat_quit"):
            self.quitted |= item.seat_quit.seat == self.witness.seat
        due = self.witness.next_round
        seated = self.witness.seat is not None and not self.quitted
        if self._seeds and seated and due is not None and due > self._seeded_round:
            self._seeded_round = due
            task = asyncio.ensure_future(self._give_seed())
            self.giving.add(task)
            task.add_done_callback(self.giving.discard)

    def _close(self) -> None:
        for task in self.giving:
            task.cancel()
        self.talk.end()

    async def _give_seed(self) -> None:
        try:
            await self.give_seed(secrets.token_bytes(SEED_BYTES))
        except (Refused, Unreachable):
            # Too late, or the game is left: the deal is made without.
            return
