"""Finished games leave the store for the archive: nothing is lost on the way, and nobody who asks notices."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.types_pb2 import GameOptions, Seat
from capicua.api.v1.update_pb2 import Refusal
from capicua.game_actor import archivist, service
from capicua.game_actor.history import fold
from capicua.internal.v1.game_actor_service_pb2 import CreateGameRequest
from capicua.runtime.shard import shard_of
from capicua.store.archive import Archive, Entries, Summary
from capicua.store.memory_store import MemoryStore
from capicua.store.open_archive import archive_in, open_archive
from kit.actor import Actor
from kit.archives import do_sql, small_disk
from kit.eventually import eventually, until

SHORT = {"target": 1}
"""One round is a game."""
MakeActor = Callable[..., Actor]


@pytest.fixture
async def archive(tmp_path: Path) -> AsyncIterator[Archive]:
    """A real one, empty."""
    archive = open_archive(archive_in(tmp_path))
    yield archive
    await archive.close()


@pytest.fixture
async def new_actor() -> AsyncIterator[MakeActor]:
    """Makes actors that leave the archive alone when the test is over."""
    actors: list[Actor] = []

    def make(*arguments: Any, **options: Any) -> Actor:
        actors.append(Actor(*arguments, **options))
        return actors[-1]

    yield make
    for actor in actors:
        await actor.service.archivist.close()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try again soon."""
    monkeypatch.setattr(archivist, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(archivist, "LONGEST_WAIT", 0.01)


async def gone(store: MemoryStore, game_id: str) -> None:
    """Wait until the store has nothing of a game."""

    async def nothing_left() -> bool:
        indexed = await store.running(shard_of(game_id)) | await store.finished(shard_of(game_id))
        return not await store.read(game_id) and not indexed and await store.snapshot(game_id) is None

    await until(nothing_left)


async def test_who_asks_for_an_archived_game_notices_nothing(new_actor: MakeActor, archive: Archive) -> None:
    """I-5: record, view, and every update from any seq on are those of the game as it was played."""
    store = MemoryStore()
    actor = new_actor(store, archive=archive)
    game_id = await actor.start("draw", 2, **SHORT)
    live = actor.watch("p-0", game_id)
    await actor.play(game_id, 200)
    await gone(store, game_id)
    views = [await actor.view(who, game_id) for who in ("p-0", "")]
    late = [actor.watch("p-0", game_id, seen) for seen in (1, live.seqs[10], live.seqs[-1])]
    await eventually(lambda: all(eyes.over for eyes in late))
    record = await actor.service.record(game_id)

    assert live.over
    assert late[0].seqs == list(range(2, live.seqs[-1] + 1))
    assert late[1].updates == live.updates[11:]
    assert late[2].frames == []
    assert isinstance(record, str)
    assert record.count("Player 0") == 1
    assert [(view.seq, view.HasField("turn")) for view in views] == [(live.seqs[-1], False)] * 2


async def test_the_archive_has_the_very_bytes_and_says_what_they_are(
    new_actor: MakeActor, archive: Archive, tmp_path: Path
) -> None:
    """What was in the store before the end is a part of what is in the archive."""
    store = MemoryStore()
    actor = new_actor(store, archive=archive)
    game_id = await actor.start("block", 2, **SHORT)
    await actor.play(game_id, 1)
    before = await store.read(game_id)
    actor.clock.now_ms += 5_000
    await actor.play(game_id, 200)
    await gone(store, game_id)
    kept = await archive.entries(game_id)

    assert kept[: len(before)] == before
    assert (await fold(kept)).complete
    rows = await do_sql(archive_in(tmp_path), "SELECT game_id, variant, seats, started_ms, ended_ms FROM games")
    assert rows == [(game_id, "block", 2, 1_000_000, 1_005_000)]


async def test_a_command_of_an_archived_game_gets_its_answer_again(new_actor: MakeActor, archive: Archive) -> None:
    """I-3: the same request id, the same answer, for ever; a new command learns that the game is over."""
    store = MemoryStore()
    actor = new_actor(store, archive=archive)
    game_id = await actor.start("block", 2, **SHORT)
    player, command = await actor.next_command(game_id, "r-first")
    answer = await actor.submit(player, command)
    await actor.play(game_id, 200)
    await gone(store, game_id)

    assert await actor.submit(player, command) == answer
    command.request_id = "r-new"
    assert (await actor.submit(player, command)).refused.reason == reasons.ERROR_REASON_GAME_OVER
    assert (await actor.submit("p-9", command)).refused.reason == reasons.ERROR_REASON_NOT_SEATED


async def test_an_archived_game_is_not_made_again(new_actor: MakeActor, archive: Archive) -> None:
    """Whoever asks a second time with the same id gets the same yes, and the game that was."""
    store = MemoryStore()
    actor = new_actor(store, archive=archive)
    game_id = await actor.start("block", 2, **SHORT)
    await actor.play(game_id, 200)
    await gone(store, game_id)
    ended = await actor.view("", game_id)
    await actor.start("block", 2, **SHORT)

    assert await actor.view("", game_id) == ended
    assert await store.read(game_id) == []


class Stops(MemoryStore):
    """A store, and an archive before another one, that end whoever makes one of their calls, as if the process
    died there."""

    def __init__(self, archive: Archive) -> None:
        super().__init__()
        self.at = ""
        self.reached = asyncio.Event()
        self.entries = archive.entries
        self.ids = archive.ids
        self._archive = archive

    async def put(self, game_id: str, entries: Entries, summary: Summary) -> None:
        await self._stop("before put")
        await self._archive.put(game_id, entries, summary)
        await self._stop("after put")

    async def set_finished(self, game_id: str) -> None:
        await self._stop("before index")
        await super().set_finished(game_id)

    async def trim(self, game_id: str, end: int, seconds: int = 0) -> bool:
        await self._stop("before trim")
        return await super().trim(game_id, end, seconds)

    async def _stop(self, where: str) -> None:
        if where == self.at:
            self.reached.set()
            raise asyncio.CancelledError


@pytest.mark.parametrize("at", ["before index", "before put", "after put", "before trim"])
async def test_a_move_that_was_cut_short_is_made_by_the_next_owner(
    new_actor: MakeActor, archive: Archive, at: str
) -> None:
    """Wherever the process dies: the game is found again, moved once, and whole."""
    store = Stops(archive)
    first = new_actor(store, archive=store)
    game_id = await first.start("block", 2, **SHORT)
    store.at = at
    await first.play(game_id, 200)
    await asyncio.wait_for(store.reached.wait(), 5)
    log = await store.read(game_id)
    store.at = ""
    second = new_actor(store, epoch=2, archive=store)
    await second.take_over()
    await gone(store, game_id)

    assert await archive.entries(game_id) == log
    assert await archive.ids("", 10) == [game_id]


async def test_play_goes_on_while_the_disk_is_full(new_actor: MakeActor, tmp_path: Path) -> None:
    """The games wait in the store, where they can be read; when there is room all of them are moved."""
    store = MemoryStore()
    with small_disk() as disk:
        archive = open_archive(archive_in(tmp_path))
        disk.pages = 1
        actor = new_actor(store, archive=archive)
        with capture_logs() as logs:
            games = [await actor.start(variant, 2, **SHORT) for variant in ("block", "draw", "all_fives")]
            for game_id in games:
                await actor.play(game_id, 200)
            await eventually(lambda: sum(line["event"] == "archive_away" for line in logs) > 3)

        for game_id in games:
            assert isinstance(await actor.service.record(game_id), str)
            assert await store.read(game_id)
        disk.pages = 1000
        for game_id in games:
            await gone(store, game_id)
        assert await archive.ids("", 10) == sorted(games)
        await archive.close()


async def test_another_game_of_the_same_id_is_never_replaced(new_actor: MakeActor, archive: Archive) -> None:
    """The log stays, and it is said loudly; the games behind it are moved."""
    store = MemoryStore()
    actor = new_actor(store, archive=archive)
    game_id = await actor.start("block", 2, **SHORT)
    await archive.put(game_id, [(1, b"another")], Summary("block", 2, 1, 2))
    with capture_logs() as logs:
        await actor.play(game_id, 200)
        other = await actor.start("draw", 2, **SHORT)
        await actor.play(other, 200)
        await gone(store, other)

    assert [line["game"] for line in logs if line["event"] == "game_not_archived"] == [game_id]
    assert await store.finished(shard_of(game_id)) == {game_id}
    assert isinstance(await actor.service.record(game_id), str)
    assert await archive.entries(game_id) == [(1, b"another")]


@pytest.mark.parametrize("archived", [True, False])
async def test_a_log_that_lost_its_end_is_dropped_only_if_it_was_archived(
    new_actor: MakeActor, archive: Archive, archived: bool
) -> None:
    """A store that fails over without waiting for replicas may lose the end of a game that is over."""
    store = Stops(archive)
    first = new_actor(store, archive=store)
    game_id = await first.start("block", 2, **SHORT)
    store.at = "before trim" if archived else "before put"
    await first.play(game_id, 200)
    await asyncio.wait_for(store.reached.wait(), 5)
    log = await store.read(game_id)
    store.lose(game_id, 1)
    store.at = ""
    second = new_actor(store, epoch=2, archive=store)
    with capture_logs() as logs:
        await second.take_over()
        if archived:
            await gone(store, game_id)
            assert await archive.entries(game_id) == log
        else:
            await eventually(lambda: any(line["event"] == "game_not_archived" for line in logs))
            assert await store.read(game_id) == log[:-1]


async def test_an_archive_that_says_nothing_holds_up_no_new_game(
    new_actor: MakeActor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Play comes first: whether a game of this id was archived is asked for a moment only."""

    class Silent(MemoryStore):
        async def entries(self, game_id: str) -> Entries:
            await asyncio.Event().wait()
            return []

    monkeypatch.setattr(service, "ARCHIVE_SECONDS", 0.01)
    silent = Silent()
    actor = new_actor(MemoryStore(), archive=silent)
    game_id = await asyncio.wait_for(actor.start("block", 2), 5)

    assert await actor.play(game_id, 1) == 1


async def test_without_an_archive_the_store_keeps_the_log_for_a_while(new_actor: MakeActor) -> None:
    """As long as FINISHED_SECONDS say; no index grows."""
    store = MemoryStore()
    actor = new_actor(store)
    game_id = await actor.start("block", 2, **SHORT)
    await actor.play(game_id, 200)

    async def not_indexed() -> bool:
        return not await store.running(shard_of(game_id)) and not await store.finished(shard_of(game_id))

    await until(not_indexed)
    assert await store.read(game_id)
    assert isinstance(await actor.service.record(game_id), str)


async def test_what_the_archive_cannot_give_is_a_refusal(
    new_actor: MakeActor, archive: Archive, tmp_path: Path
) -> None:
    """I-10: away, damaged and unknown are three different answers; none of them stops new games."""
    store = MemoryStore()
    actor = new_actor(store, archive=archive)
    game_id = await actor.start("block", 2, **SHORT)
    await actor.play(game_id, 200)
    await gone(store, game_id)
    told = {}
    for state, change in (
        ("away", "ALTER TABLE games RENAME TO elsewhere"),
        ("back", "ALTER TABLE elsewhere RENAME TO games"),
        ("damaged", "UPDATE games SET entries = x'00'"),
        ("lost", "DELETE FROM games"),
    ):
        await do_sql(archive_in(tmp_path), change)
        record = await actor.service.record(game_id)
        told[state] = record.reason if isinstance(record, Refusal) else None
        seats = [Seat(seat=seat, player_id=f"p-{seat}", name="Ana") for seat in range(2)]
        request = CreateGameRequest(game_id=f"g-{state}", options=GameOptions(variant="draw", seats=2), seats=seats)
        assert await actor.service.create_game(request) is None

    assert told == {
        "away": reasons.ERROR_REASON_UNAVAILABLE,
        "back": None,
        "damaged": reasons.ERROR_REASON_INTERNAL,
        "lost": reasons.ERROR_REASON_GAME_NOT_FOUND,
    }
