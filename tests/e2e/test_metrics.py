"""What operators see of real server processes, and that the documentation tells what it means."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.request import urlopen

import pytest
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from capicua.bots import play
from capicua.cli.roles import ROLES
from capicua.client import Refused, connect
from kit.server import ServerProcess
from kit.stores import real_store

OPERATIONS = Path(__file__).parents[2] / "docs" / "operations.md"
METRICS = ["--metrics", "127.0.0.1:0"]


def get(server: ServerProcess, path: str) -> str:
    """What it answers; HTTPError if that is not 200."""
    with urlopen(f"http://{server.metrics}{path}", timeout=10) as answer:
        return str(answer.read().decode())


def families(server: ServerProcess) -> list[Metric]:
    """Our own metrics."""
    read = text_string_to_metric_families(get(server, "/metrics"))
    return [family for family in read if family.name.startswith("capicua")]


def figures(server: ServerProcess) -> dict[tuple[str, ...], float]:
    """The same, each figure by its name and the values of its labels."""
    samples = (sample for family in families(server) for sample in family.samples)
    return {(sample.name, *sample.labels.values()): sample.value for sample in samples}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Every service in one process."""
    with ServerProcess(tmp_path_factory.mktemp("server"), [*METRICS, "--bot-fill", "60"]) as running:
        yield running


async def test_a_game_shows_in_the_metrics(server: ServerProcess) -> None:
    """Sessions, tickets, games, commands and refusals are counted where they are."""
    async with connect(server.address, name="Ana") as ana, connect(server.address, name="Beto") as beto:
        waiting = asyncio.Event()
        wish = asyncio.ensure_future(ana.quick_match("block", seats=2, waiting=lambda _: waiting.set()))
        await waiting.wait()
        queued = figures(server)
        seats = await asyncio.gather(wish, beto.quick_match("block", seats=2))
        games = [await guest.watch(seats[0].game_id) for guest in (ana, beto)]
        running = figures(server)
        await asyncio.gather(*map(play, games))
        with pytest.raises(Refused):
            await ana.join_table("AAAA")
        over = figures(server)

    assert queued["capicua_tickets",] == 1
    assert (running["capicua_tickets",], running["capicua_games",], running["capicua_viewers",]) == (0, 1, 2)
    assert running["capicua_deadlines",] == 1
    assert running["capicua_sessions",] == queued["capicua_sessions",] + 2
    assert over["capicua_games",] == 0
    assert over["capicua_moves_total",] == over["capicua_append_seconds_count",] > 5
    assert over["capicua_commands_total", "PlayTile", "ACCEPTED"] > 5
    assert over["capicua_command_seconds_count",] >= over["capicua_moves_total",]
    assert over["capicua_calls_refused_total", "JoinTable", "TABLE_NOT_FOUND"] == 1


async def test_every_service_is_ready_and_its_metrics_are_told(tmp_path: Path) -> None:
    """Each service alone: together they show what operations.md tells, no more and no less."""
    async with real_store(tmp_path) as url, AsyncExitStack() as stack:
        servers = {}
        for role in ROLES:
            (folder := tmp_path / role).mkdir()
            servers[role] = ServerProcess(folder, [role, "--store", url, *METRICS])
            stack.callback(servers[role].__exit__)
        await asyncio.gather(*(asyncio.to_thread(server.start) for server in servers.values()))
        ready = [get(server, "/readyz") for server in servers.values()]
        shown = {role: figures(server) for role, server in servers.items()}
        names = {
            f"{family.name}_total" if family.type == "counter" else family.name
            for server in servers.values()
            for family in families(server)
        }

    told = {line.split("`")[1] for line in OPERATIONS.read_text().splitlines() if line.startswith("| `capicua_")}
    assert names == told
    assert [seen["capicua_store_connected",] for seen in shown.values()] == [1] * len(ROLES)
    assert shown["game-actor"]["capicua_shards", "game-actor"] == 256
    assert ready == ["ready\n"] * len(ROLES)
