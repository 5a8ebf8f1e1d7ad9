"""The clients that a newcomer is shown play whole games against a real server, over a network that breaks."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path

import pytest

from capicua.api.v1.update_pb2 import Update
from capicua.cli.torture.proxy import Proxy
from capicua.client import connect
from capicua.store.memory_store import MemoryStore
from kit.gateway import server_here
from kit.server import ServerProcess

EXAMPLES = Path(__file__).parents[2] / "examples"
PYTHON = [sys.executable, str(EXAMPLES / "python" / "first_legal.py")]
TYPESCRIPT = EXAMPLES / "typescript"
TROUBLES = (10, 25)
"""Seqs of a game at which the example loses its connection: every game is longer."""

pytestmark = [pytest.mark.xdist_group("examples"), pytest.mark.timeout(240)]


def npm(*arguments: str) -> None:
    """Run npm in the example; skips the test where no registry can be reached, fails where npm does."""
    done = subprocess.run(["npm", *arguments], cwd=TYPESCRIPT, capture_output=True, text=True, check=False)
    if done.returncode and re.search("ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH", done.stderr):
        pytest.skip("no npm registry can be reached")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def node() -> list[str]:
    """The example in TypeScript, built as its README line says."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("there is no node and npm")
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    if int(version[1:].partition(".")[0]) < 20:
        pytest.skip(f"the example needs node 20 or newer, not {version}")
    installed = TYPESCRIPT / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < (TYPESCRIPT / "package-lock.json").stat().st_mtime:
        npm("ci")
    npm("run", "generate")
    npm("run", "build")
    return ["node", str(TYPESCRIPT / "dist" / "main.js")]


@pytest.fixture
def command(request: pytest.FixtureRequest) -> list[str]:
    """How an example is run, without the address of the server."""
    return PYTHON if request.param == "python" else request.getfixturevalue("node")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server."""
    with ServerProcess(tmp_path_factory.mktemp("data")) as process:
        yield process.address


both = pytest.mark.parametrize("command", ["python", "typescript"], indirect=True)


async def said(command: list[str], server: str) -> str:
    """What an example prints; AssertionError if it fails."""
    process = await asyncio.create_subprocess_exec(
        *command, server, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    try:
        out, err = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, out.decode() + err.decode()
    assert err == b""
    return out.decode()


def result(printed: str) -> tuple[str, list[int]]:
    """What it says last: won or lost, and the scores."""
    how, _, scores = printed.strip().splitlines()[-1].partition(" ")
    return how, [int(score) for score in re.findall(r"\d+", scores)]


@both
async def test_an_example_plays_to_the_end(command: list[str], server: str) -> None:
    """Given nobody else, bots sit down, and the game ends with a score at its target."""
    how, scores = result(await said(command, server))

    assert how in ("won", "lost")
    assert max(scores) >= 100


async def play_against(
    command: list[str], server: str, way: str, trouble: Callable[[], Awaitable[object]], at: Sequence[int]
) -> str:
    """Play a game to its end against an example that goes `way`, with trouble `at` some seqs; gives what it printed.

    The server has played for nobody, and both have seen the same end.
    """
    troubles, expired = list(at), 0
    async with connect(server, name="Ben") as ben, asyncio.TaskGroup() as tasks:
        example = tasks.create_task(said(command, way))
        seat = await ben.quick_match("block")
        game = await ben.watch(seat.game_id)
        async for item in game:
            expired += isinstance(item, Update) and item.tile_played.expired
            if game.my_turn:
                if troubles and game.view.seq >= troubles[0]:
                    troubles.pop(0)
                    await trouble()
                await game.play(game.view.legal[0].tile, game.view.legal[0].end)

    how, scores = result(example.result())
    assert (troubles, expired) == ([], 0)
    assert scores == list(game.view.scores)
    assert how == ("lost" if game.view.winner_side == game.seat else "won")
    return example.result()


@both
async def test_an_example_comes_back_after_a_cut(command: list[str]) -> None:
    """Given its connection breaks in the middle of a frame, twice, the example misses no turn and sees the end."""
    async with server_here(MemoryStore()) as here:
        proxy = Proxy(here.address)
        await proxy.start()

        async def cut() -> None:
            assert proxy.cut() == 1

        printed = await play_against(command, here.address, proxy.address, cut, TROUBLES)
        proxy.stop()
    if "node" in command:
        assert printed.count("connection lost: on from seq") == len(TROUBLES)


async def test_an_example_outlives_the_server(node: list[str], tmp_path: Path) -> None:
    """Given a server that is killed and started again, the example asks until it is there (I-5)."""
    with ServerProcess(tmp_path, ["--log-format", "json", "--bot-fill", "60"]) as server:

        async def restart() -> None:
            server.kill()
            await asyncio.to_thread(server.start)

        printed = await play_against(node, server.address, server.address, restart, TROUBLES[:1])
    assert "connection lost: on from seq" in printed
