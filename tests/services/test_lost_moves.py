"""A store that lost what it had acknowledged: the log is the truth (I-5), has no gap (I-2) and one writer (I-4)."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.types_pb2 import TableOptions
from capicua.game_actor.history import read_history
from capicua.log.v1 import entry_pb2 as log
from capicua.runtime.ids import BOTS
from capicua.store.memory_store import MemoryStore
from kit.actor import Actor


async def dense(store: MemoryStore, game_id: str) -> bool:
    """Whether each entry of a log begins where the one before it ends."""
    next_seq = 1
    for first_seq, data in await store.read(game_id):
        if first_seq != next_seq:
            return False
        next_seq += len(log.Entry.FromString(data).events)
    return True


@pytest.mark.parametrize("lost", [1, 2, 7])
async def test_a_log_that_got_shorter_is_gone_on_with_from_its_end(lost: int) -> None:
    """The next command finds out: an error in the log, the picture anew for every viewer, and no gap ever."""
    store = MemoryStore()
    actor = Actor(store)
    game_id = await actor.start("draw", 2, target=10_000)
    await actor.play(game_id, 12)
    eyes = [actor.watch(player, game_id) for player in ("p-0", "p-1", "")]
    player, command = await actor.next_command(game_id, "r-late")
    store.lose(game_id, lost)
    left = await read_history(store, game_id)
    with capture_logs() as lines:
        answer = await actor.submit(player, command)

    assert left is not None
    assert answer.refused.reason == reasons.ERROR_REASON_STALE_SEQ
    assert [viewer.frames[-1].reset.view.seq for viewer in eyes] == [left.state.seq] * 3
    told = next(line for line in lines if line["event"] == "moves_lost")
    assert (told["log_level"], told["seq"], told["left"]) == ("error", command.expected_seq, left.state.seq)
    assert await actor.play(game_id, 5, first=100) == 5
    assert await dense(store, game_id)
    again = await read_history(store, game_id)
    assert again is not None
    assert [viewer.seqs[-1] for viewer in eyes] == [again.state.seq] * 3


async def test_a_fail_over_that_lost_nothing_is_not_noticed() -> None:
    """The command that finds the store elsewhere is carried out as any other; no viewer starts over."""
    store = MemoryStore()
    actor = Actor(store)
    game_id = await actor.start()
    await actor.play(game_id, 3)
    eyes = actor.watch("", game_id)
    store.lose(game_id, 0)

    with capture_logs() as lines:
        assert await actor.play(game_id, 3, first=100) == 3
    assert [frame.WhichOneof("frame") for frame in eyes.frames[1:]] == ["update"] * len(eyes.updates)
    assert all(line["log_level"] == "info" for line in lines)


async def test_where_somebody_else_wrote_meanwhile_the_game_is_lost() -> None:
    """I-4: a newer owner's entry at the place of lost ones shuts the old owner out."""
    store = MemoryStore()
    old = Actor(store)
    game_id = await old.start("draw", 2, target=10_000)
    await old.play(game_id, 6)
    eyes = old.watch("p-0", game_id)
    player, command = await old.next_command(game_id, "r-late")
    store.lose(game_id, 3)
    new = Actor(store, epoch=2)
    await new.take_over()
    answer = await old.submit(player, command)

    assert answer.refused.reason == reasons.ERROR_REASON_UNAVAILABLE
    assert eyes.frames[-1].notice.refusal.reason == reasons.ERROR_REASON_UNAVAILABLE
    assert await new.play(game_id, 3, first=100) == 3
    assert await dense(store, game_id)


async def test_an_entry_of_an_earlier_owner_in_place_of_ours_is_seen() -> None:
    """A fail-over lost our entries, and with them what shut an earlier owner out; it wrote just as far as we had."""
    store = MemoryStore()
    old = Actor(store)
    game_id = await old.start("block", 2, target=10_000)
    await old.play(game_id, 4)
    new = Actor(store, epoch=2)
    await new.take_over()
    eyes = new.watch("", game_id)
    player, command = await old.next_command(game_id, "r-late")
    store.lose(game_id, 1)
    assert (await old.submit(player, command)).HasField("accepted")
    move, late = await new.next_command(game_id, "r-new")
    await new.submit(move, late)

    assert eyes.frames[1].HasField("reset")
    assert await new.play(game_id, 4, first=100) == 4
    assert await dense(store, game_id)
    assert (await old.submit(*await old.next_command(game_id, "r-older"))).refused.reason == (
        reasons.ERROR_REASON_UNAVAILABLE
    )


async def test_a_log_that_is_gone_ends_its_game_here() -> None:
    """Nothing is left to go on with: the viewers are told, and nothing is written at a place in the middle."""
    store = MemoryStore()
    actor = Actor(store)
    game_id = await actor.start()
    await actor.play(game_id, 3)
    eyes = actor.watch("p-0", game_id)
    player, command = await actor.next_command(game_id, "r-late")
    store.lose(game_id, len(await store.read(game_id)))
    answer = await actor.submit(player, command)

    assert answer.HasField("refused")
    assert eyes.frames[-1].HasField("notice")
    assert await store.read(game_id) == []


@pytest.mark.parametrize("late", [0, 3])
async def test_a_quit_that_was_lost_gives_the_seat_back(late: int) -> None:
    """Given a fail-over that lost a quit, the player has the seat again and sees it, and the bot has none."""
    store = MemoryStore()
    actor = Actor(store)
    options = TableOptions(public=True, spectators=True, delay_moves=late)
    game_id = await actor.start_table(options, "draw", 2, target=10_000)
    await actor.play(game_id, 6)
    eyes = actor.watch("p-0", game_id)
    await actor.quit("p-0", game_id)
    bot = actor.watch(BOTS[0][0], game_id)
    player, command = await actor.next_command(game_id, "r-late")
    assert not (await actor.view("p-0", game_id)).HasField("own_seat")
    store.lose(game_id, 1)
    await actor.submit(player, command)

    assert eyes.frames[-1].reset.view.own_seat == 0
    assert eyes.frames[-1].reset.view.HasField("own_seat")
    assert not bot.frames[-1].reset.view.HasField("own_seat")
    assert [held.seat for held in await actor.service.seats_of("p-0")] == [0]
    assert await actor.service.seats_of(BOTS[0][0]) == []
    assert await actor.play(game_id, 5, first=100) == 5
    assert eyes.seqs[-1] == (await actor.view("p-0", game_id)).seq
    assert (await actor.quit("p-0", game_id, "again")).HasField("accepted")
    assert await dense(store, game_id)
