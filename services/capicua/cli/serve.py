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
from contextlib import AsyncExitStack, nullcontext
from dataclasses import fields
from pathlib import Path

import structlog

from capicua.cli.process import Process
from capicua.cli.roles import ROLES, everything
from capicua.runtime.ids import new_id
from capicua.runtime.logs import set_up_logs
from capicua.runtime.loop import run as run_loop
from capicua.runtime.probes import Probes
from capicua.runtime.settings import ServeSettings, add_arguments, data_folder
from capicua.runtime.threads import unhurried
from capicua.store.embedded_store import EmbeddedStore
from capicua.store.redis_store import open_store
from capicua.store.store import StoreUnavailable

logger = structlog.get_logger()


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "serve",
        help="run the server: every service in one process, or one of many",
        description="Runs gateway, matchmaking, game-actor, timer and bots in one process, on an embedded store "
        "or on one of your own; or one of them, beside any number of each on the same store. Stops on Ctrl-C or "
        "SIGTERM, and hands its games over; started again, every game goes on where it was.",
        epilog="example: capicua serve --listen 0.0.0.0:7600 --log-format json, or "
        "capicua serve game-actor --store redis://store:6379",
    )
    parser.add_argument("role", nargs="?", choices=tuple(ROLES), help="the service (default: all of them)")
    add_arguments(parser, ServeSettings)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until told to stop."""
    settings = ServeSettings(**{item.name: getattr(arguments, item.name) for item in fields(ServeSettings)})
    set_up_logs(settings.log_format, settings.log_level)
    if arguments.role and not settings.store:
        print(f"capicua serve {arguments.role}: needs the store of all processes: --store redis://…", file=sys.stderr)
        return 2
    # One of many processes that wake each other leaves it to the system when to go from one to the next (ADR 4).
    turns = unhurried() if arguments.role else nullcontext()
    try:
        with turns:
            run_loop(serve(settings, arguments.role or ""))
    except (OSError, RuntimeError, ValueError, StoreUnavailable) as failure:
        print(f"capicua serve: {failure}", file=sys.stderr)
        return 1
    return 0


async def serve(settings: ServeSettings, role: str = "") -> None:
    """Start everything in order, stop it in reverse. The first line on standard output says where it listens."""
    stopping = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    async with AsyncExitStack() as stack:
        probes, started = Probes(), asyncio.Event()
        probes.ready_when(lambda: started.is_set() and not stopping.is_set())
        said: dict[str, str] = {}
        if settings.metrics:
            host = settings.metrics.rpartition(":")[0]
            said["metrics"] = f"{host}:{probes.start(settings.metrics)}"
            stack.push_async_callback(probes.stop)
        name = f"{role or 'server'}-{socket.gethostname()}-{os.getpid()}-{new_id('', 4)[1:]}"
        url = settings.store
        if not url:
            # The lock on the folder has shown that no other process is left, so nobody need be waited for.
            name = "embedded"
            folder = Path(settings.data or data_folder())
            url = await stack.enter_async_context(EmbeddedStore(folder, settings.durability))
        store = await open_store(url, settings.replicas)
        stack.push_async_callback(store.close)
        process = Process(role or "game-actor", settings, store, await store.secret("link"), stack, probes, name)
        address = await (ROLES[role] if role else everything)(process)

        # What was made at the start lives to the end: a full collection over it would only pause play.
        gc.collect()
        gc.freeze()
        # gRPC leaves a cycle of six objects for each call. Half a millisecond is spent on a collection of so many, and
        # what was open during several of them is found too, before it comes to much.
        gc.set_threshold(10_000, 10, 10)
        started.set()
        print(json.dumps({"listening": address, **said}), flush=True)
        logger.info("listening", role=role or "everything", address=address, name=name)
        await stopping.wait()
        logger.info("stopping")
