"""What every store must do with ratings: each game once, each change to what the one before has left."""

from __future__ import annotations

import asyncio

import pytest

from capicua.runtime.ids import new_id
from capicua.store.ratings import FAMILIES, Boards, Rating, season_of
from capicua.store.store import Store

SEASON = "2026-Q3"


@pytest.fixture(params=FAMILIES[:2])
async def family(request: pytest.FixtureRequest, store: Store) -> str:
    """A family with nothing in it."""
    family: str = request.param
    while not await store.replace_ratings(family, (await store.ratings([], family))[0], Boards({}, {}, ())):
        pass
    return family


def graded(grade: int, games: int = 1, name: str = "Ana") -> Rating:
    """A rating with this grade."""
    return Rating(mu=25 + (grade - 1000) / 40, games=games, name=name)


async def rate(store: Store, family: str, game_id: str, season: str = SEASON, /, **grades: int) -> bool:
    """Rate a game whose players have these grades after it."""
    version, _ = await store.ratings([], family)
    return await store.rate(family, version, game_id, season, {who: graded(to) for who, to in grades.items()})


async def test_a_rating_is_read_back_as_it_was_written(store: Store, family: str) -> None:
    """To the last bit, of those who have one; another family knows nothing of it."""
    rating = Rating(1 / 3, 2 / 7, 5, "José 👑")
    version, nobody = await store.ratings(["p-1", "p-2"], family)
    assert await store.rate(family, version, new_id("g"), SEASON, {"p-1": rating})

    assert nobody == {}
    assert await store.ratings(["p-2", "p-1"], family) == (version + 1, {"p-1": rating})
    assert (await store.ratings(["p-1"], "trains"))[1] == {}


async def test_a_game_is_rated_once(store: Store, family: str) -> None:
    """However often and with whatever version it is asked for: the answer is yes, and nothing changes."""
    game_id = new_id("g")
    version, _ = await store.ratings([], family)
    for _ in range(3):
        assert await store.rate(family, version, game_id, SEASON, {"p-1": graded(1100)})
        assert await rate(store, family, game_id, **{"p-1": 1200})

    assert await store.ratings(["p-1"], family) == (version + 1, {"p-1": graded(1100)})
    assert (await store.rated(family))[0] == version + 1
    await store.forget_rated(family, game_id)
    await store.forget_rated(family, "g-of-which-nothing-is-known")
    remembered = (await store.rated(family))[1]
    assert game_id in remembered, "a process that was paused may come late"
    assert "g-of-which-nothing-is-known" not in remembered


async def test_of_two_that_have_read_the_same_one_is_refused(store: Store, family: str) -> None:
    """So each result is made of what the one before has left."""
    version, _ = await store.ratings([], family)
    games = [new_id("g") for _ in range(10)]
    answers = await asyncio.gather(
        *(store.rate(family, version, game, SEASON, {f"p-{at}": graded(1000 + at)}) for at, game in enumerate(games))
    )
    _, found = await store.ratings([f"p-{at}" for at in range(10)], family)

    assert answers.count(True) == 1
    assert list(found) == [f"p-{answers.index(True)}"]
    assert set(games) & (await store.rated(family))[1] == {games[answers.index(True)]}


async def test_a_leaderboard_ranks_by_grade(store: Store, family: str) -> None:
    """Equal grades share a rank, on whatever page; a season shows those who played in it, as they stood then."""
    assert await rate(store, family, new_id("g"), a=1300, b=1100, c=1100, d=1100, e=900)
    assert await rate(store, family, new_id("g"), "2026-Q4", a=1000, f=1250)
    board = await store.leaderboard(family, SEASON, 0, 10)

    assert [(place.rank, place.grade) for place in board] == [(1, 1300), (2, 1100), (2, 1100), (2, 1100), (5, 900)]
    for size in (1, 2, 3):
        pages = [await store.leaderboard(family, SEASON, first, size) for first in range(0, 6, size)]
        assert [place for page in pages for place in page] == board
    for at, place in enumerate(board):
        assert await store.position(family, SEASON, place.player_id) == at
    assert [place.player_id for place in await store.leaderboard(family, "2026-Q4", 0, 10)] == ["f", "a"]
    assert await store.position(family, SEASON, "f") is None
    assert await store.leaderboard(family, "2020-Q1", 0, 10) == []


async def test_a_replacement_leaves_nothing_of_what_was(store: Store, family: str) -> None:
    """All or nothing, and only of what the caller has seen; no game is rated again, whether it is in it or not."""
    old, new = new_id("g"), new_id("g")
    version, _ = await store.ratings([], family)
    assert await rate(store, family, old, a=1300, b=900)
    many = {f"p-{at}": graded(at, games=2, name=f"Player {at}") for at in range(2500)}
    boards = Boards(many, {"2026-Q4": {player: rating.grade for player, rating in many.items()}}, [new])
    assert not await store.replace_ratings(family, version, boards), "a game was rated meanwhile"
    assert [place.player_id for place in await store.leaderboard(family, SEASON, 0, 10)] == ["a", "b"]

    assert await store.replace_ratings(family, version + 1, boards)
    assert await store.ratings(["a", "p-7"], family) == (version + 2, {"p-7": many["p-7"]})
    assert await store.leaderboard(family, SEASON, 0, 10) == []
    assert (await store.leaderboard(family, "2026-Q4", 0, 1))[0][1:] == ("p-2499", 2499, "Player 2499", 2)
    for game_id in (old, new):
        assert await rate(store, family, game_id, a=1)
    assert (await store.ratings(["a"], family))[1] == {}


def test_a_season_is_a_quarter() -> None:
    """In UTC, to the millisecond."""
    first_of_april_ms = 1_775_001_600_000

    assert [season_of(first_of_april_ms - 1), season_of(first_of_april_ms)] == ["2026-Q1", "2026-Q2"]
    assert season_of(0) == "1970-Q1"
