"""A player on bare gRPC streams that does what a client may and a good one seldom does.

It sends commands twice at once, late once more, and to another gateway besides; plays at the very moment its turn
expires; gives up streams that are silent; and comes back through whichever gateway.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from typing import Any
from uuid import uuid4

import grpc

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.game_service_pb2 import Command, PlayTile, QuitGame, SessionRequest, SubmitCommandRequest, Watch
from capicua.api.v1.game_service_pb2_grpc import GameServiceStub
from capicua.api.v1.types_pb2 import GAME_STATE_FINISHED, Play
from capicua.api.v1.update_pb2 import CommandAnswer, Frame, Reset, Update
from capicua.cli.torture.figures import Figures
from capicua.cli.torture.transcript import Sent, Transcript
from capicua.client.refused import Refused, error_of

TO_THE_END = 0.01
"""Share of the turns that are played at the moment at which they expire."""
QUITS = 0.02
"""Share of the turns in which the player leaves the seat for good."""
SILENT_SECONDS = 3.0
ANSWER_SECONDS = 2.0
_PASSING = (
    reasons.ERROR_REASON_UNAVAILABLE,
    reasons.ERROR_REASON_RESYNC,
    reasons.ERROR_REASON_SUPERSEDED,
)
"""Reasons that end a stream and not the next one."""
_OPTIONS = (
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_reconnect_backoff_ms", 500),
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.ping_timeout_ms", 5_000),
)


class RawPlayer:
    """One seat of one game, signed in with `token`. `follow` plays it to its end."""

    def __init__(
        self, game_id: str, player_id: str, token: str, figures: Figures, chance: random.Random, pause: float
    ) -> None:
        self._transcript = Transcript(game_id, player_id)
        figures.transcripts.append(self._transcript)
        self._figures = figures
        self._chance = chance
        self._pause = pause
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._seat: int | None = None
        self._last_seq = 0
        self._finished = False
        self._outbox: asyncio.Queue[SessionRequest] = asyncio.Queue()
        self._stubs: list[Any] = []
        self._sent: dict[str, Sent] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._broke_at: float | None = None

    async def follow(self, gateways: Sequence[str]) -> None:
        """Play to the end of the game, through any of `gateways`. Raises Refused where a new stream would not help."""
        async with AsyncExitStack() as stack:
            for address in gateways:
                channel = grpc.aio.insecure_channel(address, options=_OPTIONS)
                self._stubs.append(GameServiceStub(await stack.enter_async_context(channel)))
            try:
                while not self._finished:
                    await self._stream(self._chance.choice(self._stubs))
                    await asyncio.sleep(self._chance.uniform(0, 0.2))
            finally:
                for task in self._tasks:
                    task.cancel()
        self._transcript.followed = True
        self._figures.games += 1

    async def _stream(self, stub: Any) -> None:
        self._outbox = asyncio.Queue()
        watch = Watch(game_id=self._transcript.game_id, last_seen_seq=self._last_seq)
        self._outbox.put_nowait(SessionRequest(watch=watch))
        call = stub.Session(metadata=self._metadata)
        writing = asyncio.ensure_future(_write(call, self._outbox))
        try:
            while not self._finished:
                # Silence may be a paused gateway; where it is only a thinking player, coming back costs little.
                async with asyncio.timeout(SILENT_SECONDS):
                    response = await call.read()
                if response is grpc.aio.EOF:
                    break
                self._resumed()
                for frame in response.frames:
                    self._take(frame)
        except TimeoutError:
            pass
        except (grpc.aio.AioRpcError, Refused) as failure:
            refused = error_of(failure) if isinstance(failure, grpc.aio.AioRpcError) else failure
            if isinstance(refused, Refused):
                self._figures.refusals[refused.name] += 1
                if refused.reason not in _PASSING:
                    raise refused from None
        finally:
            writing.cancel()
            call.cancel()
        if self._broke_at is None:
            self._broke_at = time.monotonic()

    def _resumed(self) -> None:
        if self._broke_at is not None:
            self._figures.resumes_ms.append((time.monotonic() - self._broke_at) * 1000)
            self._broke_at = None

    def _take(self, frame: Frame) -> None:
        match frame.WhichOneof("frame"):
            case "reset":
                self._show(frame.reset, frame.reset.view.seq)
                view = frame.reset.view
                self._seat = view.own_seat if view.HasField("own_seat") else None
                self._finished = view.state == GAME_STATE_FINISHED
                if view.HasField("turn") and view.turn == self._seat:
                    self._my_turn(view.legal, view.deadline_ms)
            case "update":
                update = frame.update
                self._show(update, update.seq)
                if update.HasField("seat_quit") and update.seat_quit.seat == self._seat:
                    self._seat = None
                if update.HasField("turn_started") and update.turn_started.seat == self._seat:
                    self._my_turn(update.turn_started.legal, update.turn_started.deadline_ms)
                self._finished = update.HasField("game_ended")
            case "answer":
                self._answered(frame.answer)
            case "notice":
                raise Refused(frame.notice.refusal.reason, frame.notice.refusal.message)

    def _show(self, item: Update | Reset, seq: int) -> None:
        self._transcript.show(item)
        self._last_seq = seq

    def _answered(self, answer: CommandAnswer) -> None:
        sent = self._sent.get(answer.request_id)
        if sent is None:
            return
        if answer.HasField("refused"):
            sent.refused.append(answer.refused.reason)
        else:
            self._figures.moves += not sent.accepted
            sent.accepted.append(answer.accepted.seq)

    # Playing.

    def _my_turn(self, legal: Sequence[Play], deadline_ms: int) -> None:
        task = asyncio.ensure_future(self._play(self._chance.choice(legal), self._last_seq, deadline_ms))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _play(self, play: Play, expected_seq: int, deadline_ms: int) -> None:
        chance = self._chance
        wait = chance.uniform(0, self._pause)
        held_back = chance.random() < TO_THE_END
        if held_back:
            wait = max(0.0, deadline_ms / 1000 - time.time() + chance.uniform(-0.05, 0.05))
        await asyncio.sleep(wait)
        quits = chance.random() < QUITS
        sent = Sent(uuid4().hex, expected_seq, None if quits else play, held_back=held_back)
        self._transcript.sent.append(sent)
        self._sent[sent.request_id] = sent
        command = Command(
            game_id=self._transcript.game_id,
            request_id=sent.request_id,
            expected_seq=expected_seq,
            play_tile=None if quits else PlayTile(play=play),
            quit_game=QuitGame() if quits else None,
        )
        self._figures.quits += quits
        copies = chance.choice((1, 1, 1, 2, 3))
        self._figures.copies += copies - 1
        for _ in range(copies):
            self._send(command)
            await asyncio.sleep(chance.choice((0, 0, 0.02, 0.5)))
        while not self._finished and not _settled(sent):
            # Nobody answered, or nobody could: the same again, anywhere.
            await asyncio.sleep(chance.uniform(0.1, 1.0))
            if not _settled(sent):
                self._send(command)

    def _send(self, command: Command) -> None:
        """On the stream, or by a call of its own through any gateway."""
        if self._chance.random() < 0.6:
            self._outbox.put_nowait(SessionRequest(command=command))
            return
        task = asyncio.ensure_future(self._call(self._chance.choice(self._stubs), command))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _call(self, stub: Any, command: Command) -> None:
        answer = CommandAnswer(request_id=command.request_id)
        try:
            request = SubmitCommandRequest(command=command)
            response = await stub.SubmitCommand(request, metadata=self._metadata, timeout=ANSWER_SECONDS)
            answer.accepted.seq = response.seq
        except grpc.aio.AioRpcError as failure:
            error = error_of(failure)
            if not isinstance(error, Refused):
                return
            answer.refused.reason = error.reason
        self._answered(answer)


def _settled(sent: Sent) -> bool:
    return bool(sent.accepted) or any(reason != reasons.ERROR_REASON_UNAVAILABLE for reason in sent.refused)


async def _write(call: Any, outbox: asyncio.Queue[SessionRequest]) -> None:
    # Whoever reads learns why a stream cannot be written any more.
    with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
        while True:
            await call.write(await outbox.get())
