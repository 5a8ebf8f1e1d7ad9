"""Finished games of a real server: out of the store, into the archive, and still there for everybody."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from capicua.api.v1.types_pb2 import GameOptions
from capicua.bots import play
from capicua.client import connect
from capicua.store.open_archive import archive_in
from capicua.store.redis_link import RedisLink
from kit.archives import do_sql
from kit.eventually import until
from kit.server import ServerProcess


async def keys(link: RedisLink) -> set[bytes]:
    """What is in the store."""
    return set(await link.call("KEYS", "*"))


async def one_game(address: str, variant: str) -> tuple[str, str]:
    """Two players play a round, which is a whole game; its id and its record."""
    async with connect(address, name="Ana") as ana, connect(address, name="Beto") as beto:
        table = await ana.create_table(GameOptions(variant=variant, seats=2, target=1))
        await beto.join_table(table.code)
        game_id = (await ana.start_table(table.table_id)).game_id
        await asyncio.gather(*[play(await guest.watch(game_id)) for guest in (ana, beto)])
        return game_id, await ana.record(game_id)


def verify(folder: Path) -> subprocess.CompletedProcess[str]:
    """`capicua archive verify` on a data folder."""
    command = [sys.executable, "-m", "capicua.cli.main", "archive", "verify", "--archive", archive_in(folder)]
    return subprocess.run(command, capture_output=True, text=True, timeout=30)


async def test_finished_games_are_in_the_archive_and_nowhere_else(tmp_path: Path) -> None:
    """I-5: the store holds the games that are played; the record is the same after a crash of the server."""
    with ServerProcess(tmp_path) as server:
        link = RedisLink(f"unix://{tmp_path}/store/store.sock")
        await link.connect()
        before = await keys(link)
        played = dict([await one_game(server.address, variant) for variant in ("block", "draw", "all_fives")])

        async def archived() -> bool:
            # Tables stay for half an hour, games do not.
            return {key for key in await keys(link) - before if b"table" not in key} == set()

        await until(archived, within=10)
        await link.close()
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
        async with connect(server.address, name="Carla") as carla:
            again = {game_id: await carla.record(game_id) for game_id in played}
            views = [await carla.view(game_id) for game_id in played]
        whole = await asyncio.to_thread(verify, tmp_path)

    assert again == played
    assert all(view.seq > 0 and not view.HasField("turn") for view in views)
    assert (whole.returncode, whole.stdout) == (0, "3 games: 3 whole, 0 damaged\n")


async def test_a_damaged_game_is_found(tmp_path: Path) -> None:
    """One byte more is enough."""
    with ServerProcess(tmp_path) as server:
        games = [(await one_game(server.address, "block"))[0] for _ in range(2)]
        url = archive_in(tmp_path)

        async def all_there() -> bool:
            return await do_sql(url, "SELECT count(*) FROM games") == [(2,)]

        await until(all_there)
    await do_sql(url, "UPDATE games SET entries = CAST(entries || x'00' AS BLOB) WHERE game_id = :game", game=games[1])
    found = await asyncio.to_thread(verify, tmp_path)

    assert found.returncode == 1
    assert found.stdout.splitlines()[0].startswith(f"{games[1]}: ")
    assert found.stdout.splitlines()[1] == "2 games: 1 whole, 1 damaged"


def test_an_archive_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    """Looking changes nothing."""
    nothing = verify(tmp_path)

    assert (nothing.returncode, len(nothing.stderr.splitlines())) == (2, 1)
    assert list(tmp_path.iterdir()) == []
