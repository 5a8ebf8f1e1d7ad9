"""kill -9 in the middle of play: nothing acknowledged is lost, nothing is done twice, play goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from capicua.api.v1.types_pb2 import GameOptions
from capicua.api.v1.update_pb2 import Reset, Update
from capicua.client import Client, Game, Refused, connect
from kit.eventually import eventually
from kit.server import ServerProcess


class Player:
    """A client that plays its seat and keeps what it saw and what was acknowledged."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.seqs: list[int] = []
        self.acknowledged: list[int] = []
        self.resets = 0

    async def play(self, game: Game) -> None:
        async for item in game:
            if isinstance(item, Reset):
                self.resets += 1
                self.seqs.append(item.view.seq)
            elif isinstance(item, Update):
                self.seqs.append(item.seq)
            if game.my_turn and game.view.legal:
                try:
                    move = game.view.legal[0]
                    self.acknowledged.append(await game.play(move.tile, move.end))
                except Refused:
                    # The seq moved on meanwhile: the next update says how.
                    continue


def _kill_server(server: ServerProcess) -> None:
    server.kill()
    server.start()


def _kill_store(server: ServerProcess) -> None:
    for process in psutil.Process(server.pid).children(recursive=True):
        if process.name() != "sh":
            process.kill()


@pytest.mark.parametrize("kill", [_kill_server, _kill_store])
async def test_a_game_survives_kill_9(tmp_path: Path, kill: Callable[[ServerProcess], None]) -> None:
    """I-3, I-5: of the server or of its store, three times in a game: one dense row of seqs, and the game ends."""
    server = ServerProcess(tmp_path)
    with server:
        async with (
            asyncio.timeout(55),
            connect(server.address, name="Ana") as ana,
            connect(server.address, name="Beto") as beto,
        ):
            table = await ana.create_table(GameOptions(variant="draw", seats=2, target=400))
            await beto.join_table(table.code)
            game_id = (await ana.start_table(table.table_id)).game_id
            players = [Player(ana), Player(beto)]
            games = [await player.client.watch(game_id) for player in players]
            tasks = [asyncio.create_task(p.play(g)) for p, g in zip(players, games, strict=True)]
            for _ in range(3):
                wanted = len(players[0].acknowledged) + 5
                await eventually(lambda wanted=wanted: len(players[0].acknowledged) >= wanted, within=15)  # type: ignore[misc]
                await asyncio.to_thread(kill, server)
            await asyncio.gather(*tasks)

    for player in players:
        assert player.resets == 1, "a resume needs no fresh start"
        assert player.seqs == list(range(player.seqs[0], player.seqs[-1] + 1))
        assert player.acknowledged == sorted(set(player.acknowledged))
    assert players[0].seqs[-1] == players[1].seqs[-1]


async def test_kill_9_leaves_no_store_behind(tmp_path: Path) -> None:
    """The embedded store ends with us, and a restart meets neither an orphan nor a stale socket."""
    server = ServerProcess(tmp_path)
    with server:
        store = psutil.Process(server.pid).children(recursive=True)
        server.kill()
        gone, alive = psutil.wait_procs(store, timeout=10)

        assert gone
        assert alive == []
        server.start()
        assert server.stop() == 0


async def test_a_clean_stop_keeps_the_game(tmp_path: Path) -> None:
    """SIGTERM ends with status 0; the same hands, scores and turn are there afterwards."""
    server = ServerProcess(tmp_path)
    with server:
        async with connect(server.address, name="Ana") as ana:
            table = await ana.create_table(GameOptions(variant="draw", seats=2, turn_seconds=120))
            async with connect(server.address, name="Beto") as beto:
                await beto.join_table(table.code)
            game_id = (await ana.start_table(table.table_id)).game_id
            before = await ana.view(game_id)
        assert server.stop() == 0
        server.start()
        async with connect(server.address, token=ana.token) as ana:
            after = await ana.view(game_id)
            seats = [seat.game_id async for seat in _first(ana)]

    assert seats == [game_id]
    assert after.deadline_ms >= before.deadline_ms
    after.seq, after.deadline_ms = before.seq, before.deadline_ms
    assert after == before


async def _first(client: Client):  # type: ignore[no-untyped-def]
    async for seat in client.seats():
        yield seat
        return
