"""The services, each as a process of its own: what it is made of, and the order of start and stop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from capicua.api.v1.types_pb2 import Seat
from capicua.bots import run_crew
from capicua.cli import metrics
from capicua.cli.process import Process
from capicua.client import Unreachable
from capicua.game_actor.deadlines import Deadlines
from capicua.game_actor.endpoint import ActorEndpoint
from capicua.game_actor.service import GameActorService
from capicua.gateway.bind import Gateway
from capicua.gateway.tokens import Tokens
from capicua.links.directory import LOOK_SECONDS
from capicua.links.installation import Held
from capicua.links.remote_actor import RemoteActor
from capicua.links.remote_matchmaking import RemoteMatchmaking
from capicua.matchmaking.endpoint import MatchmakingEndpoint
from capicua.matchmaking.service import MatchmakingService
from capicua.runtime.ids import BOTS
from capicua.runtime.shard import SHARDS
from capicua.runtime.tls import server_credentials
from capicua.timer.remote import RemoteTimer
from capicua.timer.service import TimerService

TOKEN_SECRET = "session-tokens"
LOOK_AGAIN_SECONDS = 5.0


async def everything(process: Process) -> str:
    """All services together: what they ask of each other are function calls."""
    settings, clock, stack = process.settings, process.clock, process.stack
    timer = TimerService(clock)
    stack.callback(timer.stop)
    actor = GameActorService(process.store, timer, clock, process.archive())
    stack.push_async_callback(actor.archivist.close)
    timer.bind(actor.expire_turn)
    matchmaking = MatchmakingService(actor, process.store, clock, settings.bot_fill)
    tokens = Tokens(await process.store.secret(TOKEN_SECRET))
    server = Gateway(actor, matchmaking, process.store, tokens, clock)

    def taken(shard: int, held: Held) -> None:
        actor.shards.taken(shard, held)
        matchmaking.taken(shard, held)

    def lost(shard: int) -> None:
        actor.shards.lost(shard)
        matchmaking.lost(shard)

    show = process.probes.show
    show(partial(metrics.of_actor, actor))
    show(partial(metrics.of_gateway, server))
    show(partial(metrics.of_matchmaking, matchmaking))
    show(partial(metrics.of_timer, timer))
    leases = process.leases("", SHARDS, alone=True)
    leases.bind(taken, lost, actor.shards.give)
    await leases.start()
    stack.push_async_callback(leases.leave)
    await asyncio.gather(actor.shards.ready(), matchmaking.ready())
    stack.push_async_callback(leases.drain)
    address, inside = await _let_in(process, server)
    host, _, port = inside.rpartition(":")
    local = "127.0.0.1" if host in ("", "0.0.0.0", "[::]") else host
    all_bots = [_bot_token(tokens, number) for number in range(len(BOTS))]
    crew = asyncio.ensure_future(run_crew(f"{local}:{port}", all_bots, settings.bot_pause))
    stack.callback(crew.cancel)
    return address


async def gateway(process: Process) -> str:
    """Clients' side; holds nothing that another gateway would miss."""
    directory = await process.directory()
    actor = RemoteActor(directory, process.token)
    process.stack.callback(actor.close)
    matchmaking = RemoteMatchmaking(directory, process.token, actor)
    process.stack.callback(matchmaking.close)
    tokens = Tokens(await process.store.secret(TOKEN_SECRET))
    server = Gateway(actor, matchmaking, process.store, tokens, process.clock)
    process.probes.show(partial(metrics.of_gateway, server))
    address, inside = await _let_in(process, server)
    leases = process.leases(process.advertised(inside))
    await leases.start()
    process.stack.push_async_callback(leases.leave)
    return address


async def game_actor(process: Process) -> str:
    """The writer of its shards' games; hands them over when it is told to stop."""
    deadlines = Deadlines(process.clock, lambda due: service.expire_turn(due))
    service = GameActorService(process.store, deadlines, process.clock, process.archive())
    process.stack.push_async_callback(service.archivist.close)
    process.probes.show(partial(metrics.of_actor, service))
    process.probes.ready_when(lambda: not service.shards.loading)
    address = await process.listen(ActorEndpoint(service, deadlines).handlers)
    leases = process.leases(address, SHARDS)
    leases.bind(service.shards.taken, service.shards.lost, service.shards.give)
    await leases.start()
    process.stack.push_async_callback(leases.leave)
    process.stack.push_async_callback(leases.drain)
    return address


async def timer(process: Process) -> str:
    """Watches every deadline, beside the other timers."""
    watching = RemoteTimer(await process.directory(), process.token)
    process.stack.callback(watching.close)
    process.probes.show(partial(metrics.of_timer, watching))
    leases = process.leases("")
    await leases.start()
    process.stack.push_async_callback(leases.leave)
    return ""


async def matchmaking(process: Process) -> str:
    """Keeper of its share of tables, and one of them of all tickets."""
    actor = RemoteActor(await process.directory(), process.token)
    process.stack.callback(actor.close)
    service = MatchmakingService(actor, process.store, process.clock, process.settings.bot_fill)
    process.probes.show(partial(metrics.of_matchmaking, service))
    address = await process.listen(MatchmakingEndpoint(service).handlers)
    leases = process.leases(address, SHARDS)
    leases.bind(service.taken, service.lost, service.give)
    service.trust(leases.sure)
    await leases.start()
    process.stack.push_async_callback(leases.leave)
    process.stack.push_async_callback(leases.drain)
    return address


async def bots(process: Process) -> str:
    """Its share of the bots, each a client of whichever gateways there are."""
    directory = await process.directory()
    tokens = Tokens(await process.store.secret(TOKEN_SECRET))
    playing: dict[int, asyncio.Task[None]] = {}

    async def play(number: int) -> None:
        token = _bot_token(tokens, number)
        while True:
            gateways = directory.installation.of("gateway").values()
            addresses = ",".join(sorted(member.address for member in gateways))
            if not addresses:
                await asyncio.sleep(LOOK_SECONDS)
                continue
            try:
                await run_crew(addresses, [token], process.settings.bot_pause, patience=LOOK_AGAIN_SECONDS)
            except* Unreachable:
                # Gateways come and go: those of a while ago may all be others now.
                await asyncio.sleep(1)

    def taken(number: int, _: Held) -> None:
        playing[number] = asyncio.ensure_future(play(number))

    def lost(number: int) -> None:
        if task := playing.pop(number, None):
            task.cancel()

    async def give(numbers: set[int]) -> None:
        for number in numbers:
            lost(number)

    leases = process.leases("", len(BOTS))
    leases.bind(taken, lost, give)
    await leases.start()
    process.stack.push_async_callback(leases.leave)
    process.stack.push_async_callback(leases.drain)
    return ""


async def _let_in(process: Process, server: Gateway) -> tuple[str, str]:
    """Listen for clients; gives the address, and the one at which our own bots speak without TLS."""
    settings = process.settings
    credentials = server_credentials(settings.tls_cert, settings.tls_key)
    address = await server.listen(settings.listen, credentials)
    # A bot finds the gateway by an address, which no certificate names.
    inside = address if credentials is None else await server.listen(settings.internal)
    await server.start()
    process.stack.push_async_callback(server.stop)
    return address, inside


def _bot_token(tokens: Tokens, number: int) -> str:
    player_id, name = BOTS[number]
    return tokens.sign(Seat(player_id=player_id, name=name, bot=True))


ROLES: dict[str, Callable[[Process], Awaitable[str]]] = {
    "gateway": gateway,
    "matchmaking": matchmaking,
    "game-actor": game_actor,
    "timer": timer,
    "bots": bots,
}
