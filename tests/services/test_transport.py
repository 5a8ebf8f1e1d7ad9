"""I-10, over real gRPC: every bad input gets its typed refusal, and the server goes on serving."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1 import game_service_pb2 as games
from capicua.api.v1 import player_service_pb2 as players
from capicua.api.v1 import table_service_pb2 as tables
from capicua.api.v1.types_pb2 import GameOptions, Play, Tile
from capicua.gateway.tokens import Tokens
from capicua.runtime.memory_store import MemoryStore
from capicua.runtime.refusals import STATUS
from capicua.runtime.transport import MAX_REQUEST_BYTES
from kit.gateway import Caller, ServerHere, reason_of, server_here

SESSION = "/capicua.api.v1.GameService/Session"


@pytest.fixture
async def server() -> AsyncIterator[ServerHere]:
    """A server, which must still serve when the test is done."""
    async with server_here(MemoryStore()) as server:
        yield server
        signed_in = await server.nobody().call("SignIn", players.SignInRequest(name="Still here"))
        assert signed_in.name == "Still here"


async def refusal_of(call: Any) -> tuple[reasons.ErrorReason.ValueType, str]:
    """Reason and message with which a call ends, whatever comes before."""
    with pytest.raises(grpc.aio.AioRpcError) as failure:
        if hasattr(call, "read"):
            while await call.read() is not grpc.aio.EOF:
                pass
        else:
            await call
    code, reason = reason_of(failure.value)
    assert code == STATUS[reason]
    return reason, failure.value.details() or ""


def options(**given: Any) -> tables.CreateTableRequest:
    """A request for a table with some options."""
    return tables.CreateTableRequest(options=GameOptions(**given))


def play(game_id: str, **given: Any) -> games.SubmitCommandRequest:
    """A command to play the 6-6."""
    move = games.PlayTile(play=Play(tile=Tile(high=6, low=6), end="-"))
    return games.SubmitCommandRequest(
        command=games.Command(**{"game_id": game_id, "request_id": "r", "play_tile": move, **given})
    )


BAD = {
    "name empty": ("SignIn", players.SignInRequest(), reasons.ERROR_REASON_INVALID_NAME, "at least one"),
    "name long": ("SignIn", players.SignInRequest(name="x" * 21), reasons.ERROR_REASON_INVALID_NAME, "20"),
    "name control": ("SignIn", players.SignInRequest(name="a\x1b[2J"), reasons.ERROR_REASON_INVALID_NAME, "visible"),
    "variant": ("CreateTable", options(variant="chess"), reasons.ERROR_REASON_UNKNOWN_VARIANT, "block_rounds"),
    "seats": ("CreateTable", options(seats=5), reasons.ERROR_REASON_INVALID_OPTIONS, "R-32"),
    "no seat": ("CreateTable", options(seats=0), reasons.ERROR_REASON_INVALID_OPTIONS, "R-32"),
    "target 0": ("CreateTable", options(target=0), reasons.ERROR_REASON_INVALID_OPTIONS, "target"),
    "target high": ("CreateTable", options(target=2**32 - 1), reasons.ERROR_REASON_INVALID_OPTIONS, "target"),
    "turn short": ("CreateTable", options(turn_seconds=4), reasons.ERROR_REASON_INVALID_OPTIONS, "5 to 120"),
    "turn long": ("CreateTable", options(turn_seconds=121), reasons.ERROR_REASON_INVALID_OPTIONS, "5 to 120"),
    "no JSON": ("CreateTable", options(overrides_json="{"), reasons.ERROR_REASON_INVALID_OPTIONS, "not JSON"),
    "JSON list": ("CreateTable", options(overrides_json="[]"), reasons.ERROR_REASON_INVALID_OPTIONS, "object"),
    "deep JSON": ("CreateTable", options(overrides_json="[" * 60_000), reasons.ERROR_REASON_INVALID_OPTIONS, "JSON"),
    "long number": (
        "CreateTable",
        options(overrides_json='{"set": ' + "9" * 5000 + "}"),
        reasons.ERROR_REASON_INVALID_OPTIONS,
        "JSON",
    ),
    "unknown key": ("CreateTable", options(overrides_json='{"no": 1}'), reasons.ERROR_REASON_INVALID_OPTIONS, "no"),
    "impossible": (
        "CreateTable",
        options(seats=3, overrides_json='{"teams": "pairs"}'),
        reasons.ERROR_REASON_INVALID_OPTIONS,
        "R-",
    ),
    "quick match": (
        "QuickMatch",
        tables.QuickMatchRequest(options=GameOptions(variant="chess")),
        reasons.ERROR_REASON_UNKNOWN_VARIANT,
        "chess",
    ),
    "code unknown": ("JoinTable", tables.JoinTableRequest(code="ZZZZ"), reasons.ERROR_REASON_TABLE_NOT_FOUND, "ZZZZ"),
    "code short": ("JoinTable", tables.JoinTableRequest(code="ABC"), reasons.ERROR_REASON_INVALID_ARGUMENT, "code"),
    "code look-alike": ("JoinTable", tables.JoinTableRequest(code="AB0C"), reasons.ERROR_REASON_INVALID_ARGUMENT, "O"),
    "start": ("StartTable", tables.StartTableRequest(table_id="t-x"), reasons.ERROR_REASON_TABLE_NOT_FOUND, "table"),
    "leave": ("LeaveTable", tables.LeaveTableRequest(table_id="t-x"), reasons.ERROR_REASON_TABLE_NOT_FOUND, "table"),
    "watch table": ("WatchTable", tables.WatchTableRequest(), reasons.ERROR_REASON_TABLE_NOT_FOUND, "table"),
    "view": ("GetView", games.GetViewRequest(game_id="g-x"), reasons.ERROR_REASON_GAME_NOT_FOUND, "g-x"),
    "watch": ("WatchGame", games.WatchGameRequest(game_id="g-x"), reasons.ERROR_REASON_GAME_NOT_FOUND, "g-x"),
    "record": ("GetRecord", games.GetRecordRequest(game_id="g-x"), reasons.ERROR_REASON_GAME_NOT_FOUND, "g-x"),
    "command": ("SubmitCommand", play("g-x"), reasons.ERROR_REASON_GAME_NOT_FOUND, "g-x"),
    "no command": ("SubmitCommand", games.SubmitCommandRequest(), reasons.ERROR_REASON_GAME_NOT_FOUND, "game"),
    "page small": ("ListGames", games.ListGamesRequest(page_size=-1), reasons.ERROR_REASON_INVALID_ARGUMENT, "100"),
    "page large": ("ListGames", games.ListGamesRequest(page_size=101), reasons.ERROR_REASON_INVALID_ARGUMENT, "100"),
}


@pytest.mark.parametrize(("method", "request_", "reason", "word"), BAD.values(), ids=BAD)
async def test_a_bad_request_is_refused_with_its_reason(
    server: ServerHere, method: str, request_: Any, reason: reasons.ErrorReason.ValueType, word: str
) -> None:
    """The status and the reason for programs; the message names what is wrong, for people."""
    got, message = await refusal_of(server.caller("p-9").call(method, request_))

    assert got == reason
    assert word in message


PROTECTED = {
    "Session": None,
    "SubmitCommand": games.SubmitCommandRequest(),
    "WatchGame": games.WatchGameRequest(),
    "GetView": games.GetViewRequest(),
    "ListGames": games.ListGamesRequest(),
    "GetRecord": games.GetRecordRequest(),
    "QuickMatch": tables.QuickMatchRequest(),
    "CreateTable": tables.CreateTableRequest(),
    "JoinTable": tables.JoinTableRequest(),
    "StartTable": tables.StartTableRequest(),
    "LeaveTable": tables.LeaveTableRequest(),
    "WatchTable": tables.WatchTableRequest(),
}


@pytest.mark.parametrize("method", PROTECTED)
async def test_who_is_not_signed_in_gets_nowhere(server: ServerHere, method: str) -> None:
    """No token, nonsense, or a token signed with another key: UNAUTHENTICATED, and what to do."""
    player = server.tokens.player(server.tokens.sign(server_player := _player()))
    assert player == server_player
    for token in (None, "", "x.y.z", "ÿ", Tokens(b"another key" * 3).sign(_player())):
        got, message = await refusal_of(server.nobody(token).call(method, PROTECTED[method]))

        assert got == reasons.ERROR_REASON_UNAUTHENTICATED
        assert "SignIn" in message
