"""Each game is rated exactly once, whoever dies, and all of them anew give the same ratings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterable, Mapping
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from capicua.game_actor import archivist
from capicua.game_actor.rater import Rater
from capicua.game_actor.rebuild import rebuild
from capicua.store.archive import Archive, Entries, Summary
from capicua.store.memory_store import MemoryStore
from capicua.store.open_archive import archive_in, open_archive
from capicua.store.ratings import FAMILIES, Boards, Ranked, Rating
from kit.actor import Actor, HandClock
from kit.eventually import eventually, until
from kit.rated import a_log, put

T = TypeVar("T")
MARCH_MS, APRIL_MS = 1_774_915_200_000, 1_775_088_000_000
"""In the first and in the second quarter of 2026."""


@pytest.fixture
async def archive(tmp_path: Path) -> AsyncIterator[Archive]:
    """A real one, empty."""
    archive = open_archive(archive_in(tmp_path))
    yield archive
    await archive.close()


class Stops(MemoryStore):
    """A store, and an archive before another one, that end whoever makes one of their calls, before it is carried out
    or after, as if the process died there."""

    def __init__(self, archive: Archive) -> None:
        super().__init__(HandClock())
        self.at = ""
        self.reached = asyncio.Event()
        self.entries = archive.entries
        self._archive = archive

    async def put(self, game_id: str, entries: Entries, summary: Summary) -> None:
        await self._around("put", self._archive.put(game_id, entries, summary))

    async def set_finished(self, game_id: str) -> None:
        await self._around("index", super().set_finished(game_id))

    async def rate(self, family: str, version: int, game_id: str, season: str, ratings: Mapping[str, Rating]) -> bool:
        return await self._around("rate", super().rate(family, version, game_id, season, ratings))

    async def trim(self, game_id: str, end: int, seconds: int = 0) -> bool:
        return await self._around("trim", super().trim(game_id, end, seconds))

    async def forget_rated(self, family: str, game_id: str) -> None:
        await self._around("forget", super().forget_rated(family, game_id))

    async def _around(self, call: str, done: Awaitable[T]) -> T:
        task = asyncio.ensure_future(done)
        if self.at == f"before {call}":
            task.cancel()
            self._end()
        result = await task
        if self.at == f"after {call}":
            self._end()
        return result

    def _end(self) -> None:
        self.reached.set()
        raise asyncio.CancelledError


@pytest.mark.parametrize("call", ["index", "rate", "put", "trim", "forget"])
@pytest.mark.parametrize("side", ["before", "after"])
async def test_a_game_is_rated_once_wherever_the_process_dies(archive: Archive, side: str, call: str) -> None:
    """The mark of the game and the ratings are one; the log stays until the mark is there."""
    store = Stops(archive)
    first = Actor(store, archive=store)  # type: ignore[arg-type]
    game_id = await first.start("block", 2, target=1)
    store.at = f"{side} {call}"
    await first.play(game_id, 200)
    await asyncio.wait_for(store.reached.wait(), 5)
    await first.service.archivist.close()
    store.at = ""
    second = Actor(store, epoch=2, archive=store)  # type: ignore[arg-type]
    await second.take_over()

    async def moved() -> bool:
        return bool(await archive.entries(game_id)) and not await store.read(game_id)

    await until(moved)
    _, found = await store.ratings(["p-0", "p-1"], "block")
    assert sorted((rating.games, rating.grade > 1000) for rating in found.values()) == [(1, False), (1, True)]
    await second.service.archivist.close()


async def test_ratings_do_not_wait_for_the_archive(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it is away the games wait in the store, rated; however often they are tried, once."""
    monkeypatch.setattr(archivist, "FIRST_WAIT", 0.001)
    monkeypatch.setattr(archivist, "LONGEST_WAIT", 0.001)
    store, away = MemoryStore(), open_archive("sqlite:////no/such/folder/archive.db")
    actor = Actor(store, archive=away)
    for variant in ("block", "block_rounds"):
        await actor.play(await actor.start(variant, 2, target=1), 200)

    async def both() -> bool:
        _, found = await store.ratings(["p-0", "p-1"], "block")
        return [rating.games for rating in found.values()] == [2, 2]

    with capture_logs() as logs:
        await until(both)
        await eventually(lambda: sum(line["event"] == "archive_away" for line in logs) > 5)

    assert await both()
    await actor.service.archivist.close()


class Yields(MemoryStore):
    """A store whose answers take a turn of the loop, so that others come in between."""

    async def ratings(self, player_ids: Iterable[str], family: str) -> tuple[int, dict[str, Rating]]:
        found = await super().ratings(player_ids, family)
        await asyncio.sleep(0)
        return found


GAMES = st.lists(
    st.tuples(
        st.permutations(["a", "b", "c", "bot-x"]),
        st.sampled_from([("block", 2), ("block", 3), ("draw", 4), ("partners_200", 4), ("mexican_train", 3)]),
        st.integers(0, 3),
        st.integers(MARCH_MS, APRIL_MS),
    ),
    max_size=8,
)
"""Who may sit down, what is played by how many, a seed, and when it ends."""
Played = list[tuple[list[str], tuple[str, int], int, int]]


