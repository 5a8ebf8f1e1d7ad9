"""One running game: the mailbox, the commit, and who is told."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from time import perf_counter_ns
from typing import TypeVar

import structlog

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.update_pb2 import Accepted, Refusal
from capicua.engine import (
    ClockRestored,
    ExpireTurn,
    GameState,
    GiveSeed,
    Phase,
    QuitSeat,
    Rejection,
    RoundEnded,
    SeatQuit,
    SeedGiven,
)
from capicua.game_actor import log_codec
from capicua.game_actor.answers import Answers
from capicua.game_actor.api_codec import rejection
from capicua.game_actor.audience import Audience
from capicua.game_actor.deal import carry_out
from capicua.game_actor.delayed_audience import DelayedAudience
from capicua.game_actor.desertion import Desertion
from capicua.game_actor.figures import Figures
from capicua.game_actor.history import History, Step, delayed, last_seq, read_history, replay, snapshot_bytes
from capicua.game_actor.players import people_at, seats_at
from capicua.game_actor.request import Answer, Request, moved
from capicua.log.v1 import entry_pb2 as log
from capicua.runtime.clock import Clock
from capicua.runtime.ports import Timer
from capicua.runtime.refusals import refusal, short_name, store_away
from capicua.store.store import ShardMoved, Store, StoreUnavailable

logger = structlog.get_logger()

MAILBOX = 64
"""Commands that may wait for one game; more are refused as UNAVAILABLE."""
SETTLE_SECONDS = 2.0
STILL = ClockRestored | SeedGiven | SeatQuit
"""Events that change nothing on which a player decides."""

T = TypeVar("T")


class Game:
    """The only writer of one game, as long as its epoch is the newest.

    One append is under way at a time; commands that come meanwhile wait in the mailbox. State, answers
    and viewers change only when the append is done (I-1).
    """

    def __init__(
        self,
        game_id: str,
        facts: log.GameStarted,
        state: GameState,
        *,
        store: Store,
        timer: Timer,
        clock: Clock,
        epoch: int,
        generation: int,
        figures: Figures,
        on_round: Callable[[Game], None],
        on_seats: Callable[[Game], None],
        on_end: Callable[[Game], None],
        on_lost: Callable[[Game], None],
        reachable: Callable[[], bool],
    ) -> None:
        self.game_id = game_id
        self.facts = facts
        self.state = state
        self.audience = (
            DelayedAudience(game_id, facts, state, clock, lambda: on_round(self))
            if delayed(facts)
            else Audience(game_id, facts, seats_at(facts, state))
        )
        presence = self.audience.presence
        presence.follow(lambda seat, connected: self._look())
        self._desertion = Desertion(presence.dropped, self._hurry, reachable)
        self._people = people_at(facts, state)
        self._store = store
        self._timer = timer
        self._clock = clock
        self._epoch = epoch
        self._generation = generation
        self._figures = figures
        self._log_end = (1, epoch)
        self._on_round = on_round
        self._on_seats = on_seats
        self._on_end = on_end
        self._on_lost = on_lost
        self._answers = Answers(store, game_id)
        self._mailbox: deque[Request] = deque()
        self._busy = False
        self._changed_seq = state.seq
        """Seq of the last event that was not STILL."""
        self._closed = False
        self._idle: asyncio.Future[None] | None = None
        self._store_away = False
        self._tasks: set[asyncio.Task[None]] = set()

    def submit(self, request: Request) -> None:
        """Put a command in the mailbox; its `done` is called exactly once."""
        if self._closed:
            self._answer(request, moved())
        elif self._store_away:
            self._answer(request, store_away())
        elif not self._busy:
            self._handle(request)
        elif len(self._mailbox) < MAILBOX:
            self._mailbox.append(request)
        else:
            busy = "too many commands wait for this game: try again"
            self._answer(request, refusal(reasons.ERROR_REASON_UNAVAILABLE, busy, self.state.seq))

    def drop(self) -> None:
        """Write no more and show no more: somebody else owns the game, or will."""
        self._closed = True
        self._refuse_waiting()
        self._timer.cancel(self.game_id)
        self._desertion.close()
        self.audience.dismiss(moved())
        self._on_lost(self)

    async def settle(self) -> None:
        """Finish the append that is under way, then drop the game; what waits is for the next owner."""
        self._closed = True
        self._refuse_waiting()
        if self._busy:
            self._idle = asyncio.get_running_loop().create_future()
            # Where the store is away nobody can finish: the next owner reads what became of it.
            await asyncio.wait([self._idle], timeout=SETTLE_SECONDS)
        # A snapshot right after a STILL event would hide from the next owner when anything changed last.
        if self.state.phase is not Phase.OVER and self._changed_seq == self.state.seq:
            self._store.save_snapshot(self.game_id, snapshot_bytes(self.facts, self.state, self._epoch))
        self.drop()

    def arm(self) -> None:
        """Tell the timer when the turn expires."""
        if self._closed:
            return
        self._timer.schedule(self.game_id, self.state.turn_seq, self.state.deadline_ms)
        self._look()

    def _look(self) -> None:
        if not self._closed:
            self._desertion.look(self.state, self._people)

    def _hurry(self, turn_seq: int) -> None:
        if self.state.turn_seq == turn_seq and not self._closed:
            self.submit(Request(ExpireTurn(), lambda _: None, expected_seq=self.state.seq))

    def resume(self, history: History) -> None:
        """Know what the owners before knew: their answers, and what the players have seen change."""
        for first_seq, entry in history.entries:
            self.remember(entry, first_seq)
        self.audience.recall(history.steps)
        for step in reversed(history.steps):
            if not isinstance(step.event, STILL):
                break
            self._changed_seq = step.state.seq - 1

    def remember(self, entry: log.Entry, first_seq: int) -> None:
        """Keep the answer that a stored entry gave. It is the last one of the log."""
        self._log_end = (first_seq, entry.epoch)
        seat = entry.seat if entry.HasField("seat") else None
        self._answers.add(seat, entry.request_id, last_seq(first_seq, entry))

    # The way of one command: answered before? still current? decided, appended, then shown.

    def _handle(self, request: Request) -> None:
        answered = self._answers.find(request)
        if answered is not None:
            self._answer(request, answered)
            return
        if request.seat is not None and self.audience.seat(request.player_id) != request.seat:
            self._answer_gone(request)
            return
        if (
            request.expected_seq is not None
            and request.expected_seq != self.state.seq
            and not self._still_good(request)
        ):
            self._answer_stale(request)
            return
        try:
            self._decide(request)
        except Exception:
            # A mistake of ours: this command alone fails, the game is as it was.
            logger.exception("command_failed", game=self.game_id, seq=self.state.seq)
            self._answer(request, refusal(reasons.ERROR_REASON_INTERNAL, "the server made a mistake", self.state.seq))

    def _still_good(self, request: Request) -> bool:
        """Whether nothing has changed on which the player decided. Seeds, and those who leave, depend on nothing."""
        if isinstance(request.command, GiveSeed | QuitSeat):
            return True
        return request.seat is not None and self._changed_seq <= (request.expected_seq or 0) < self.state.seq

    def _decide(self, request: Request) -> None:
        now = self._clock()
        outcome = carry_out(self.game_id, self.state, request.command, now)
        if isinstance(outcome, Rejection):
            self._answer(request, rejection(outcome.reason, self.state.seq))
        elif outcome:
            self._append(request, outcome, now)
        else:
            self._answer(request, Accepted(seq=self.state.seq))

    def _append(self, request: Request, steps: list[Step], now: int) -> None:
        if self._store.generation(self.game_id) != self._generation:
            self._busy = True
            self._in_background(self._recover(request, None))
            return
        entry = log_codec.entry_bytes(
            self.facts,
            tuple(step.event for step in steps),
            epoch=self._epoch,
            time_ms=now,
            request_id=request.request_id,
            seat=request.seat,
        )
        began_ns = perf_counter_ns()
        stored = self._store.append(self.game_id, self.state.seq + 1, entry)
        self._busy = True
        stored.add_done_callback(lambda future: self._appended(future, request, steps, began_ns))

    def _appended(self, stored: asyncio.Future[None], request: Request, steps: list[Step], began_ns: int) -> None:
        self._figures.append_us.add((perf_counter_ns() - began_ns) // 1000)
        failure = stored.exception()
        if failure is not None:
            self._in_background(self._recover(request, failure))
            return
        self._figures.moves += 1
        self._log_end = (self.state.seq + 1, self._epoch)
        try:
            self._commit(steps)
        except Exception:
            # It is stored, so it is accepted; who was not told sees a gap and resumes.
            logger.exception("telling_failed", game=self.game_id, seq=self.state.seq)
        self._answers.add(request.seat, request.request_id, self.state.seq)
        self._answer(request, Accepted(seq=self.state.seq))
        self._next()

    def _commit(self, steps: list[Step]) -> None:
        state = self.state = steps[-1].state
        if not isinstance(steps[-1].event, STILL):
            self._changed_seq = state.seq
        quit = isinstance(steps[0].event, SeatQuit)
        if quit:
            # Nothing more of its own is for whoever has left, not even the deal that may come with it.
            self._reseat()
        self.audience.tell(steps)
        if quit:
            self._on_seats(self)
        if state.phase is Phase.OVER:
            self._timer.cancel(self.game_id)
            self._desertion.close()
            self._on_end(self)
        else:
            self.arm()
        if state.phase is Phase.PLAYING and any(isinstance(step.event, RoundEnded) for step in steps):
            self._store.save_snapshot(self.game_id, snapshot_bytes(self.facts, state, self._epoch))
            self._on_round(self)
            logger.info("round_ended", game=self.game_id, seq=state.seq, scores=state.scores)

    def _reseat(self) -> None:
        self._people = people_at(self.facts, self.state)
        self.audience.reseat(seats_at(self.facts, self.state))

    def _next(self) -> None:
        self._busy = False
        if self._idle is not None and not self._idle.done():
            self._idle.set_result(None)
        while self._mailbox and not self._busy:
            self._handle(self._mailbox.popleft())

    def _answer(self, request: Request, answer: Answer) -> None:
        command = type(request.command).__name__
        outcome = short_name(answer.reason) if isinstance(answer, Refusal) else "ACCEPTED"
        us = (perf_counter_ns() - request.arrived_ns) // 1000
        self._figures.commands[command, outcome] += 1
        self._figures.command_us.add(us)
        logger.info(
            "command",
            game=self.game_id,
            command=command,
            seat=request.seat,
            seq=self.state.seq,
            outcome=outcome,
            us=us,
        )
        request.done(answer)

    # What is off the hot path: a repeated command of long ago, and a store that failed.

    def _answer_stale(self, request: Request) -> None:
        seq = self.state.seq
        stale = f"the game is at seq {seq}: take the missing updates, then decide again"
        self._answer_late(request, refusal(reasons.ERROR_REASON_STALE_SEQ, stale, seq))

    def _answer_gone(self, request: Request) -> None:
        """The answer to whoever has left the seat: to quit twice is to quit once."""
        if isinstance(request.command, QuitSeat):
            seq = next(quit.seq for quit in self.state.standing.quits if quit.seat == request.seat)
            self._answer_from_log(request, self._answers.at(seq))
        else:
            gone = "you have quit this game: a bot has your seat"
            self._answer_late(request, refusal(reasons.ERROR_REASON_NOT_SEATED, gone, self.state.seq))

    def _answer_late(self, request: Request, refused: Refusal) -> None:
        """The answer that the command got once; `refused` where it got none."""

        async def look_up() -> Answer:
            return await self._answers.look_up(request) or refused

        if request.expected_seq is None or request.expected_seq > self.state.seq:
            self._answer(request, refused)
        else:
            self._answer_from_log(request, look_up())

    def _answer_from_log(self, request: Request, answer: Coroutine[None, None, Answer]) -> None:
        async def look() -> None:
            try:
                found = await answer
            except StoreUnavailable:
                found = store_away()
            self._answer(request, found)

        self._in_background(look())

    def _in_background(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _recover(self, request: Request, failure: BaseException | None) -> None:
        """What became of an append that failed, or of the log where the store may have lost some of it, is in
        the log alone. Nothing is shown until it was asked."""
        if failure is not None:
            logger.warning("append_failed", game=self.game_id, seq=self.state.seq, error=str(failure))
        end = self._log_end
        stored = await self._patiently(request, lambda: self._store.read(self.game_id, end[0]))
        entries = [(first_seq, log.Entry.FromString(data)) for first_seq, data in stored]
        intact = bool(entries) and (entries[0][0], entries[0][1].epoch) == end
        history = None if intact else await self._patiently(request, lambda: read_history(self._store, self.game_id))
        if history is not None:
            entries = history.entries
        if not entries:
            logger.error("moves_lost", game=self.game_id, seq=self.state.seq, left=0)
        if not entries or any(entry.epoch > self._epoch for _, entry in entries):
            self._lose(request)
            return
        if history is not None:
            self._begin_again(history)
        else:
            for first_seq, entry in entries[1:]:
                self._commit(replay(self.state, entry))
                self.remember(entry, first_seq)
        if not self._store_away:
            self._end_recovery(request, failure)
        self._store_away = False
        if self.state.phase is not Phase.OVER:
            self.arm()
        self._next()

    def _end_recovery(self, request: Request, failure: BaseException | None) -> None:
        answered = self._answers.find(request)
        if answered is not None:
            self._answer(request, answered)
        elif self._closed:
            self._answer(request, moved())
        elif failure is None or isinstance(failure, ShardMoved):
            # Nothing was written, and now it may be.
            self._mailbox.appendleft(request)
        else:
            self._answer(request, store_away())

    async def _patiently(self, request: Request, read: Callable[[], Awaitable[T]]) -> T:
        """What `read` gives, once it is durable; while the store stays away everybody who waits is refused."""
        wait = 0.05
        while True:
            generation = self._store.generation(self.game_id)
            try:
                found = await read()
                await self._store.confirm(self.game_id)
            except StoreUnavailable:
                if not self._store_away:
                    self._store_away = True
                    for waiting in (request, *self._mailbox):
                        self._answer(waiting, store_away())
                    self._mailbox.clear()
                await asyncio.sleep(wait)
                wait = min(wait * 2, 1.0)
            else:
                # Confirmed was what this very node holds: it must be the one that was read.
                if generation == self._store.generation(self.game_id):
                    self._generation = generation
                    return found

    def _begin_again(self, history: History) -> None:
        """Go on from what the log has left; whoever has seen more gets the picture anew."""
        state = self.state
        if history.state.seq < state.seq or history.steps[state.seq - 1].state != state:
            logger.error("moves_lost", game=self.game_id, seq=state.seq, left=history.state.seq)
        self.state = history.state
        self._answers.clear()
        for first_seq, entry in history.entries:
            self.remember(entry, first_seq)
        self._reseat()
        self.audience.reset(history.steps)
        self._on_seats(self)
        if self.state.phase is Phase.OVER:
            self._timer.cancel(self.game_id)
            self._desertion.close()
            self._on_end(self)

    def _lose(self, request: Request) -> None:
        """Another owner has written: this one writes nothing more (I-4)."""
        logger.warning("ownership_lost", game=self.game_id, epoch=self._epoch)
        if not self._store_away:
            self._answer(request, moved())
        self.drop()

    def _refuse_waiting(self) -> None:
        waiting, self._mailbox = tuple(self._mailbox), deque()
        for request in waiting:
            self._answer(request, moved())
