"""When all people have gone, the game goes to its end at once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from capicua.api.v1.types_pb2 import Seat
from capicua.bots import run_crew
from capicua.client import connect
from capicua.engine import VARIANTS, GameState, TilePlayed
from capicua.game_actor import desertion, presence
from capicua.game_actor.desertion import MISSES_UNTIL_GONE, Desertion
from capicua.game_actor.history import read_history
from capicua.runtime.ids import BOTS
from capicua.store.archive import Archive
from capicua.store.memory_store import MemoryStore
from capicua.store.open_archive import archive_in, open_archive
from kit.actor import Actor
from kit.eventually import eventually, until
from kit.games import random_game
from kit.gateway import server_here


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is waited for."""
    for name in ("DESERTED_SECONDS", "HURRY_SECONDS"):
        monkeypatch.setattr(desertion, name, 0)
    for name in ("GRACE_SECONDS", "ARRIVAL_SECONDS"):
        monkeypatch.setattr(presence, name, 0)


async def plays(actor: Actor, game_id: str) -> list[TilePlayed]:
    """The plays so far."""
    history = await read_history(actor.store, game_id)
    assert history is not None
    return [step.event for step in history.steps if isinstance(step.event, TilePlayed)]


@pytest.mark.usefixtures("hasty")
async def test_a_deserted_game_ends_by_itself() -> None:
    """Given people who have all dropped, and a spectator, no deadline is waited for: time stands still here."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("block", 3)
    eyes = actor.watch("", game_id)
    await eventually(lambda: eyes.over)

    assert all(play.expired for play in await plays(actor, game_id))
    assert actor.clock.now_ms == 1_000_000


@pytest.mark.usefixtures("hasty")
async def test_while_one_is_there_turns_are_whole() -> None:
    """Given three players of whom two have dropped, nobody's turn is cut short; nor when the third has, and is back."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("block", 3, target=10_000)
    spectator, eyes = actor.watch("", game_id), actor.watch("p-2", game_id)
    await eventually(lambda: len(spectator.frames) == 3)
    assert await plays(actor, game_id) == []

    actor.service.unwatch(eyes, game_id)
    await eventually(lambda: any(update.tile_played.expired for update in spectator.updates))
    back = actor.watch("p-2", game_id)
    await turns_of_the_loop()
    made = len(back.updates)
    await turns_of_the_loop()

    assert len(back.updates) == made
    assert not back.over


@pytest.mark.usefixtures("hasty")
async def test_where_nobody_at_all_is_seen_it_may_be_ourselves() -> None:
    """Given a process that shows games to nobody, none of them counts as deserted."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("block", 2)
    await until(lambda: dropped(actor, game_id))
    await turns_of_the_loop()

    assert await plays(actor, game_id) == []


async def turns_of_the_loop() -> None:
    """Let everything happen that waits for nothing."""
    for _ in range(50):
        await asyncio.sleep(0)


async def dropped(actor: Actor, game_id: str) -> bool:
    """Whether both players count as gone."""
    return list((await actor.view("", game_id)).dropped) == [0, 1]


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(("missed", "hurries"), [(MISSES_UNTIL_GONE - 1, False), (MISSES_UNTIL_GONE, True)])
async def test_who_only_looks_on_is_gone_at_last(missed: int, hurries: bool) -> None:
    """Given people who watch and let turn after turn expire, they count as gone too, so that every game ends."""
    state = started(missed)
    ended: list[int] = []
    watched = Desertion(set(), ended.append, lambda: True)
    watched.look(state, {0, 1})
    await turns_of_the_loop()
    watched.close()

    assert ended == [state.turn_seq] * hurries


def started(missed: int) -> GameState:
    """A running game in which both seats have missed so many turns."""
    _, state = list(random_game(VARIANTS["block"], 2, 1, rounds=1))[2]
    return replace(state, standing=replace(state.standing, misses=(missed, missed)))


async def test_a_minute_must_pass() -> None:
    """A game is not deserted by a gateway that dies."""
    assert desertion.DESERTED_SECONDS == 60


@pytest.mark.parametrize("variant", ["draw", "partners_200"])
async def test_a_game_that_all_have_quit_is_ended_by_bots_and_archived(variant: str, tmp_path: Path) -> None:
    """Given bots that take half a minute for people, when everybody quits, they end the game in no time."""
    archive = open_archive(archive_in(tmp_path))
    async with server_here(MemoryStore(), archive) as server:
        tokens = [server.tokens.sign(Seat(player_id=who, name=name, bot=True)) for who, name in BOTS]
        crew = asyncio.create_task(run_crew(server.address, tokens, pause=30))
        game_id = await server.actor.start(variant, 4, target=1)
        turn = (await server.actor.view("", game_id)).turn
        # Whose turn it is quits last: a bot that has begun to take its time goes on with that.
        for seat in sorted(range(4), key=lambda seat: seat == turn):
            token = server.tokens.sign(Seat(player_id=f"p-{seat}", name="Ana"))
            async with connect(server.address, token=token) as client:
                await (await client.watch(game_id)).quit()
        await until(lambda: archived(archive, game_id), within=30)
        crew.cancel()
        record = await server.actor.service.record(game_id)

    assert isinstance(record, str)
    assert record.count("\nquit ") == 4
    assert "winner" in record
    await archive.close()


async def archived(archive: Archive, game_id: str) -> bool:
    """Whether the game lies in the archive."""
    return bool(await archive.entries(game_id))
