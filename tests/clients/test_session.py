"""One session over real gRPC, with a server that misbehaves on purpose."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import grpc
import psutil
import pytest

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.types_pb2 import Play
from capicua.api.v1.update_pb2 import (
    ClockRestored,
    CommandAnswer,
    Frame,
    Notice,
    Refusal,
    SeatAssigned,
    Update,
)
from capicua.client import Refused, Superseded, Unauthenticated, Unreachable, connect
from capicua.client import session as sessions
from kit.eventually import eventually
from kit.frames import GAME, SIX_FOUR, accepted, end, idle, refuse, reset, seqs, turn


async def test_every_update_comes_once_and_in_order(serve: Any) -> None:
    """Duplicates are dropped and a gap is filled by asking from the last seq (I-2)."""

    async def script(connection: Any) -> None:
        assert (await connection.heard()).watch.last_seen_seq == 0
        await connection.say(reset(5), turn(5), turn(6), turn(8), turn(9))
        assert (await connection.heard()).watch.last_seen_seq == 6
        await connection.say(turn(7), turn(7), turn(8), turn(9), end(10))
        assert (await connection.heard()).unwatch.game_id == GAME
        await idle(connection)

    async with connect(await serve(script), name="Ana") as client:
        game = await client.watch(GAME)

        assert await seqs(game) == [5, 6, 7, 8, 9, 10]
        assert game.view.winner_side == 1


async def test_a_broken_connection_resumes_where_it_stopped(serve: Any) -> None:
    """A client that drops goes on from its last seq."""

    async def first(connection: Any) -> None:
        await connection.heard()
        await connection.say(reset(3), turn(4))
        await refuse(connection.context, grpc.StatusCode.RESOURCE_EXHAUSTED, "RESYNC")

    async def second(connection: Any) -> None:
        assert (await connection.heard()).watch.last_seen_seq == 4
        await connection.say(turn(5), end(6))
        await idle(connection)

    async with connect(await serve(first, second), name="Ana") as client:
        assert await seqs(await client.watch(GAME)) == [3, 4, 5, 6]


async def test_a_second_reset_is_given_and_replaces_the_view(serve: Any) -> None:
    """Where updates are gone the server starts over; the game tells it like any other item."""

    async def script(connection: Any) -> None:
        await connection.heard()
        await connection.say(reset(3), reset(40), end(41))
        await idle(connection)

    async with connect(await serve(script), name="Ana") as client:
        assert await seqs(await client.watch(GAME)) == [3, 40, 41]


async def test_an_unknown_kind_of_update_asks_for_the_whole_view(serve: Any) -> None:
    """New kinds may come; a client that meets one asks for the view."""

    async def script(connection: Any) -> None:
        await connection.heard()
        await connection.say(reset(3), Frame(update=Update(game_id=GAME, seq=4)), turn(5))
        assert (await connection.heard()).watch.last_seen_seq == 0
        await connection.say(reset(6), end(7))
        await idle(connection)

    async with connect(await serve(script), name="Ana") as client:
        assert await seqs(await client.watch(GAME)) == [3, 6, 7]


async def test_an_unanswered_command_is_sent_again_under_the_same_id(serve: Any) -> None:
    """The same id gets the same answer, so a play is carried out once (I-3)."""
    ids = []

    async def first(connection: Any) -> None:
        await connection.heard()
        await connection.say(reset(3))
        ids.append((await connection.heard()).command)

    async def second(connection: Any) -> None:
        assert (await connection.heard()).watch.last_seen_seq == 3
        ids.append((await connection.heard()).command)
        await connection.say(accepted(ids[1].request_id, seq=5))
        await idle(connection)

    async with connect(await serve(first, second), name="Ana") as client:
        game = await client.watch(GAME)

        assert await game.play(SIX_FOUR, "L") == 5
        assert ids[0] == ids[1]
        assert (ids[0].expected_seq, ids[0].play_tile.play) == (3, Play(tile=SIX_FOUR, end="L"))


async def test_who_has_played_is_not_asked_again_by_an_update_on_its_way(serve: Any) -> None:
    """Given the deadline moves while the play is answered, it is not the seat's turn until the play is seen."""

    async def script(connection: Any) -> None:
        await connection.heard()
        await connection.say(reset(4))
        command = (await connection.heard()).command
        restored = Update(game_id=GAME, seq=5, clock_restored=ClockRestored(seat=0, deadline_ms=9))
        await connection.say(Frame(update=restored), accepted(command.request_id, seq=7), turn(6), turn(7), turn(8))
        await idle(connection)

    async with connect(await serve(script), name="Ana") as client:
        game = await client.watch(GAME)
        await anext(game)
        assert game.my_turn
        await game.play(SIX_FOUR, "L")
        turns = {}
        for _ in range(4):
            await anext(game)
            turns[game.view.seq] = game.my_turn

        assert turns == {5: False, 6: False, 7: False, 8: True}


async def test_an_unavailable_game_is_asked_again(serve: Any) -> None:
    """UNAVAILABLE means: try the same request again."""

    async def script(connection: Any) -> None:
        await connection.heard()
        await connection.say(reset(3))
        command = (await connection.heard()).command
        away = Refusal(reason=reasons.ERROR_REASON_UNAVAILABLE, message="moving")
        answer = CommandAnswer(game_id=GAME, request_id=command.request_id, refused=away)
        await connection.say(Frame(answer=answer))
        assert (await connection.heard()).command == command
        await connection.say(accepted(command.request_id, seq=4))
        await idle(connection)

    async with connect(await serve(script), name="Ana") as client:
        assert await (await client.watch(GAME)).play(SIX_FOUR, "L") == 4