def logs_of(played: Played) -> dict[str, Entries]:
    """The logs of games in the order in which they end."""
    return {
        f"g-{number:02}": a_log(players[:seats], variant=variant, seed=seed, ended_ms=ended_ms)
        for number, (players, (variant, seats), seed, ended_ms) in enumerate(sorted(played, key=lambda game: game[3]))
    }


async def everything(store: MemoryStore) -> list[object]:
    """All that there is of ratings."""
    return [
        (await store.ratings("abc", family))[1]
        | {season: await store.leaderboard(family, season, 0, 100) for season in ("2026-Q1", "2026-Q2")}
        for family in FAMILIES
    ]


@settings(max_examples=20)
@given(GAMES)
def test_rated_anew_is_rated_as_before(tmp_path_factory: pytest.TempPathFactory, played: Played) -> None:
    """I-5: ratings and leaderboards follow from the logs, to the last bit; nothing of what was there is left."""

    async def both() -> None:
        live, anew = MemoryStore(), MemoryStore()
        archive = open_archive(archive_in(tmp_path_factory.mktemp("archive")))
        assert await anew.rate("block", 0, "g-of-no-archive", "2026-Q1", {"z": Rating()})
        for game_id, stored in logs_of(played).items():
            await Rater(live).rate(game_id, stored)
            await put(archive, game_id, stored)
        rebuilt = await rebuild(anew, archive)
        await archive.close()

        assert await everything(anew) == await everything(live)
        assert rebuilt.faults == {}
        for game_id, stored in logs_of(played).items():
            await Rater(anew).rate(game_id, stored)
        assert await everything(anew) == await everything(live)

    asyncio.run(both())


async def test_games_that_end_at_once_on_several_actors_are_rated_one_after_another() -> None:
    """Each from what the one before has left: nobody's game is lost, and every game is rated once however often it
    is asked for."""
    store = Yields()
    logs = {f"g-{seed}": a_log(["a", "b", "c"][: 2 + seed % 2], seed=seed) for seed in range(12)}
    raters = [Rater(store) for _ in range(4)]
    await asyncio.gather(*(rater.rate(game_id, stored) for game_id, stored in logs.items() for rater in raters))
    version, found = await store.ratings("abc", "block")

    assert version == 12
    assert {player: rating.games for player, rating in found.items()} == {"a": 12, "b": 12, "c": 6}


async def test_what_is_rated_while_all_is_rated_anew_is_in_it(archive: Archive) -> None:
    """Servers may run: a game that ends meanwhile, or is on its way into the archive, counts once."""
    logs = {f"g-{seed}": a_log(["a", "b"], seed=seed, ended_ms=MARCH_MS + seed) for seed in range(4)}

    class Busy(MemoryStore):
        async def replace_ratings(self, family: str, version: int, boards: Boards) -> bool:
            if late := [game_id for game_id in ("g-2", "g-3") if family == "block" and game_id not in self._logs]:
                await self.append(late[0], *logs[late[0]][0])
                await Rater(self).rate(late[0], logs[late[0]])
            return await super().replace_ratings(family, version, boards)

    store, plain = Busy(), MemoryStore()
    for game_id, stored in logs.items():
        await Rater(plain).rate(game_id, stored)
    await put(archive, "g-0", logs["g-0"])
    await store.append("g-1", *logs["g-1"][0])
    await Rater(store).rate("g-1", logs["g-1"])
    rebuilt = await rebuild(store, archive)
    for game_id, stored in logs.items():
        await Rater(store).rate(game_id, stored)

    assert rebuilt.games["block"] == 4
    assert await everything(store) == await everything(plain)


async def test_a_game_that_cannot_be_read_is_named(archive: Archive) -> None:
    """The others are rated."""
    await put(archive, "g-bad", [(1, b"\xff")])
    await put(archive, "g-good", a_log(["a", "b"]))
    rebuilt = await rebuild(MemoryStore(), archive)

    assert rebuilt.faults.keys() == {"g-bad"}
    assert rebuilt.games["block"] == 1


async def test_a_season_ends_by_the_time_of_the_store() -> None:
    """A game belongs to the season in which it ended; the board of the one before stays as it was."""
    store, clock = MemoryStore(), HandClock(MARCH_MS)
    actor = Actor(store, clock=clock)
    boards: list[list[Ranked]] = []
    for now_ms, variant in ((MARCH_MS, "block"), (APRIL_MS, "block_rounds")):
        game_id = await actor.start(variant, 2, target=1)
        clock.now_ms = now_ms
        await actor.play(game_id, 200)

        async def rated(games: int = len(boards) + 1) -> bool:
            return (await store.ratings(["p-0"], "block"))[1].get("p-0", Rating()).games == games

        await until(rated)
        boards.append(await store.leaderboard("block", "2026-Q1", 0, 10))
    second = await store.leaderboard("block", "2026-Q2", 0, 10)
    await actor.service.archivist.close()

    assert [(place.player_id, place.grade) for place in boards[0]] == [
        (place.player_id, place.grade) for place in boards[1]
    ]
    assert {place.grade for place in second}.isdisjoint(place.grade for place in boards[0])
