"""The terminal commands as a person or a script runs them: real processes, real server."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from capicua.api.v1.types_pb2 import PHRASE_GOOD_LUCK
from capicua.bots import play
from capicua.client import connect
from kit.server import ServerProcess
from kit.terminal import capicua

VECTORS = Path(__file__).parents[1] / "engine" / "data" / "vectors"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One server for all commands that need one."""
    with ServerProcess(tmp_path_factory.mktemp("server")) as running:
        yield running


def files_in(folder: Path) -> list[Path]:
    """What was left behind; an empty folder for sockets may stay where paths are long."""
    return [path for path in folder.rglob("*") if not path.is_dir()]


def still_running(folder: Path) -> list[str]:
    """Processes that were told of `folder`."""
    return [
        " ".join(process.info["cmdline"])
        for process in psutil.process_iter(["cmdline"])
        if any(str(folder) in argument for argument in process.info["cmdline"] or ())
    ]


@pytest.mark.parametrize(("variant", "seats"), [("block_rounds", 4), ("draw", 3)])
def test_a_demo_shows_a_game_and_leaves_nothing_behind(tmp_path: Path, variant: str, seats: int) -> None:
    """From an empty machine to the final scores with one command."""
    done = capicua("demo", "--variant", variant, "--seats", str(seats), "--target", "1", TMPDIR=str(tmp_path))

    assert done.returncode == 0, done.stderr
    assert "plays" in done.stdout
    assert "Final scores" in done.stdout.splitlines()[-1]
    assert (files_in(tmp_path), still_running(tmp_path)) == ([], [])


def test_an_interrupted_demo_leaves_nothing_behind(tmp_path: Path) -> None:
    """Ctrl-C in the middle of the game ends quietly with 130."""
    command = [sys.executable, "-m", "capicua.cli.main", "demo", "--variant", "draw", "--target", "10000"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    ) as demo:
        assert demo.stdout is not None
        assert demo.stderr is not None
        while (line := demo.stdout.readline()) and "plays" not in line:
            pass
        demo.send_signal(signal.SIGINT)
        _, said = demo.communicate(timeout=30)

    assert (demo.returncode, said) == (130, "")
    assert (files_in(tmp_path), still_running(tmp_path)) == ([], [])


def test_a_whole_game_is_played_over_a_pipe(server: ServerProcess) -> None:
    """A seat against bots, always the first legal play."""
    done = capicua("play", "--server", server.address, "--name", "Ana", typed="1\n" * 5_000)

    assert done.returncode == 0, done.stderr
    assert "block_rounds to 5" in done.stdout.split("Your tiles")[0]
    assert "Ana plays" in done.stdout
    assert "Final scores" in done.stdout.splitlines()[-3]
    assert "All deals fit their seeds" in done.stdout.splitlines()[-2]
    assert "Another game?" in done.stdout.splitlines()[-1]


def test_a_private_table_starts_when_its_host_says_so(server: ServerProcess) -> None:
    """`--create` prints the code, `start` fills the seats with bots, `say` lists the phrases, q leaves."""
    create = ("play", "--server", server.address, "--create", "--variant", "draw", "--talk", "text")
    done = capicua(*create, typed="start\n?\nsay\nsay hola\nq\n", LC_ALL="pl_PL.UTF-8")

    assert done.returncode == 0, done.stderr
    assert "Your table has the code" in done.stdout
    assert "1) Cześć!" in done.stdout
    assert "Not said" not in done.stdout
    assert "You left" in done.stdout


def test_a_seat_is_left_to_a_bot(server: ServerProcess) -> None:
    """`quit` in the own turn gives the seat away for good, and ends the command."""
    done = capicua("play", "--server", server.address, "--create", "--variant", "draw", typed="start\nquit\n")

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "You have quit: a bot has your seat from now on."


def test_a_private_table_has_the_rules_of_its_host(server: ServerProcess) -> None:
    """R-34: `--overrides` reach the game; what cannot be played is refused with the number of its rule."""
    create = ("play", "--server", server.address, "--create", "--variant", "draw", "--seats", "4", "--overrides")
    done = capicua(*create, '{"teams": "pairs"}', typed="start\nq\n")
    refused = capicua(*create, '{"draw": {"policy": "none", "reserve": 2}}')

    assert (done.returncode, "&" in done.stdout) == (0, True), done.stderr
    assert (refused.returncode, "(R-34)" in refused.stderr) == (1, True)
    assert len(refused.stderr.splitlines()) == 1
    assert capicua("play", "--overrides", "{}").returncode == 2


