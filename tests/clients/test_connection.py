"""What a client can show of its connection: how it stands, the seats it holds, the seconds left."""

from __future__ import annotations

import asyncio
import itertools
import time
from typing import Any

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capicua.api.v1.error_reason_pb2 import ERROR_REASON_UNAVAILABLE
from capicua.api.v1.types_pb2 import GameOptions
from capicua.api.v1.update_pb2 import CommandAnswer, Frame, Refusal, SeatAssigned
from capicua.cli.torture.proxy import Proxy
from capicua.client import Connection, Game, RateLimited, Superseded, Unreachable, connect
from capicua.client.server_clock import ServerClock
from capicua.client.stream import FIRST_DELAY, LONGEST_DELAY, delays
from capicua.store.memory_store import MemoryStore
from kit.frames import GAME, SIX_FOUR, end, idle, refuse, reset, seqs, turn
from kit.gateway import server_here


async def test_a_lost_connection_is_seen_and_its_return_too(serve: Any) -> None:
    """Given a session that is cut, and then taken over, each state can be shown while it lasts."""

    async def cut(connection: Any) -> None:
        assert (await connection.heard()).watch.game_id == GAME
        await connection.say(reset(3))
        assert (await connection.heard()).unwatch.game_id == GAME

    async def taken_over(connection: Any) -> None:
        assert (await connection.heard()).watch.game_id == "another"
        await refuse(connection.context, grpc.StatusCode.ABORTED, "SUPERSEDED")

    async with connect(await serve(cut, taken_over), name="Ana") as client:
        states = client.connections()
        seen = [await anext(states), await anext(states)]
        client.unwatch(await client.watch(GAME))
        seen.append(await anext(states))
        seen.append(await anext(states))
        with pytest.raises(Superseded):
            await client.watch("another")
        seen += [state async for state in states]

    assert [state.name for state in seen] == ["CONNECTING", "CONNECTED", "RECONNECTING", "CONNECTED", "ENDED"]


async def test_patience_has_an_end() -> None:
    """A server that is gone for longer than the patience ends the session; who watches is told."""
    async with connect("127.0.0.1:1", token="token", patience=0.1) as client:
        states = client.connections()
        assert [state async for state in states] == [Connection.CONNECTING, Connection.ENDED]
        with pytest.raises(Unreachable):
            await client.watch(GAME)


async def test_held_seats_are_those_of_running_games(serve: Any) -> None:
    """A seat is held from its telling to the end of its game; a new connection tells all of them again."""

    def seat(game_id: str) -> Frame:
        return Frame(seat_assigned=SeatAssigned(game_id=game_id, seat=2))

    async def first(connection: Any) -> None:
        await connection.say(seat("over meanwhile"), seat(GAME))
        assert (await connection.heard()).watch.game_id == GAME
        await connection.say(reset(3))

    async def second(connection: Any) -> None:
        await connection.say(seat(GAME), seat("new"))
        assert (await connection.heard()).watch.last_seen_seq == 3
        await connection.say(turn(4), end(5))
        await idle(connection)

    async with connect(await serve(first, second), name="Ana") as client:
        assert client.held_seats == []
        game = await client.watch(GAME)
        assert [seat.game_id for seat in client.held_seats] == ["over meanwhile", GAME]
        await seqs(game)

        assert [seat.game_id for seat in client.held_seats] == ["new"]


async def test_each_who_asks_for_seats_is_told_all(serve: Any) -> None:
    """Given a seat that one task was told before, another that begins later is told it too, and both the next."""
    told = asyncio.Event()

    async def script(connection: Any) -> None:
        await connection.say(Frame(seat_assigned=SeatAssigned(game_id="first")))
        await told.wait()
        await connection.say(Frame(seat_assigned=SeatAssigned(game_id="second")))
        await idle(connection)

    async with connect(await serve(script), name="Ana") as client:
        early, late = client.seats(), client.seats()
        assert (await anext(early)).game_id == (await anext(late)).game_id == "first"
        told.set()
        assert (await anext(early)).game_id == (await anext(late)).game_id == "second"


async def test_a_play_does_not_outlive_its_session(serve: Any) -> None:
    """Given a play that waits to be sent again, and a session that ends for good meanwhile, the player is told."""

    async def script(connection: Any) -> None:
        await connection.heard()
        await connection.say(reset(3))
        command = (await connection.heard()).command
        away = Refusal(reason=ERROR_REASON_UNAVAILABLE, message="moving")
        answer = CommandAnswer(game_id=GAME, request_id=command.request_id, refused=away)
        await connection.say(Frame(answer=answer))
        await refuse(connection.context, grpc.StatusCode.ABORTED, "SUPERSEDED")

    async with connect(await serve(script), name="Ana") as client:
        game = await client.watch(GAME)
        with pytest.raises(Superseded):
            await game.play(SIX_FOUR, "L")


