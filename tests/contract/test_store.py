"""What every store must do (I-3, I-4, I-5)."""

from __future__ import annotations

import asyncio

import pytest

from capicua.runtime.ids import new_id
from capicua.runtime.shard import shard_of
from capicua.store.store import SeqTaken, Store


@pytest.fixture
def game() -> str:
    """A game no test has used before."""
    return new_id("g")


async def test_entries_are_read_back_in_order(store: Store, game: str) -> None:
    """An entry lies at the seq of its first event; reading from a seq gives it and all later ones."""
    assert await store.read(game) == []
    for seq, entry in ((1, b"one"), (4, b"four"), (5, b"\x00\r\n five")):
        await store.append(game, seq, entry)

    assert await store.read(game) == [(1, b"one"), (4, b"four"), (5, b"\x00\r\n five")]
    assert await store.read(game, 2) == [(4, b"four"), (5, b"\x00\r\n five")]
    assert await store.read(game, 6) == []
    assert [await store.entry(game, seq) for seq in (1, 2, 4, 9)] == [b"one", None, b"four", None]


async def test_a_long_log_is_read_whole(store: Store, game: str) -> None:
    """However many pages it takes."""
    await asyncio.gather(*(store.append(game, seq, b"%d" % seq) for seq in range(1, 2501)))

    assert await store.read(game) == [(seq, b"%d" % seq) for seq in range(1, 2501)]


async def test_of_two_writers_one_wins(store: Store, game: str) -> None:
    """I-4: the same seq is written once, whoever asks first; what lies before the end is never written again."""
    answers = await asyncio.gather(*(store.append(game, 1, b"%d" % n) for n in range(20)), return_exceptions=True)
    await store.append(game, 5, b"later")
    with pytest.raises(SeqTaken):
        await store.append(game, 3, b"between")

    assert sum(isinstance(answer, SeqTaken) for answer in answers) == 19
    assert [seq for seq, _ in await store.read(game)] == [1, 5]


async def test_an_owner_that_was_replaced_can_write_nothing(store: Store, game: str) -> None:
    """I-4: the new owner's first entry shuts out the old one, at whatever boundary it still believes to be."""
    await store.append(game, 1, b"old")
    await store.append(game, 3, b"old")
    await store.append(game, 6, b"claim of the new")
    for seq in (1, 3, 6):
        with pytest.raises(SeqTaken):
            await store.append(game, seq, b"old, awake again")
    await store.append(game, 7, b"new")

    assert [entry for _, entry in await store.read(game, 6)] == [b"claim of the new", b"new"]


async def test_the_index_knows_what_runs(store: Store, game: str) -> None:
    """A game is among the running ones from its creation to its end; its log stays readable."""
    other = new_id("g")
    await store.append(game, 1, b"x")
    await store.add_running(game)
    await store.add_running(game)
    await store.add_running(other)

    assert game in await store.running(shard_of(game))
    assert other in await store.running(shard_of(other))
    await store.set_finished(game)
    assert game not in await store.running(shard_of(game))
    assert await store.read(game) == [(1, b"x")]


async def test_a_finished_game_is_indexed_until_its_log_is_dropped(store: Store, game: str) -> None:
    """Whoever owns the shard next finds every game whose log has still to leave; then nothing is left of it."""
    shard = shard_of(game)
    await store.add_running(game)
    for seq in (1, 4):
        await store.append(game, seq, b"x")
    assert game not in await store.finished(shard)
    await store.set_finished(game)
    await store.set_finished(game)

    assert game in await store.finished(shard)
    assert await store.trim(game, 4)
    assert game not in await store.finished(shard)
    assert await store.read(game) == []
    assert await store.trim(game, 4), "asking again changes nothing"


