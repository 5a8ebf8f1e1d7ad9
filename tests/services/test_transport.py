"""I-10, over real gRPC: every bad input gets its typed refusal, and the server goes on serving."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from functools import reduce
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import Descriptor
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1 import game_service_pb2 as games
from capicua.api.v1 import player_service_pb2 as players
from capicua.api.v1 import rating_service_pb2 as ratings
from capicua.api.v1 import table_service_pb2 as tables
from capicua.api.v1.types_pb2 import GameOptions, Play, Seat, Tile
from capicua.api.v1.update_pb2 import Frame
from capicua.gateway.tokens import Tokens
from capicua.runtime.refusals import STATUS
from capicua.runtime.transport import MAX_REQUEST_BYTES
from capicua.store.memory_store import MemoryStore
from kit.eventually import eventually
from kit.gateway import Caller, ServerHere, reason_of, server_here


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
        await _end_of(call)
    code, reason = reason_of(failure.value)
    assert code == STATUS[reason]
    return reason, failure.value.details() or ""


async def _end_of(call: Any) -> None:
    if not hasattr(call, "read"):
        await call
    while await call.read() is not grpc.aio.EOF:
        pass


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
    "deep JSON": ("CreateTable", options(overrides_json="[" * 2000), reasons.ERROR_REASON_INVALID_OPTIONS, "JSON"),
    "much JSON": ("CreateTable", options(overrides_json="[" * 2001), reasons.ERROR_REASON_INVALID_OPTIONS, "2000"),
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


def requests_with(text: str) -> Iterator[tuple[str, Any]]:
    """Every request but sessions, once for each of its texts, however deep, with `text` there."""
    for module in (players, tables, games, ratings):
        for service in module.DESCRIPTOR.services_by_name.values():
            for method in service.methods:
                kind = GetMessageClass(method.input_type)
                for path in [] if method.client_streaming else texts_of(method.input_type):
                    request: Any = kind()
                    inner = reduce(getattr, path[:-1], request)
                    setattr(inner, path[-1], text)
                    yield method.name, request


def texts_of(message: Descriptor) -> Iterator[tuple[str, ...]]:
    """The ways to all fields of a message that are texts."""
    for field in message.fields:
        if field.type == field.TYPE_STRING:
            yield (field.name,)
        elif field.message_type:
            yield from ((field.name, *rest) for rest in texts_of(field.message_type))


@pytest.mark.parametrize("text", ["\U0001f600" * 16_000, "\0" * 60_000, '{"\\ud800": "\\ud800"}', '{"set": 1e999}'])
async def test_no_text_is_too_much_for_a_refusal(server: ServerHere, text: str) -> None:
    """Given any text of any request, long or odd: an answer or a refusal with its reason, which is no mistake of ours,
    comes through, whatever of the text it echoes (I-10).
    """
    refused = []
    for number, (method, request) in enumerate(requests_with(text)):
        call = server.caller(f"p-{number}").call(method, request)
        try:
            await (call.read() if hasattr(call, "read") else call)
        except grpc.aio.AioRpcError as failure:
            refused.append(reason_of(failure)[1])
        call.cancel()

    assert reasons.ERROR_REASON_INVALID_OPTIONS in refused
    assert reasons.ERROR_REASON_INTERNAL not in refused


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
    "Rematch": tables.RematchRequest(),
    "ListTables": tables.ListTablesRequest(),
    "WatchLobby": tables.WatchLobbyRequest(),
    "GetRating": ratings.GetRatingRequest(),
    "ListLeaderboard": ratings.ListLeaderboardRequest(),
}


@pytest.mark.parametrize("method", PROTECTED)
async def test_who_is_not_signed_in_gets_nowhere(server: ServerHere, method: str) -> None:
    """No token, nonsense, or a token signed with another key: UNAUTHENTICATED, and what to do."""
    player = Seat(player_id="p-1", name="Ana")
    for token in (None, "", "x.y.z", Tokens(b"another key").sign(player), server.tokens.sign(player)[:-1]):
        got, message = await refusal_of(server.nobody(token).call(method, PROTECTED[method]))

        assert got == reasons.ERROR_REASON_UNAUTHENTICATED
        assert "SignIn" in message


async def test_a_full_table_and_a_guest_s_start_are_refused(server: ServerHere) -> None:
    """Who sits already may join again; who comes too late may not; only the host starts."""
    host, guest, late = (server.caller(f"p-{name}") for name in ("host", "guest", "late"))
    table = (await host.call("CreateTable", options(variant="block", seats=2))).table
    join = tables.JoinTableRequest(code=f" {table.code.lower()} ")
    start = tables.StartTableRequest(table_id=table.table_id)
    assert [(await guest.call("JoinTable", join)).seat for _ in range(2)] == [1, 1]

    assert (await refusal_of(late.call("JoinTable", join)))[0] == reasons.ERROR_REASON_TABLE_FULL
    assert (await refusal_of(late.call("StartTable", start)))[0] == reasons.ERROR_REASON_TABLE_NOT_FOUND
    assert (await refusal_of(guest.call("StartTable", start)))[0] == reasons.ERROR_REASON_NOT_HOST
    started = [(await host.call("StartTable", start)).assignment for _ in range(2)]
    assert started[0] == started[1]
    assert (await refusal_of(late.call("JoinTable", join)))[0] == reasons.ERROR_REASON_TABLE_STARTED
    again = await guest.call("JoinTable", join)
    assert (again.seat, again.table.game_id) == (1, started[0].game_id)


async def test_a_running_game_refuses_what_it_must(server: ServerHere) -> None:
    """Each malformed or misplaced command has its reason; the record, which names every hand, is not shown."""
    game_id = await server.actor.start("block", 2)
    view = await server.actor.view("", game_id)
    turn, seq = view.turn, view.seq
    mover, other, stranger = (server.caller(name) for name in (f"p-{turn}", f"p-{1 - turn}", "p-9"))
    nowhere = games.PlayTile(play=Play(tile=Tile(high=6, low=6), end="Z"))
    cases: list[tuple[Caller, str, Any, reasons.ErrorReason.ValueType]] = [
        (stranger, "SubmitCommand", play(game_id, expected_seq=seq), reasons.ERROR_REASON_NOT_SEATED),
        (other, "SubmitCommand", play(game_id, expected_seq=seq), reasons.ERROR_REASON_NOT_YOUR_TURN),
        (mover, "SubmitCommand", play(game_id, expected_seq=seq - 1), reasons.ERROR_REASON_STALE_SEQ),
        (mover, "SubmitCommand", play(game_id, expected_seq=seq + 1), reasons.ERROR_REASON_STALE_SEQ),
        (mover, "SubmitCommand", play(game_id, request_id=""), reasons.ERROR_REASON_INVALID_ARGUMENT),
        (mover, "SubmitCommand", play(game_id, request_id="x" * 65), reasons.ERROR_REASON_INVALID_ARGUMENT),
        (mover, "SubmitCommand", play(game_id, play_tile=None), reasons.ERROR_REASON_INVALID_ARGUMENT),
        (mover, "SubmitCommand", play(game_id, play_tile=games.PlayTile()), reasons.ERROR_REASON_INVALID_ARGUMENT),
        (mover, "SubmitCommand", _tile(game_id, 13, 0), reasons.ERROR_REASON_INVALID_ARGUMENT),
        (mover, "SubmitCommand", _tile(game_id, 2, 5), reasons.ERROR_REASON_INVALID_ARGUMENT),
        (mover, "SubmitCommand", _tile(game_id, 12, 12, seq), reasons.ERROR_REASON_TILE_NOT_IN_HAND),
        (mover, "GetRecord", games.GetRecordRequest(game_id=game_id), reasons.ERROR_REASON_GAME_RUNNING),
    ]
    for caller, method, request, reason in cases:
        assert (await refusal_of(caller.call(method, request)))[0] == reason, request
    for move in ({"play_tile": nowhere}, {"draw_tile": games.DrawTile()}, {"pass_turn": games.PassTurn()}):
        got, _ = await refusal_of(mover.call("SubmitCommand", _move(game_id, seq, **move)))
        assert STATUS[got] is grpc.StatusCode.FAILED_PRECONDITION

    assert (await server.actor.view("", game_id)).seq == seq


def _tile(game_id: str, high: int, low: int, seq: int = 0) -> games.SubmitCommandRequest:
    return _move(game_id, seq, play_tile=games.PlayTile(play=Play(tile=Tile(high=high, low=low), end="-")))


def _move(game_id: str, seq: int, **move: Any) -> games.SubmitCommandRequest:
    command = games.Command(game_id=game_id, request_id="r", expected_seq=seq, **move)
    return games.SubmitCommandRequest(command=command)


async def test_bytes_that_are_no_message_are_refused(server: ServerHere) -> None:
    """On a call with one request, on one with a stream of answers, and on a session."""
    caller, garbage = server.caller("p-1"), b"\xff" * 100
    for kind, path in (
        ("unary_unary", "PlayerService/SignIn"),
        ("unary_unary", "GameService/GetView"),
        ("unary_stream", "GameService/WatchGame"),
    ):
        call = getattr(server.channel, kind)(f"/capicua.api.v1.{path}")(garbage, metadata=caller.metadata)
        got, message = await refusal_of(call)
        assert got == reasons.ERROR_REASON_INVALID_ARGUMENT
        assert "Request" in message

    session: Any = server.channel.stream_stream("/capicua.api.v1.GameService/Session")(metadata=caller.metadata)
    await session.write(garbage)
    assert (await refusal_of(session))[0] == reasons.ERROR_REASON_INVALID_ARGUMENT


async def test_a_message_over_the_limit_is_not_read(server: ServerHere) -> None:
    """The wire itself refuses it, before anybody parses it."""
    request = players.SignInRequest(name="x" * MAX_REQUEST_BYTES)
    with pytest.raises(grpc.aio.AioRpcError) as failure:
        await server.nobody().call("SignIn", request)

    assert failure.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_an_unknown_method_is_unimplemented(server: ServerHere) -> None:
    """A client newer than the server is told so."""
    cheat: Any = server.channel.unary_unary("/capicua.api.v1.GameService/Cheat")
    with pytest.raises(grpc.aio.AioRpcError) as failure:
        await cheat(b"")

    assert failure.value.code() is grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize(
    "words", [b"\x00" * 4096, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\xff"]
)
async def test_garbage_on_the_port_is_hung_up_on(server: ServerHere, words: bytes) -> None:
    """Whatever speaks there without gRPC; the fixture proves that the server goes on."""
    host, _, port = server.address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(words)
    writer.write_eof()
    async with asyncio.timeout(5):
        while await reader.read(65536):
            pass
    writer.close()
    await writer.wait_closed()


async def test_a_session_says_what_it_could_not_do_and_goes_on(server: ServerHere) -> None:
    """An empty request and an unknown game are noticed; the same session then plays."""
    game_id = await server.actor.start("block", 2)
    session = server.caller("p-0").call("Session")
    assert (await frame(session)).seat_assigned.game_id == game_id
    await session.write(games.SessionRequest())
    assert (await frame(session)).notice.refusal.reason == reasons.ERROR_REASON_INVALID_ARGUMENT
    await session.write(games.SessionRequest(watch=games.Watch(game_id="g-x")))
    notice = (await frame(session)).notice
    assert (notice.game_id, notice.refusal.reason) == ("g-x", reasons.ERROR_REASON_GAME_NOT_FOUND)
    await session.write(games.SessionRequest(command=_tile(game_id, 13, 13).command))
    answer = (await frame(session)).answer
    assert (answer.request_id, answer.refused.reason) == ("r", reasons.ERROR_REASON_INVALID_ARGUMENT)
    await session.write(games.SessionRequest(watch=games.Watch(game_id=game_id)))

    assert (await frame(session)).reset.view.game_id == game_id
    session.cancel()


async def frame(session: Any) -> Frame:
    """The next frame, alone in its message."""
    message = await session.read()
    assert len(message.frames) == 1
    return message.frames[0]  # type: ignore[no-any-return]


async def test_the_newer_session_wins(server: ServerHere) -> None:
    """The older one is told so, and its end leaves the newer one alone."""
    game_id = await server.actor.start("block", 2)
    caller = server.caller("p-0")
    older = caller.call("Session")
    await frame(older)
    newer = caller.call("Session")
    await frame(newer)
    assert (await refusal_of(older))[0] == reasons.ERROR_REASON_SUPERSEDED
    await newer.write(games.SessionRequest(watch=games.Watch(game_id=game_id)))
    assert (await frame(newer)).HasField("reset")
    await server.actor.play(game_id, 1)

    assert (await newer.read()).frames[0].update.HasField("tile_played")
    newer.cancel()


async def test_a_newer_quick_match_wins(server: ServerHere) -> None:
    """A player waits in one queue only."""
    caller, request = server.caller("p-0"), tables.QuickMatchRequest()
    older = caller.call("QuickMatch", request)
    await older.read()
    newer = caller.call("QuickMatch", request)
    assert (await newer.read()).waiting.waiting == 1
    assert (await refusal_of(older))[0] == reasons.ERROR_REASON_SUPERSEDED
    newer.cancel()


async def test_a_reader_that_does_not_read_is_cut_and_nobody_else_waits(server: ServerHere) -> None:
    """Past its bound it gets RESYNC; meanwhile a spectator of the same game sees each move at once."""
    game_id = await server.actor.start("block", 2)
    watch = games.Watch(game_id=game_id)
    spectator = server.caller("p-9").call("WatchGame", games.WatchGameRequest(game_id=game_id))
    await spectator.read()
    # Without probing for bandwidth the wire holds 64 KiB, the rest waits at the server.
    async with grpc.aio.insecure_channel(server.address, options=[("grpc.http2.bdp_probe", 0)]) as channel:
        slow = Caller(channel, server.tokens.sign(Seat(player_id="p-0"))).call("Session")
        for _ in range(4000):
            await slow.write(games.SessionRequest(watch=watch))
        await server.actor.play(game_id, 1)
        assert (await spectator.read()).frames[0].update.HasField("tile_played")
        assert (await refusal_of(slow))[0] == reasons.ERROR_REASON_RESYNC
    spectator.cancel()


class HeldStore(MemoryStore):
    """Appends, but says so only when let."""

    def __init__(self) -> None:
        super().__init__()
        self.held: list[asyncio.Future[None]] | None = None

    def append(self, game_id: str, first_seq: int, entry: bytes) -> asyncio.Future[None]:
        """Write an entry; the answer waits while answers are held."""
        done = super().append(game_id, first_seq, entry)
        if self.held is None:
            return done
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.held.append(waiting)
        return waiting


async def test_a_client_that_hangs_up_while_its_move_is_stored_harms_nobody() -> None:
    """I-1: given a session or a call that is gone when the store answers, the game goes on for the others."""
    store = HeldStore()
    async with server_here(store) as server:
        game_id = await server.actor.start("block", 2)
        for gone in (_by_session, _by_call):
            player_id, command = await server.actor.next_command(game_id, gone.__name__)
            held: list[asyncio.Future[None]] = []
            store.held = held
            call = await gone(server.caller(player_id), command)
            await eventually(lambda held=held: len(held) == 1)  # type: ignore[misc]
            call.cancel()
            await server.caller("p-9").call("ListGames", games.ListGamesRequest())
            store.held = None
            held[0].set_result(None)
            assert (await server.actor.submit(player_id, command)).HasField("accepted")
            assert await server.actor.play(game_id, 1, first=len(gone.__name__)) == 1


async def _by_session(caller: Caller, command: games.Command) -> Any:
    session = caller.call("Session")
    await session.write(games.SessionRequest(command=command))
    return session


async def _by_call(caller: Caller, command: games.Command) -> Any:
    return caller.call("SubmitCommand", games.SubmitCommandRequest(command=command))


async def test_streams_end_when_the_server_stops() -> None:
    """Stopping does not wait for clients: each is told to come back, and is let go at once."""
    async with asyncio.timeout(2), server_here(MemoryStore()) as server:
        game_id = await server.actor.start("block", 2)
        streams = [
            server.caller("p-0").call("Session"),
            server.caller("p-9").call("WatchGame", games.WatchGameRequest(game_id=game_id)),
            server.caller("p-8").call("QuickMatch", tables.QuickMatchRequest()),
        ]
        for stream in streams:
            await stream.read()
        await server.stop()
        for stream in streams:
            assert (await refusal_of(stream))[0] == reasons.ERROR_REASON_UNAVAILABLE


async def test_health_and_reflection_answer(server: ServerHere) -> None:
    """Probes and grpcurl need no token."""
    health: Any = health_pb2_grpc.HealthStub(server.channel)
    for name in ("", "capicua.api.v1.GameService"):
        answer = await health.Check(health_pb2.HealthCheckRequest(service=name))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING

    reflection: Any = reflection_pb2_grpc.ServerReflectionStub(server.channel)
    call = reflection.ServerReflectionInfo(iter([reflection_pb2.ServerReflectionRequest(list_services="")]))
    services = {service.name for service in (await call.read()).list_services_response.service}
    assert {f"capicua.api.v1.{name}Service" for name in ("Player", "Table", "Game")} < services
    call.cancel()