async def test_a_game_can_be_left_and_watched_again(serve: Any) -> None:
    """Given updates of the first watch still on their way, the second begins with a whole view of its own."""

    async def script(connection: Any) -> None:
        await connection.heard()
        await connection.say(reset(3))
        assert (await connection.heard()).unwatch.game_id == GAME
        assert (await connection.heard()).watch.last_seen_seq == 0
        await connection.say(turn(4), turn(5), reset(5), end(6))
        await idle(connection)

    async with connect(await serve(script), name="Ana") as client:
        game = await client.watch(GAME)
        assert await client.watch(GAME) is game
        client.unwatch(game)

        assert await seqs(game) == []
        assert await seqs(await client.watch(GAME)) == [5, 6]


async def test_a_wait_that_is_asked_for_is_told(serve: Any) -> None:
    """RATE_LIMITED says in RetryInfo when to come again (AIP-194)."""

    async def script(connection: Any) -> None:
        await connection.heard()
        await refuse(connection.context, grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED", retry_ms=2500)

    async with connect(await serve(script), name="Ana") as client:
        with pytest.raises(RateLimited) as no:
            await client.watch(GAME)

    assert no.value.retry_seconds == 2.5


def test_clients_come_back_scattered() -> None:
    """Waits before a new try are random up to a limit that doubles from 0.1 to 5 seconds: no wave of clients."""
    limits = [min(LONGEST_DELAY, FIRST_DELAY * 2**n) for n in range(12)]
    clients = [list(itertools.islice(delays(), 12)) for _ in range(400)]

    for waits, limit in zip(zip(*clients, strict=True), limits, strict=True):
        assert 0 <= min(waits) < limit / 10
        assert limit * 9 / 10 < max(waits) <= limit
        assert sum(waits) / len(waits) == pytest.approx(limit / 2, rel=0.2)


@given(
    skew=st.floats(-1e6, 1e6),
    ways=st.lists(st.floats(0, 600), min_size=1),
    left=st.floats(-10, 120),
)
def test_the_fastest_update_tells_the_clock(skew: float, ways: list[float], left: float) -> None:
    """Whatever our clock says, we are wrong about a deadline by no more than the fastest update was under way."""
    clock = ServerClock()
    for way in ways:
        clock.heard(round((time.time() + skew - way) * 1000))

    told = clock.seconds_until(round((time.time() + skew + left) * 1000))

    assert left - 1 < told - min(ways) < left + 0.1


def test_seconds_left_stay_within_the_turn_limit() -> None:
    """Given no update yet and a clock that is wrong by a day, no impossible number is shown."""
    game = Game(GAME)
    assert game.seconds_left is None
    game.view.options.turn_seconds = 30
    for day in (-86_400, 86_400):
        game.view.deadline_ms = round((time.time() + day) * 1000)
        assert game.seconds_left == max(0.0, min(30.0, day))


async def test_a_waiting_table_is_told_over_a_cut() -> None:
    """Given the host's connection breaks while others sit down, the host sees them, and the start; then it ends."""
    async with server_here(MemoryStore()) as here:
        proxy = Proxy(here.address)
        await proxy.start()
        async with connect(proxy.address, name="Ana") as ana, connect(here.address, name="Ben") as ben:
            table = await ana.create_table(GameOptions(variant="block", seats=2))
            told = ana.watch_table(table.table_id)
            seats = [sum(bool(seat.player_id) for seat in (await anext(told)).seats)]
            assert proxy.cut() == 1
            await ben.join_table(table.code)
            async for table in told:
                seats.append(sum(bool(seat.player_id) for seat in table.seats))
                if seats[-1] == 2 and not table.game_id:
                    await ana.start_table(table.table_id)

            assert table.game_id
            assert seats[-1] == 2
        proxy.stop()


async def test_a_network_that_swallows_everything_costs_no_turn() -> None:
    """Given a connection on which nothing arrives any more, the client is back in time and its play is answered."""
    async with server_here(MemoryStore()) as here:
        proxy = Proxy(here.address)
        await proxy.start()
        async with connect(proxy.address, name="Ana") as ana, connect(here.address, name="Ben") as ben:
            table = await ana.create_table(GameOptions(variant="block", seats=2, turn_seconds=30))
            await ben.join_table(table.code)
            game_id = (await ana.start_table(table.table_id)).game_id
            theirs, mine = await ben.watch(game_id), await ana.watch(game_id)
            if theirs.my_turn:
                await theirs.play(theirs.view.legal[0].tile, theirs.view.legal[0].end)
            while not mine.my_turn:
                await anext(mine)
            assert proxy.swallow() == 1

            async with asyncio.timeout(20):
                await mine.play(mine.view.legal[0].tile, mine.view.legal[0].end)
        proxy.stop()
