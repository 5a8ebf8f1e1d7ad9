"""Ratings of a real server: kill -9 at the end of games, the leaderboard in the terminal, and all of it anew."""

from __future__ import annotations

import asyncio
from pathlib import Path

from capicua.bots import play
from capicua.client import connect
from capicua.store.embedded_store import EmbeddedStore
from capicua.store.redis_store import open_store
from kit.eventually import until
from kit.server import ServerProcess
from kit.terminal import capicua

OPTIONS = ["--log-format", "json", "--bot-fill", "30"]
"""People have time to meet."""
GAMES = 2


async def one_game(address: str, tokens: tuple[str, str]) -> None:
    """Two people meet in the queue and play a round, which is a whole game."""
    async with connect(address, token=tokens[0]) as ana, connect(address, token=tokens[1]) as beto:
        seats = await asyncio.gather(*(guest.quick_match("draw", seats=2, target=1) for guest in (ana, beto)))
        await asyncio.gather(*[play(await guest.watch(seats[0].game_id)) for guest in (ana, beto)])


async def test_each_game_is_rated_once_though_the_server_is_killed(tmp_path: Path) -> None:
    """At the very end of every game; what the terminal shows is the same after all was rated anew."""
    with ServerProcess(tmp_path, OPTIONS) as server:
        async with connect(server.address, name="Ana") as ana, connect(server.address, name="Beto") as beto:
            tokens, player_id = (ana.token, beto.token), ana.player_id
        for _ in range(GAMES):
            await one_game(server.address, tokens)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
        async with connect(server.address, token=tokens[0]) as ana:

            async def all_rated() -> bool:
                return (await ana.rating("draw")).rating.games >= GAMES

            await until(all_rated, within=15)
            mine = (await ana.rating("draw")).rating
            assert (mine.games, mine.name, mine.player_id) == (GAMES, "Ana", player_id)
            before = await ana.leaderboard("draw")
        shown = await asyncio.to_thread(capicua, "ranking", "--variant", "draw_hoyle", "--server", server.address)
        assert server.stop() == 0
    anew = await asyncio.to_thread(capicua, "ratings", "rebuild", "--data", str(tmp_path))
    async with EmbeddedStore(tmp_path) as url:
        store = await open_store(url)
        _, ratings = await store.ratings([player_id], "draw")
        after = await store.leaderboard("draw", before.season, 0, 10)
        await store.close()

    assert [line.split()[:2] for line in shown.stdout.splitlines()[2:]] == [
        [str(place.rank), place.name] for place in before.ranked
    ]
    assert (anew.returncode, anew.stdout) == (0, f"rated games: block 0, draw {GAMES}, fives 0, partners 0, trains 0\n")
    assert [(place.player_id, place.grade) for place in after] == [
        (place.player_id, place.grade) for place in before.ranked
    ]
    assert (ratings[player_id].mu, ratings[player_id].sigma) == (mine.mu, mine.sigma)


def test_without_an_archive_nothing_is_rated_anew(tmp_path: Path) -> None:
    """One line, and nothing is made."""
    done = capicua("ratings", "rebuild", "--data", str(tmp_path))

    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert list(tmp_path.iterdir()) == []
