"""How often one may ask: a flood is refused with the time to wait, and nobody else notices."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2
from hypothesis import given
from hypothesis import strategies as st

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.table_service_pb2 import CreateTableRequest, JoinTableRequest, Table, WatchLobbyRequest
from capicua.api.v1.types_pb2 import GameOptions, Seat
from capicua.api.v1.update_pb2 import Refusal
from capicua.gateway.limits import (
    BY_ADDRESS,
    BY_PLAYER,
    KEPT,
    OPEN_BY_ADDRESS,
    OPEN_BY_PLAYER,
    WRONG_CODES_OF_ADDRESS,
    WRONG_CODES_OF_PLAYER,
    Limits,
)
from capicua.matchmaking.tables import Tables
from capicua.store.memory_store import MemoryStore
from kit.eventually import eventually, until
from kit.gateway import reason_of, server_here

FAR, NEAR = "ipv4:203.0.113.9:5000", "ipv4:127.0.0.1:5000"
WRONG = Refusal(reason=reasons.ERROR_REASON_TABLE_NOT_FOUND)


class Clock:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@given(st.lists(st.floats(0, 20), min_size=1, max_size=200))
def test_a_burst_and_then_the_pace(pauses: list[float]) -> None:
    """However the calls come: never more than the burst and one for each interval, and after the wait it is let in."""
    clock = Clock()
    limits, limit, admitted = Limits(clock), BY_PLAYER["CreateTable"], 0
    for pause in pauses:
        clock.now += pause
        refused = limits.admit("CreateTable", "p", FAR)
        if refused is None:
            admitted += 1
        else:
            assert refused.reason == reasons.ERROR_REASON_RATE_LIMITED
            clock.now += refused.retry_ms / 1000
            assert limits.admit("CreateTable", "p", FAR) is None
            admitted += 1

    assert admitted <= limit.burst + (clock.now - 1000) / limit.seconds + 1


def test_who_asks_too_often_is_alone_with_it() -> None:
    """Other players, other calls and other addresses are let in."""
    limits = Limits(Clock())
    while limits.admit("QuickMatch", "p", FAR) is None:
        pass
    while limits.admit("SignIn", "", FAR) is None:
        pass

    assert limits.admit("QuickMatch", "q", FAR) is None
    assert limits.admit("GetView", "p", FAR) is None
    assert limits.admit("SignIn", "", "ipv6:[2001:db8::1]:5000") is None


def test_codes_cannot_be_guessed() -> None:
    """Only wrong codes count: a few a player, and not many more from one address however many players it makes."""
    clock = Clock()
    limits = Limits(clock)

    def guess(player: str) -> bool:
        if limits.admit("JoinTable", player, FAR) is not None:
            return False
        limits.left("JoinTable", player, FAR)
        limits.refused("JoinTable", player, FAR, WRONG)
        return True

    assert sum(guess("p") for _ in range(100)) == WRONG_CODES_OF_PLAYER.burst
    assert sum(guess(f"p-{n}") for n in range(100)) == WRONG_CODES_OF_ADDRESS.burst - WRONG_CODES_OF_PLAYER.burst
    clock.now += 3600
    assert sum(guess(f"q-{n}") for n in range(10_000)) == WRONG_CODES_OF_ADDRESS.burst


def test_codes_cannot_be_guessed_at_once() -> None:
    """Given guesses that are all sent before one is answered: no more of them from one address, and right ones cost
    nothing; a player who joins many tables at once is let in."""
    limits, many = Limits(Clock()), BY_PLAYER["JoinTable"].burst
    crowd = [f"p-{n}" for n in range(100)]
    under_way = [player for player in crowd if limits.admit("JoinTable", player, FAR) is None]
    assert len(under_way) == WRONG_CODES_OF_ADDRESS.burst
    for player in under_way:
        limits.left("JoinTable", player, FAR)
    assert not limits._open
    assert limits.admit("JoinTable", "p", FAR) is None
    assert [limits.admit("JoinTable", "busy", NEAR) for _ in range(many)] == [None] * many


def test_a_network_is_one_address() -> None:
    """Given an IPv6 network, which one machine has all addresses of: it may not ask more often than one address."""
    limits = Limits(Clock())
    let_in = [n for n in range(1000) if limits.admit("SignIn", "", f"ipv6:%5B2001:db8::{n:x}%5D:5000") is None]

    assert len(let_in) == BY_ADDRESS["SignIn"].burst
    assert limits.admit("SignIn", "", "ipv6:%5B2001:db8:0:1::1%5D:5000") is None


@given(st.lists(st.tuples(st.sampled_from(["WatchLobby", "WatchTable", "QuickMatch"]), st.booleans())))
def test_streams_are_counted_while_they_are_open(steps: list[tuple[str, bool]]) -> None:
    """Given streams of three kinds that open and end in any order: so many of a kind at once, and the count is kept."""
    clock = Clock()
    limits, still_open = Limits(clock), Counter[str]()
    for method, opens in steps:
        clock.now += 100
        if opens:
            refused = limits.admit(method, "p", FAR)
            assert (refused is None) == (still_open[method] < OPEN_BY_PLAYER)
            assert refused is None or refused.reason == reasons.ERROR_REASON_RATE_LIMITED
            assert refused is None or refused.retry_ms > 0
            still_open[method] += refused is None
        elif still_open[method]:
            limits.left(method, "p", FAR)
            still_open[method] -= 1
    for method in still_open.elements():
        limits.left(method, "p", FAR)

    assert not limits._open


def test_one_address_cannot_hold_all_streams() -> None:
    """However many players it makes; others are let in, and so is the first again when one of them ends."""
    limits = Limits(Clock())
    players = [f"p-{number}" for number in range(OPEN_BY_ADDRESS + 100)]
    let_in = [player for player in players if limits.admit("WatchLobby", player, FAR) is None]
    assert let_in == players[:OPEN_BY_ADDRESS]
    assert limits.admit("WatchLobby", "q", "ipv4:203.0.113.10:5000") is None
    limits.left("WatchLobby", "p-0", FAR)

    assert limits.admit("WatchLobby", "r", FAR) is None


@pytest.mark.parametrize("peer", [NEAR, "ipv6:%5B::1%5D:7", "unix:", "unix:@name"])
def test_this_machine_is_not_limited_by_address(peer: str) -> None:
    """Who runs a thousand clients here knows what they do."""
    limits = Limits(Clock())

    assert all(limits.admit("SignIn", "", peer) is None for _ in range(1000))


def test_what_is_remembered_is_bounded() -> None:
    """Keys that may ask freely again are forgotten."""
    clock = Clock()
    limits = Limits(clock)
    for number in range(3 * KEPT):
        clock.now += 1
        limits.admit("QuickMatch", f"p-{number}", NEAR)

    assert len(limits._free_at) <= KEPT + 1


async def test_a_flood_is_refused_with_retry_info() -> None:
    """On the wire: RESOURCE_EXHAUSTED with ErrorInfo and RetryInfo; the others' calls go on."""
    async with server_here(MemoryStore()) as here:
        ana, ben = here.caller("p-1"), here.caller("p-2", "Ben")
        request = CreateTableRequest(options=GameOptions(variant="block"))
        for _ in range(BY_PLAYER["CreateTable"].burst):
            await ana.call("CreateTable", request)
        with pytest.raises(grpc.aio.AioRpcError) as failure:
            await ana.call("CreateTable", request)
        await ben.call("CreateTable", request)
        with pytest.raises(grpc.aio.AioRpcError, match="no table") as wrong:
            await ben.call("JoinTable", JoinTableRequest(code="ZZZZ"))
        status = status_pb2.Status()
        for key, value in failure.value.trailing_metadata() or ():
            if key == "grpc-status-details-bin":
                status = status_pb2.Status.FromString(value)
        retry = error_details_pb2.RetryInfo()

        assert failure.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert status.details[1].Unpack(retry)
        assert 0 < retry.retry_delay.ToMilliseconds() <= 30_001
        assert wrong.value.code() is grpc.StatusCode.NOT_FOUND


