"""Two people who trust no server: a whole game over real sockets, and what they can prove afterwards."""

from __future__ import annotations

import asyncio
import base64
import re
from pathlib import Path

import pytest

from capicua.bots import play
from capicua.client import Client, Game, connect, verify
from capicua.store.memory_store import MemoryStore
from kit.actor import Actor
from kit.server import ServerProcess
from kit.terminal import capicua


async def _play(client: Client) -> Game:
    seat = await client.quick_match("draw", seats=2, target=60)
    game = await client.watch(seat.game_id)
    await play(game)
    return game


async def test_players_check_the_deals_of_their_game(tmp_path: Path) -> None:
    """Given seeds of both for every deal, the first included, each can prove all deals alone, and so can anybody."""
    with ServerProcess(tmp_path) as server:
        async with (
            asyncio.timeout(50),
            connect(server.address, name="Ana", seeds=True) as ana,
            connect(server.address, name="Beto", seeds=True) as beto,
        ):
            games = await asyncio.gather(_play(ana), _play(beto))
            record = await ana.record(games[0].game_id)
        asked = await asyncio.to_thread(capicua, "verify", games[0].game_id, "--server", server.address)
        log = server.log_path.read_text()

    for game in games:
        checked = verify(record, game.witness)
        assert all(each.committed and each.own_seed and each.seats == (0, 1) for each in checked)
        assert all(each.seen for each in checked)
    assert asked.returncode == 0, asked.stderr
    assert "round 1: dealt from the seeds of the server and of " in asked.stdout
    assert {*re.findall(r"of (\w+), (\w+)$", asked.stdout, re.MULTILINE)} <= {("Ana", "Beto"), ("Beto", "Ana")}
    for words in re.findall(r"^(?:server-seed|seat-seeds) (.*)$", record, re.MULTILINE):
        for seed in words.split():
            written = (seed, base64.b64encode(bytes.fromhex(seed)).decode(), repr(bytes.fromhex(seed))[2:-1])
            assert not any(each in log for each in written)


@pytest.mark.parametrize(
    ("line", "instead", "complaint"),
    [
        (r"^hand 0 \S+", "hand 0 9-9", "round 1, hand 0: the seeds give another hand"),
        (r"^server-seed ..", "server-seed ", "round 1, server-seed"),
        (r"@[LR]", "@U", "the rules refuse it"),
        (r"$^", "", ""),
    ],
    ids=["hand", "seed", "play", "nothing"],
)
async def test_a_record_that_was_tampered_with_is_named(
    tmp_path: Path, line: str, instead: str, complaint: str
) -> None:
    """`capicua verify` exits with 1 and says what does not fit: the seeds, or the rules."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("block_rounds", 4, target=1)
    await actor.play(game_id, 2000)
    record = await actor.service.record(game_id)
    assert isinstance(record, str)
    path = tmp_path / "game.txt"
    path.write_text(re.sub(line, instead, record, count=1, flags=re.MULTILINE))
    done = await asyncio.to_thread(capicua, "verify", str(path))

    assert (done.returncode, bool(done.stdout)) == ((1, False) if complaint else (0, True)), done.stderr
    assert complaint in done.stderr
    assert len(done.stderr.splitlines()) <= 1
