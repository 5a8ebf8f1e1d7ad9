"""Which players are there: told to everybody who sees the game, and kept nowhere."""

from __future__ import annotations

import asyncio

import pytest

from capicua.api.v1.types_pb2 import TableOptions
from capicua.game_actor import presence
from capicua.game_actor.history import read_history
from capicua.game_actor.presence import Presence
from capicua.runtime.ids import BOTS
from capicua.store.memory_store import MemoryStore
from kit.actor import OPEN, Actor, Eyes
from kit.eventually import eventually

LATE = TableOptions(public=True, spectators=True, delay_moves=3)


def told(eyes: Eyes) -> list[tuple[int, bool]]:
    """What a viewer was told of presence."""
    return [(f.presence.seat, f.presence.connected) for f in eyes.frames if f.HasField("presence")]


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Graces that are over at the next turn of the event loop."""
    monkeypatch.setattr(presence, "GRACE_SECONDS", 0)
    monkeypatch.setattr(presence, "ARRIVAL_SECONDS", 0)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("options", [OPEN, LATE], ids=["at once", "late"])
async def test_everybody_is_told_and_the_log_is_not(options: TableOptions) -> None:
    """Given a player whose session ends, seats and spectators are told once, and once more when it is back."""
    actor = Actor(MemoryStore())
    game_id = await actor.start_table(options, "draw", 2)
    watching = [actor.watch(player, game_id) for player in ("p-0", "p-1", "p-9")]
    await actor.play(game_id, 6)
    seq = (await actor.view("p-0", game_id)).seq
    leaves, *others = watching
    actor.service.unwatch(leaves, game_id)
    await eventually(lambda: all(told(eyes) == [(0, False)] for eyes in others))
    views = [await actor.view(player, game_id) for player in ("p-0", "p-1", "")]
    actor.service.watch(leaves, game_id, seq)
    history = await read_history(actor.store, game_id)

    assert [list(view.dropped) for view in views] == [[0], [0], [0]]
    assert all(told(eyes) == [(0, False), (0, True)] for eyes in others)
    assert (await actor.view("", game_id)).dropped == []
    assert history is not None
    assert history.state.seq == seq


@pytest.mark.usefixtures("hasty")
async def test_who_comes_back_from_nothing_is_there() -> None:
    """Given a dropped player who opens the game anew, its picture ends with the player there."""
    actor = Actor(MemoryStore())
    game_id = await actor.start_table(OPEN, "draw", 2)
    leaves, stays = actor.watch("p-0", game_id), actor.watch("p-1", game_id)
    actor.service.unwatch(leaves, game_id)
    await eventually(lambda: told(stays) == [(0, False)])
    back = actor.watch("p-0", game_id)

    assert list(back.frames[0].reset.view.dropped) == [0]
    assert told(back) == [(0, True)]


async def test_a_moment_is_no_drop() -> None:
    """Given a session that is back before the grace is over, nobody is told anything."""
    heard: list[tuple[int, bool]] = []
    present = Presence(lambda seat, connected: heard.append((seat, connected)))
    for _ in range(3):
        present.came(0)
        present.went(0)
    present.came(0)
    await asyncio.sleep(0)
    present.close()

    assert (heard, present.dropped) == ([], set())


async def test_the_grace_of_an_arrival_is_longer() -> None:
    """A fail-over takes some seconds, during which a phone that looked away would have dropped."""
    assert 0.5 < presence.GRACE_SECONDS < 3 < presence.ARRIVAL_SECONDS < 15


@pytest.mark.usefixtures("hasty")
async def test_who_does_not_come_has_dropped() -> None:
    """Given a new game, who does not watch in time has dropped: people and bots alike."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("draw", 2)
    eyes = actor.watch("p-0", game_id)
    assert eyes.frames[0].reset.view.dropped == []
    await eventually(lambda: told(eyes) == [(1, False)])


@pytest.mark.usefixtures("hasty")
async def test_who_resumes_is_told_how_it_is_now() -> None:
    """Given a viewer who missed a change of presence, which has no seq, it is told all seats when it comes back."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("draw", 2)
    zero, one = actor.watch("p-0", game_id), actor.watch("p-1", game_id)
    actor.service.unwatch(one, game_id)
    await eventually(lambda: told(zero) == [(1, False)])
    actor.service.unwatch(zero, game_id)
    again = actor.watch("p-1", game_id)
    await eventually(lambda: (0, False) in told(again))
    for behind in (0, 1):
        back = Eyes("p-0")
        actor.service.watch(back, game_id, (await actor.view("p-0", game_id)).seq - behind)
        await eventually(lambda back=back: told(back)[-2:] == [(0, True), (1, True)])  # type: ignore[misc]
        actor.service.unwatch(back, game_id)


async def test_a_move_to_another_process_is_no_drop() -> None:
    """Given a new owner, everybody counts as there, who has dropped too, until the time for coming is over."""
    store = MemoryStore()
    old = Actor(store, epoch=1)
    game_id = await old.start("draw", 2)
    new = Actor(store, epoch=2, clock=old.clock)
    await new.take_over(served_ms=old.clock.now_ms)
    eyes = new.watch("p-0", game_id, last_seen_seq=1)
    await eventually(lambda: told(eyes) == [(0, True), (1, True)])

    assert (await new.view("p-0", game_id)).dropped == []


@pytest.mark.usefixtures("hasty")
async def test_a_new_player_of_the_seat_has_a_grace_of_its_own() -> None:
    """Given a dropped player who quits, the seat is not dropped until the bot does not come either."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("draw", 2)
    one = actor.watch("p-1", game_id)
    await eventually(lambda: told(one) == [(0, False)])
    await actor.quit("p-0", game_id)
    assert (await actor.view("p-1", game_id)).dropped == []
    await eventually(lambda: told(one) == [(0, False), (0, False)])

    actor.watch(BOTS[0][0], game_id)
    assert told(one)[-1] == (0, True)