async def test_only_a_log_that_was_read_to_its_end_is_dropped(store: Store, game: str) -> None:
    """What was written after it was read is not lost; the game stays in the index."""
    await store.append(game, 1, b"x")
    await store.append(game, 4, b"y")
    await store.set_finished(game)

    assert not await store.trim(game, 1)
    assert not await store.trim(game, 0)
    assert game in await store.finished(shard_of(game))
    assert await store.read(game) == [(1, b"x"), (4, b"y")]


async def test_a_log_that_is_dropped_while_it_is_read_is_read_whole_or_not_at_all(store: Store, game: str) -> None:
    """However many pages it takes: half a game must not pass for one that is still played."""
    await asyncio.gather(*(store.append(game, seq, b"x") for seq in range(1, 2501)))
    reading = asyncio.ensure_future(store.read(game))
    await asyncio.sleep(0)
    await store.trim(game, 2500)

    assert len(await reading) in (0, 2500)


async def test_a_log_that_is_to_stay_for_a_while_stays(store: Store, game: str) -> None:
    """Where there is no archive the log can be read for FINISHED_SECONDS; nobody has to look at it again."""
    await store.append(game, 1, b"x")
    await store.set_finished(game)

    assert await store.trim(game, 1, 1000)
    assert await store.read(game) == [(1, b"x")]
    assert game not in await store.finished(shard_of(game))


async def test_the_newest_snapshot_is_kept_until_the_game_ends(store: Store, game: str) -> None:
    """I-5: a shortcut, nothing more; a finished game needs none."""
    assert await store.snapshot(game) is None
    store.save_snapshot(game, b"old")
    store.save_snapshot(game, b"new")

    assert await store.snapshot(game) == b"new"
    await store.set_finished(game)
    assert await store.snapshot(game) is None


async def test_who_claims_the_tables_of_a_shard_has_them_all(store: Store, game: str) -> None:
    """Given an owner that wakes up after the next one has claimed the tables: it can write none, not even a new one."""
    shard, old, new = shard_of(game), 1_000_000_000_001, 1_000_000_000_002
    before = await store.claim_tables(shard, old)
    assert await store.save_table(shard, f"{game}-1", old, b"first")
    assert await store.save_table(shard, f"{game}-1", old, b"changed")
    claimed = await store.claim_tables(shard, new)
    assert sorted(claimed) == sorted([*before, b"changed"])

    assert not await store.save_table(shard, f"{game}-1", old, b"of the old")
    assert not await store.save_table(shard, f"{game}-2", old, b"of the old")
    assert sorted(await store.claim_tables(shard, old)) == sorted(claimed)
    assert await store.save_table(shard, f"{game}-2", new, b"of the new")


async def test_a_secret_is_made_once(store: Store) -> None:
    """Tokens signed before a restart stay valid after it."""
    first, second = await asyncio.gather(store.secret("a"), store.secret("a"))

    assert first == second
    assert len(first) == 32
    assert await store.secret("b") != first


async def test_the_table_of_processes_is_written_by_one_at_a_time(store: Store) -> None:
    """Of two who read the same version one is refused and reads again; time comes from the store."""
    now, version, _ = await store.installation()
    written = await asyncio.gather(*(store.set_installation(version, str(n).encode()) for n in range(5)))
    later, after, data = await store.installation()

    assert written.count(True) == 1
    assert (data, after != version) == (str(written.index(True)).encode(), True)
    assert 0 < now <= later
    assert await store.set_installation(after, b"")


async def test_a_thousand_games_append_at_once(store: Store) -> None:
    """Nothing is mixed up when replies come in one burst."""
    games = [new_id("g") for _ in range(1000)]
    await asyncio.gather(*(store.append(game, 1, game.encode()) for game in games))

    assert [await store.entry(game, 1) for game in games] == [game.encode() for game in games]


async def test_a_store_that_lost_nothing_says_so(store: Store, game: str) -> None:
    """The generation stays as it is while the connection and the shard do, whatever is written and confirmed."""
    before = store.generation(game)
    await store.append(game, 1, b"one")
    await store.confirm(game)

    assert store.generation(game) == before
    assert await store.read(game) == [(1, b"one")]
