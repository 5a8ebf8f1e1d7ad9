"""Visitors of a server: streams of every kind, opened and left in every way, also without a goodbye."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import AsyncIterator, Sequence
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import grpc
from grpc.aio import EOF

from capicua.api.v1 import game_service_pb2 as games
from capicua.api.v1 import table_service_pb2 as tables
from capicua.api.v1.player_service_pb2 import SignInRequest
from capicua.api.v1.types_pb2 import GameOptions
from capicua.runtime.loop import run
from kit.gateway import Caller
from kit.installation import Player, play

KINDS = (
    "Session",
    "Session, Watch",
    "Session, resume",
    "WatchGame",
    "WatchGame, resume",
    "QuickMatch",
    "WatchTable",
    "WatchLobby",
)
WAYS = ("cancelled", "cancelled at once", "channel closed", "process killed")
ANSWER_SECONDS = 60
_SPAWN = multiprocessing.get_context("spawn")
_OWN_CONNECTION = (("grpc.use_local_subchannel_pool", 1),)


class Guest(NamedTuple):
    """Somebody who visits: signed in, and host of a table that waits."""

    token: str
    table_id: str


class Stage(NamedTuple):
    """What there is to visit: a game that runs, and guests who may each have one stream open."""

    address: str
    game_id: str
    guests: Sequence[Guest]


def channel_to(address: str) -> grpc.aio.Channel:
    """A connection of its own."""
    return grpc.aio.insecure_channel(address, options=_OWN_CONNECTION)


async def sign_in(channel: grpc.aio.Channel, name: str) -> Player:
    """A new player."""
    signed = await Caller(channel, None).call("SignIn", SignInRequest(name=name), timeout=ANSWER_SECONDS)
    return Player(channel, signed.token, signed.player_id)


async def make_table(host: Player, options: GameOptions) -> tables.Table:
    """A private table."""
    created = await host.call("CreateTable", tables.CreateTableRequest(options=options), timeout=ANSWER_SECONDS)
    table: tables.Table = created.table
    return table


async def begin(players: Sequence[Player], target: int) -> str:
    """A game of block for these two with as much time for a turn as there may be; gives its id."""
    table = await make_table(players[0], GameOptions(variant="block", seats=2, target=target, turn_seconds=120))
    await players[1].call("JoinTable", tables.JoinTableRequest(code=table.code), timeout=ANSWER_SECONDS)
    start = tables.StartTableRequest(table_id=table.table_id)
    started = await players[0].call("StartTable", start, timeout=ANSWER_SECONDS)
    game_id: str = started.assignment.game_id
    return game_id


async def move(players: Sequence[Player], game_id: str) -> int:
    """The next move of a game; gives the seq of its last event, 0 if the game is over."""
    view = await players[0].view(game_id)
    if not view.HasField("turn"):
        return 0
    mover = players[view.turn]
    request = games.SubmitCommandRequest(command=play(await mover.view(game_id)))
    response = await mover.call("SubmitCommand", request, timeout=ANSWER_SECONDS)
    seq: int = response.seq
    return seq


class Host:
    """Prepares the stage, keeps a game going on it, and clears it away."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._channel = channel_to(address)
        self._players: list[Player] = []
        self._guests: list[tuple[Player, str]] = []
        self._game_id = ""

    async def invite(self, guests: int) -> None:
        """So many guests come."""
        for number in range(guests):
            guest = await sign_in(self._channel, f"Guest {number}")
            table = await make_table(guest, GameOptions(variant="block", seats=2))
            self._guests.append((guest, table.table_id))

    async def stage(self) -> Stage:
        """The stage after the next move of its game, or with a new game where the last one is over."""
        # A round is a game, so that games end too, and reading their logs does not cost ever more.
        if not self._game_id or not await move(self._players, self._game_id):
            self._players = [await sign_in(self._channel, name) for name in ("Ana", "Ben")]
            self._game_id = await begin(self._players, target=1)
        everybody = [Guest(guest.token, table_id) for guest, table_id in self._guests]
        return Stage(self._address, self._game_id, everybody)

    async def clear(self) -> None:
        """Give up the tables of the guests. The game plays itself to its end, or ends with the server."""
        for guest, table_id in self._guests:
            await guest.call("LeaveTable", tables.LeaveTableRequest(table_id=table_id), timeout=ANSWER_SECONDS)
        await self._channel.close()


async def visit(stage: Stage, way: str, number: int) -> None:
    """Every guest opens a stream, each of another kind, and all leave in this way; `number` counts the visits."""
    if way == "process killed":
        await asyncio.to_thread(_be_killed, stage, number)
        return
    channel = channel_to(stage.address)
    calls = _open(channel, stage, number)
    # At the first answer the other calls are anywhere on their way.
    await _answered(calls[:1] if way == "cancelled at once" else calls)
    if way != "channel closed":
        for call in calls:
            call.cancel()
    await channel.close()


def _open(channel: grpc.aio.Channel, stage: Stage, number: int) -> list[Any]:
    return [
        _stream(Caller(channel, guest.token), KINDS[(place + number) % len(KINDS)], stage.game_id, place, guest)
        for place, guest in enumerate(stage.guests)
    ]


def _stream(caller: Caller, kind: str, game_id: str, place: int, guest: Guest) -> Any:
    method, _, more = kind.partition(", ")
    seen = 1 if more == "resume" else 0
    match method:
        case "QuickMatch":
            # Each wants another game, so that no two are paired.
            wish = GameOptions(variant="block", seats=2, target=place + 1)
            return caller.call(method, tables.QuickMatchRequest(options=wish), timeout=ANSWER_SECONDS)
        case "WatchTable":
            return caller.call(method, tables.WatchTableRequest(table_id=guest.table_id), timeout=ANSWER_SECONDS)
        case "WatchLobby":
            return caller.call(method, tables.WatchLobbyRequest(), timeout=ANSWER_SECONDS)
        case "WatchGame":
            request = games.WatchGameRequest(game_id=game_id, last_seen_seq=seen)
            return caller.call(method, request, timeout=ANSWER_SECONDS)
    # An empty request is answered too, so it can be seen that the session is open.
    watch = games.Watch(game_id=game_id, last_seen_seq=seen) if more else None
    return caller.call(method, _say(games.SessionRequest(watch=watch)), timeout=ANSWER_SECONDS)


async def _say(request: games.SessionRequest) -> AsyncIterator[games.SessionRequest]:
    yield request
    await asyncio.Event().wait()


async def _answered(calls: list[Any]) -> None:
    for call in calls:
        assert await call.read() is not EOF, "the stream ended before it was answered"


def _be_killed(stage: Stage, number: int) -> None:
    ours, theirs = _SPAWN.Pipe()
    with ours, theirs:
        victim = _SPAWN.Process(target=_hold, args=(theirs, stage, number))
        victim.start()
        theirs.close()
        try:
            assert ours.recv() == len(stage.guests)
        finally:
            victim.kill()
            victim.join()
            victim.close()


def _hold(parent: Connection, stage: Stage, number: int) -> None:
    """The process that is killed while its streams are open."""

    async def hold() -> None:
        calls = _open(channel_to(stage.address), stage, number)
        await _answered(calls)
        parent.send(len(calls))
        await asyncio.Event().wait()

    run(hold())
