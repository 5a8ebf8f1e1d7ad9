"""The clients that a newcomer is shown play whole games against a real server, over a network that breaks."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path

import pytest

from capicua.api.v1.update_pb2 import Update
from capicua.cli.torture.proxy import Proxy
from capicua.client import connect
from capicua.store.memory_store import MemoryStore
from kit.gateway import server_here
from kit.server import ServerProcess

ROOT = Path(__file__).parents[2]
PYTHON = [sys.executable, str(ROOT / "examples" / "python" / "first_legal.py")]
TROUBLES = (10, 25)
"""Seqs of a game at which the example loses its connection: every game is longer."""


def npm(folder: Path, *arguments: str) -> None:
    """Run npm; skips the test where no registry can be reached, fails where npm does."""
    done = subprocess.run(["npm", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode and re.search("ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH", done.stderr):
        pytest.skip("no npm registry can be reached")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def typescript() -> Iterator[list[str]]:
    """How the example in TypeScript is run, built as docs/clients.md says, in a folder of its own."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("there is no node and npm")
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    if int(version[1:].partition(".")[0]) < 20:
        pytest.skip(f"the example needs node 20 or newer, not {version}")
    # Not under tmp_path: that is kept for some runs, and the packages are large.
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "examples" / "typescript"
        made = shutil.ignore_patterns("node_modules", "gen", "dist")
        shutil.copytree(ROOT / "examples" / "typescript", folder, ignore=made)
        shutil.copytree(ROOT / "protos", Path(temporary) / "protos", ignore=made)
        npm(folder, "ci")
        npm(folder, "run", "generate")
        npm(folder, "run", "build")
        yield ["node", str(folder / "dist" / "main.js")]


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


async def play_with_bots(command: list[str], folder: Path) -> None:
    """Given nobody else, bots sit down, and the game ends with a score at its target."""
    with ServerProcess(folder) as server:
        how, scores = result(await said(command, server.address))

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


async def play_over_cuts(command: list[str]) -> str:
    """Given its connection breaks in the middle of a frame, twice, the example misses no turn and sees the end."""
    async with server_here(MemoryStore()) as here:
        proxy = Proxy(here.address)
        await proxy.start()

        async def cut() -> None:
            assert proxy.cut() == 1

        printed = await play_against(command, here.address, proxy.address, cut, TROUBLES)
        proxy.stop()
    return printed


async def play_over_a_kill(command: list[str], folder: Path) -> str:
    """Given a server that is killed and started again, the example asks until it is there (I-5)."""
    with ServerProcess(folder, ["--log-format", "json", "--bot-fill", "60"]) as server:

        async def restart() -> None:
            server.kill()
            await asyncio.to_thread(server.start)

        return await play_against(command, server.address, server.address, restart, TROUBLES[:1])


async def test_the_example_in_python_plays_with_bots(tmp_path: Path) -> None:
    """It plays a public game to its end."""
    await play_with_bots(PYTHON, tmp_path)


async def test_the_example_in_python_goes_on_after_cuts() -> None:
    """It resumes by itself: the SDK does."""
    await play_over_cuts(PYTHON)


@pytest.mark.timeout(240)
async def test_the_example_in_typescript(typescript: list[str], tmp_path: Path) -> None:
    """Built once, it plays with bots, over cuts of its connection and over the death of the server."""
    await play_with_bots(typescript, tmp_path)
    cut = await play_over_cuts(typescript)
    (tmp_path / "other").mkdir()
    killed = await play_over_a_kill(typescript, tmp_path / "other")

    # A cut may meet a connection on which its session has not begun yet: then nothing of the session is lost.
    assert 1 <= cut.count("connection lost: on from seq") <= len(TROUBLES)
    assert "connection lost: on from seq" in killed