async def test_a_refused_play_raises_the_reason_and_the_newest_seq(serve: Any) -> None:
    """Every refusal is typed (I-10)."""

    async def script(connection: Any) -> None:
        await connection.heard()
        await connection.say(reset(3))
        command = (await connection.heard()).command
        stale = Refusal(reason=reasons.ERROR_REASON_STALE_SEQ, message="catch up", current_seq=9)
        answer = CommandAnswer(game_id=GAME, request_id=command.request_id, refused=stale)
        await connection.say(Frame(answer=answer))
        await idle(connection)

    async with connect(await serve(script), name="Ana") as client:
        game = await client.watch(GAME)
        with pytest.raises(Refused) as no:
            await game.play(SIX_FOUR, "L")

        assert (no.value.reason, no.value.current_seq) == (reasons.ERROR_REASON_STALE_SEQ, 9)
        assert str(no.value) == "catch up (STALE_SEQ)"


@pytest.mark.parametrize(
    ("code", "reason", "kind"),
    [
        (grpc.StatusCode.ABORTED, "SUPERSEDED", Superseded),
        (grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED", Unauthenticated),
    ],
)
async def test_some_ends_are_final(serve: Any, code: grpc.StatusCode, reason: str, kind: type[Refused]) -> None:
    """A superseded or unknown player does not come back: a second connection would fail the test."""

    async def script(connection: Any) -> None:
        await connection.heard()
        await connection.say(reset(3))
        await connection.heard()
        await refuse(connection.context, code, reason)

    async with connect(await serve(script), name="Ana") as client:
        game = await client.watch(GAME)
        with pytest.raises(kind):
            await game.play(SIX_FOUR, "L")
        with pytest.raises(kind):
            await seqs(game)
        with pytest.raises(kind):
            await client.watch("another")


async def test_a_game_that_cannot_be_watched_is_refused_alone(serve: Any) -> None:
    """A notice ends one watch; the session goes on."""

    async def script(connection: Any) -> None:
        await connection.heard()
        missing = Refusal(reason=reasons.ERROR_REASON_GAME_NOT_FOUND, message="no such game")
        await connection.say(Frame(notice=Notice(game_id="none", refusal=missing)))
        assert (await connection.heard()).watch.game_id == GAME
        await connection.say(reset(3))
        await idle(connection)

    async with connect(await serve(script), name="Ana") as client:
        with pytest.raises(Refused, match="GAME_NOT_FOUND"):
            await client.watch("none")

        assert (await client.watch(GAME)).view.seq == 3


async def test_a_game_that_nobody_can_show_now_is_asked_for_again(serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """UNAVAILABLE passes, so the game is not over for its viewer: it goes on from what was seen."""
    monkeypatch.setattr(sessions, "WATCH_AGAIN_SECONDS", 0)

    async def script(connection: Any) -> None:
        await connection.heard()
        await connection.say(reset(3))
        away = Refusal(reason=reasons.ERROR_REASON_UNAVAILABLE, message="nobody serves it")
        await connection.say(Frame(notice=Notice(game_id=GAME, refusal=away)))
        assert (await connection.heard()).watch.last_seen_seq == 3
        await connection.say(turn(4))
        await idle(connection)

    async with connect(await serve(script), name="Ana") as client:
        game = await client.watch(GAME)
        await anext(game)
        await anext(game)

        assert game.view.seq == 4


async def test_seats_are_told_without_asking(serve: Any) -> None:
    """The server tells every seat at the start of a session and whenever a game starts."""

    async def script(connection: Any) -> None:
        await connection.say(Frame(seat_assigned=SeatAssigned(game_id=GAME, seat=2)))
        await idle(connection)

    async with connect(await serve(script), token="token") as client:
        async for seat in client.seats():
            assert (seat.game_id, seat.seat) == (GAME, 2)
            break


async def test_closing_leaves_no_task_behind(serve: Any) -> None:
    """Leaving the client ends its stream, also in the middle of a game."""

    async def script(connection: Any) -> None:
        await connection.heard()
        await connection.say(reset(3))
        await idle(connection)

    async with connect(await serve(script), name="Ana") as client:
        game = await client.watch(GAME)

    assert "capicua session" not in {task.get_name() for task in asyncio.all_tasks()}
    with pytest.raises(Unreachable):
        await seqs(game)


async def test_no_server_is_said_at_once() -> None:
    """Signing in does not wait for a server that is not there."""
    with pytest.raises(Unreachable):
        async with connect("127.0.0.1:1", name="Ana"):
            pass


async def test_a_client_that_is_closed_hangs_up_at_once(serve: Any) -> None:
    """Given no garbage collection, nothing keeps the connection once `connect` is left, whatever was followed."""

    async def watched(connection: Any) -> None:
        await connection.heard()
        await connection.say(reset(5))
        await asyncio.Event().wait()

    address = await serve(watched)
    port = int(address.rpartition(":")[2])

    def connections() -> int:
        found = psutil.Process().net_connections("tcp")
        return sum(each.raddr[1:] == (port,) for each in found)

    gc.collect()
    gc.disable()
    try:
        async with connect(address, name="Ana") as client:
            await client.watch(GAME)
            assert connections() == 1
        await eventually(lambda: connections() == 0)
    finally:
        gc.enable()