def test_a_public_table_is_found_in_the_lobby(server: ServerProcess) -> None:
    """`--create --public` is listed, `play --table` takes the seat, and the game takes the table's place."""
    at = ("--server", server.address)
    play_at = [sys.executable, "-m", "capicua.cli.main", "play", *at]

    def start(*options: str) -> subprocess.Popen[str]:
        return subprocess.Popen([*play_at, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    with start("--create", "--public", "--delay-moves", "4") as host:
        assert host.stdin is not None
        assert host.stdout is not None
        table_id = [host.stdout.readline() for _ in range(2)][1].split()[-1]
        listed = capicua("lobby", *at, "--seats", "2")
        with start("--table", table_id, "--name", "Ben") as guest:
            while "Guest, Ben" not in host.stdout.readline():
                pass
            host.stdin.write("start\n")
            host.stdin.flush()
            while "Round 1" not in host.stdout.readline():
                pass
            playing, waiting = capicua("lobby", *at), capicua("tables", *at)
            guest.kill()
        host.kill()

    assert f"table {table_id}  block_rounds  Guest, (free)" in listed.stdout
    assert table_id not in playing.stdout
    assert "block_rounds  Guest, Ben  round 1  0 : 0  shown 4 plays late" in playing.stdout
    assert waiting.stdout.startswith("Nobody waits")
    assert capicua("play", "--public").returncode == 2


async def test_watching_shows_the_game_to_its_end(server: ServerProcess) -> None:
    """A spectator sees names, plays and final scores, and hears what is said."""
    async with connect(server.address, name="Ana") as ana, connect(server.address, name="Beto") as beto:
        seats = await asyncio.gather(*(guest.quick_match("block", seats=2) for guest in (ana, beto)))
        game_id = seats[0].game_id
        command = [sys.executable, "-m", "capicua.cli.main", "watch", game_id, "--server", server.address]
        watching = await asyncio.create_subprocess_exec(
            *command, stdout=subprocess.PIPE, env=os.environ | {"LC_ALL": "C"}
        )
        assert watching.stdout is not None
        first = await watching.stdout.readline()
        games = [await guest.watch(game_id) for guest in (ana, beto)]
        games[0].say(phrase=PHRASE_GOOD_LUCK)
        await asyncio.gather(*map(play, games))
        seen, _ = await watching.communicate()

    assert watching.returncode == 0
    assert "Ana" in first.decode()
    assert ": Good luck!" in seen.decode()
    assert "Final scores" in seen.decode().splitlines()[-1]


async def test_a_finished_game_is_replayed_from_the_server(server: ServerProcess, tmp_path: Path) -> None:
    """The record of a finished game can be asked for by its id, to be read or drawn."""
    async with connect(server.address, name="Ana") as ana, connect(server.address, name="Beto") as beto:
        seats = await asyncio.gather(*(guest.quick_match("block", seats=2) for guest in (ana, beto)))
        game_id = seats[0].game_id
        await asyncio.gather(*[play(await guest.watch(game_id)) for guest in (ana, beto)])
    asked = ("replay", game_id, "--server", server.address)
    done = await asyncio.to_thread(capicua, *asked)
    drawn = await asyncio.to_thread(capicua, *asked, "--svg", str(tmp_path / "game.svg"))

    assert (done.returncode, drawn.returncode) == (0, 0), done.stderr + drawn.stderr
    assert "block" in done.stdout
    assert "Beto" in (tmp_path / "game.svg").read_text()


def test_the_rules_vectors_agree() -> None:
    """Every vector in a folder is played through the engine."""
    done = capicua("replay", "--check", str(VECTORS))

    assert done.returncode == 0, done.stdout
    assert done.stdout.strip().endswith("agree, 0 differ")


def test_a_vector_that_differs_is_named(tmp_path: Path) -> None:
    """File, step, key, what was expected and what came."""
    good = VECTORS / "draw-01-several-draws-then-play.json"
    vector = json.loads(good.read_text())
    vector["result"]["scores"] = [7, 7]
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(vector))

    done = capicua("replay", "--check", str(good), str(bad))

    assert done.returncode == 1
    assert f"{bad}: " in done.stdout
    assert "scores: expected [7, 7], got [0, 24]" in done.stdout
    assert "2 files: 1 agree, 1 differ" in done.stdout


@pytest.mark.parametrize("command", [("play",), ("watch",), ("replay", "no-such-game"), ("verify", "no-such-game")])
def test_a_server_that_is_not_there_is_one_sentence(command: tuple[str, ...]) -> None:
    """No traceback: what is wrong and what to do."""
    done = capicua(*command, "--server", "127.0.0.1:1")

    assert done.returncode == 1
    assert "capicua serve" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", ["serve", "play", "watch", "demo", "rules", "replay", "verify", "bench", "archive"])
def test_help_has_an_example(command: str) -> None:
    """Every command explains itself."""
    done = capicua(command, "--help")

    assert done.returncode == 0
    assert "example: capicua" in done.stdout


def test_the_bench_measures_an_installation_in_parts() -> None:
    """Given a gateway and a game-actor of their own: every viewer sees every move, and all are counted."""
    done = capicua("bench", "--split", "1", "--tables", "2", "--seconds", "1", "--json")

    figures = json.loads(done.stdout)
    assert done.returncode == 0, done.stderr
    assert figures["faults"] == []
    assert figures["processes"] == 4
    assert figures["moves_per_second"] > 0
    assert figures["server_cpu_seconds_per_1000_moves"] > 0
