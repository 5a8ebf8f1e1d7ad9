"""`capicua serve`: every service in one process."""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import signal
import socket
import sys
from contextlib import AsyncExitStack
from dataclasses import fields
from pathlib import Path

import structlog

from capicua.api.v1.types_pb2 import Seat
from capicua.bots import run_crew
from capicua.game_actor.service import GameActorService
from capicua.gateway.bind import Gateway
from capicua.gateway.tokens import Tokens
from capicua.matchmaking.service import MatchmakingService
from capicua.runtime.clock import StoreClock
from capicua.runtime.embedded_store import EmbeddedStore
from capicua.runtime.ids import BOTS
from capicua.runtime.installation import SHARDS
from capicua.runtime.leases import Leases
from capicua.runtime.logs import set_up_logs
from capicua.runtime.loop import run as run_loop
from capicua.runtime.redis_store import open_store
from capicua.runtime.settings import ServeSettings, add_arguments, data_folder
from capicua.runtime.store import StoreUnavailable
from capicua.timer.service import TimerService

logger = structlog.get_logger()


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "serve",
        help="run the server: every service in one process",
        description="Runs gateway, matchmaking, game-actor, timer and bots in one process, on an embedded store "
        "or on one of your own. Stops on Ctrl-C or SIGTERM; started again, every game goes on where it was.",
        epilog="example: capicua serve --listen 0.0.0.0:7600 --log-format json",
    )
    add_arguments(parser, ServeSettings)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until told to stop."""
    settings = ServeSettings(**{item.name: getattr(arguments, item.name) for item in fields(ServeSettings)})
    set_up_logs(settings.log_format, settings.log_level)
    try:
        run_loop(serve(settings))
    except (OSError, RuntimeError, ValueError, StoreUnavailable) as failure:
        print(f"capicua serve: {failure}", file=sys.stderr)
        return 1
    return 0


async def serve(settings: ServeSettings) -> None:
    """Start everything in order, stop it in reverse. The first line on standard output says where it listens."""
    stopping = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    async with AsyncExitStack() as stack:
        url, owner = settings.store, f"{socket.gethostname()}:{os.getpid()}"
        if not url:
            # The lock on the folder has shown that no other process is left, so nobody need be waited for.
            owner = "embedded"
            folder = Path(settings.data or data_folder())
            url = await stack.enter_async_context(EmbeddedStore(folder, settings.durability))
        store = await open_store(url)
        stack.push_async_callback(store.close)
        clock = StoreClock()
        leases = Leases(store, clock, role="game-actor", name=owner, address="", shards=SHARDS, alone=True)

        timer = TimerService(clock)
        stack.callback(timer.stop)
        actor = GameActorService(store, timer, clock)
        timer.bind(actor.expire_turn)
        matchmaking = MatchmakingService(actor, clock, settings.bot_fill)
        tokens = Tokens(await store.secret("session-tokens"))
        gateway = Gateway(actor, matchmaking, tokens, clock)
        leases.bind(actor.shards.taken, actor.shards.lost, actor.shards.give)
        await leases.start()
        stack.push_async_callback(leases.leave)
        await actor.shards.ready()
        stack.push_async_callback(leases.drain)
        port = await gateway.start(settings.listen)
        stack.push_async_callback(gateway.stop)
        crew = asyncio.ensure_future(run_crew(_local(settings.listen, port), _bot_tokens(tokens), settings.bot_pause))
        stack.callback(crew.cancel)

        # What was made at the start lives to the end: a full collection over it would only pause play.
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 20, 100)
        host = settings.listen.rpartition(":")[0]
        print(json.dumps({"listening": f"{host}:{port}"}), flush=True)
        logger.info("listening", address=f"{host}:{port}", epoch=leases.held[0].epoch)
        await asyncio.wait([asyncio.ensure_future(stopping.wait()), crew], return_when=asyncio.FIRST_COMPLETED)
        logger.info("stopping")


def _local(listen: str, port: int) -> str:
    host = listen.rpartition(":")[0]
    return f"{'127.0.0.1' if host in ('', '0.0.0.0', '[::]') else host}:{port}"


def _bot_tokens(tokens: Tokens) -> list[str]:
    return [tokens.sign(Seat(player_id=player_id, name=name, bot=True)) for player_id, name in BOTS]