async def test_a_stream_more_than_one_may_have_is_refused_until_one_ends() -> None:
    """On the wire: RATE_LIMITED, and let in again after one of them was cancelled."""
    async with server_here(MemoryStore()) as here:
        ana = here.caller("p-1")

        async def watch() -> Any:
            call = ana.call("WatchLobby", WatchLobbyRequest(), timeout=30)
            await anext(aiter(call))
            return call

        calls = [await watch() for _ in range(OPEN_BY_PLAYER)]
        with pytest.raises(grpc.aio.AioRpcError) as failure:
            await watch()
        calls.pop().cancel()

        async def let_in() -> bool:
            with suppress(grpc.aio.AioRpcError):
                calls.append(await watch())
            return len(calls) == OPEN_BY_PLAYER

        await until(let_in)
        for call in calls:
            call.cancel()

        assert reason_of(failure.value)[1] == reasons.ERROR_REASON_RATE_LIMITED


def test_a_crowd_that_asks_all_the_time_is_not_looked_through_at_each_call() -> None:
    """Given thousands of players none of whom may be forgotten yet: they are looked through a few times in all."""
    limits, tables = Limits(Clock()), set[int]()
    for number in range(16 * KEPT):
        limits.admit("QuickMatch", f"p{number}", NEAR)
        tables.add(id(limits._free_at))
    assert len(limits._free_at) == 16 * KEPT
    assert len(tables) <= 6


async def test_who_hangs_up_has_guessed_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given tables that are looked up slowly, and wrong codes whose answers nobody waits for: they count."""
    find, answers, asked = Tables.join_table, asyncio.Event(), Counter[str]()

    async def late(tables: Tables, player: Seat, code: str, table_id: str = "") -> tuple[Table, int] | Refusal:
        asked[code] += 1
        await answers.wait()
        return await find(tables, player, code, table_id)

    monkeypatch.setattr(Tables, "join_table", late)
    async with server_here(MemoryStore()) as server:
        guesser = server.caller("p-1")
        for number in range(2, 2 + WRONG_CODES_OF_PLAYER.burst):
            call = guesser.call("JoinTable", JoinTableRequest(code=f"ZZZ{number}"))
            await eventually(lambda code=f"ZZZ{number}": asked[code] == 1)  # type: ignore[misc]
            call.cancel()
        answers.set()

        with pytest.raises(grpc.aio.AioRpcError) as failure:
            await guesser.call("JoinTable", JoinTableRequest(code="ZZZZ"))
        assert reason_of(failure.value)[1] == reasons.ERROR_REASON_RATE_LIMITED
