"""Spectators see a delayed game late, whatever they ask for, and all of it in the end (I-2, I-7)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.game_service_pb2 import GameSummary, ListGamesRequest
from capicua.api.v1.types_pb2 import TableOptions
from capicua.api.v1.update_pb2 import Refusal
from capicua.engine import TilePlayed
from capicua.game_actor.delay import Delay
from capicua.game_actor.history import Step, read_history
from capicua.internal.v1.listed_pb2 import Listed
from capicua.store.memory_store import MemoryStore
from kit.actor import Actor, Eyes, HandClock
from kit.eventually import eventually

LATE = TableOptions(public=True, spectators=True, delay_moves=3)
LATE_BY_TIME = TableOptions(public=True, spectators=True, delay_seconds=20)
ALONE = TableOptions(public=True, spectators=False)


async def allowed(actor: Actor, game_id: str, options: TableOptions) -> int:
    """The seq up to which spectators may see, from the log alone."""
    history = await read_history(actor.store, game_id)
    assert history is not None
    plays = [step.state.seq for step in history.steps if isinstance(step.event, TilePlayed)]
    newest, first_play = history.state.seq, plays[0] if plays else history.state.seq + 1
    by_moves = newest
    if options.delay_moves:
        by_moves = plays[-options.delay_moves] - 1 if len(plays) >= options.delay_moves else first_play - 1
    now = actor.clock()
    old = [s.state.seq for s in history.steps if s.time_ms + options.delay_seconds * 1000 <= now]
    return max(first_play - 1, min(by_moves, max(old, default=0)))


def newest_of(eyes: Eyes) -> int:
    """The newest seq a viewer knows."""
    seqs = [f.update.seq if f.HasField("update") else f.reset.view.seq for f in eyes.frames]
    return max(seqs)


@pytest.mark.parametrize("options", [LATE, LATE_BY_TIME], ids=["plays", "seconds"])
@pytest.mark.parametrize(("variant", "seats"), [("draw", 3), ("all_fives", 2)])
async def test_nobody_without_a_seat_gets_round_the_delay(variant: str, seats: int, options: TableOptions) -> None:
    """Given a delayed game: updates, watches, resumptions, views and lists show no more than is due."""
    actor = Actor(MemoryStore())
    game_id = await actor.start_table(options, variant, seats, target=30)
    early, player = actor.watch("", game_id), actor.watch("p-0", game_id)
    for number in range(60):
        running = await actor.play(game_id, 1, first=number)
        if not running or not player.frames[-1] or player.over:
            break
        actor.clock.now_ms += 3_000
        due = await allowed(actor, game_id, options)
        new, ahead = actor.watch("second account", game_id), actor.watch("third", game_id, last_seen_seq=1)
        view = await actor.view("", game_id)
        games = await actor.service.live_games(ListGamesRequest())

        assert newest_of(early) <= due
        assert newest_of(new) <= due
        assert view.seq <= due
        assert (games[0].scores, games[0].round) == (view.scores, view.round)
        assert newest_of(player) == (await actor.view("p-0", game_id)).seq
        actor.service.unwatch(new, game_id)
        actor.service.unwatch(ahead, game_id)


async def test_plays_let_go_of_exactly_what_is_due() -> None:
    """Given a delay of three plays: after every play the spectator has seen all that is due, without a gap."""
    actor = Actor(MemoryStore())
    game_id = await actor.start_table(LATE, "draw", 2, target=200)
    first = (await actor.view("", game_id)).seq
    eyes = actor.watch("", game_id)
    for number in range(30):
        await actor.play(game_id, 1, first=number)
        assert newest_of(eyes) == await allowed(actor, game_id, LATE)
    assert eyes.seqs == list(range(first + 1, newest_of(eyes) + 1))


@pytest.mark.parametrize("options", [LATE, LATE_BY_TIME], ids=["plays", "seconds"])
async def test_the_end_of_the_game_lets_go_of_everything(options: TableOptions) -> None:
    """Given the game is over, a spectator gets every seq to the last, and the end."""
    actor = Actor(MemoryStore())
    game_id = await actor.start_table(options, "block", 2, target=1)
    eyes, player = actor.watch("", game_id), actor.watch("p-0", game_id)
    await actor.play(game_id, 500)

    assert player.over
    assert eyes.over
    assert eyes.seqs == player.seqs
    assert eyes.updates[-1].HasField("game_ended")


@pytest.mark.parametrize("options", [LATE, LATE_BY_TIME], ids=["plays", "seconds"])
async def test_a_take_over_keeps_the_delay(options: TableOptions) -> None:
    """Given a new owner, even one that starts from a snapshot: it shows what the old one might, and goes on."""
    store, clock = MemoryStore(), HandClock()
    old = Actor(store, epoch=1, clock=clock)
    game_id = await old.start_table(options, "block", 2, target=200)
    moves = 0
    while (await old.view("p-0", game_id)).round < 2:
        moves += await old.play(game_id, 1, first=moves)
        clock.now_ms += 1_000
    shown = (await old.view("", game_id)).seq
    assert await store.snapshot(game_id) is not None

    new = Actor(store, epoch=2, clock=clock)
    await new.take_over(served_ms=clock.now_ms)
    eyes = new.watch("", game_id)
    assert newest_of(eyes) == (await new.view("", game_id)).seq == shown
    assert shown <= await allowed(new, game_id, options)

    await new.play(game_id, 4, first=moves)
    clock.now_ms += 20_000
    await new.play(game_id, 1, first=moves + 4)
    assert newest_of(eyes) == await allowed(new, game_id, options)
    assert eyes.seqs == list(range(shown + 1, newest_of(eyes) + 1))


async def test_a_table_may_want_no_spectators() -> None:
    """Given a game nobody may watch: watches and views are refused and it is not listed, until it is over."""
    actor = Actor(MemoryStore())
    game_id = await actor.start_table(ALONE, "block", 2, target=1)
    eyes, player = actor.watch("stranger", game_id), actor.watch("p-1", game_id)
    refused = await actor.service.view(game_id, "stranger")

    assert isinstance(refused, Refusal)
    assert refused.reason == eyes.frames[0].notice.refusal.reason == reasons.ERROR_REASON_SPECTATORS_NOT_ALLOWED
    assert len(eyes.frames) == 1
    assert player.frames[0].HasField("reset")
    assert await actor.service.live_games(ListGamesRequest()) == []
    await actor.play(game_id, 500)
    assert (await actor.view("stranger", game_id)).HasField("winner_side")


async def test_spectators_are_counted() -> None:
    """A view says how many watch without a seat; players are none of them."""
    actor = Actor(MemoryStore())
    for options in (LATE, TableOptions(public=True, spectators=True)):
        variant = "block" if options is LATE else "draw"
        game_id = await actor.start_table(options, variant, 2)
        actor.watch("p-0", game_id)
        eyes = [actor.watch("", game_id) for _ in range(3)]
        actor.service.unwatch(eyes[0], game_id)

        assert (await actor.view("p-1", game_id)).spectators == 2


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 30_000)), max_size=30), st.integers(0, 10), st.integers(0, 60))
def test_a_delay_holds_back_no_less_and_no_more(steps: list[tuple[bool, int]], moves: int, seconds: int) -> None:
    """Given any plays at any times: a step comes when so many plays came after it and so much time has gone by."""
    delay, now, told, plays = Delay(moves, seconds * 1000), 0, [], []
    made: list[Step] = []
    for is_play, later in steps:
        now += later
        event = TilePlayed(0, 0, "-", 0, 0, 0, 0, False) if is_play else None
        made.append(Step(event, None, now))  # type: ignore[arg-type]
        plays.append(sum(isinstance(step.event, TilePlayed) for step in made))
        delay.add([made[-1]])
        told += delay.due(now)
        expected = [
            step
            for step, count in zip(made, plays, strict=True)
            if count == 0 or (plays[-1] - count >= moves and step.time_ms + seconds * 1000 <= now)
        ]
        assert told == expected
        due = delay.next_ms()
        assert due is None or due > now
    assert told + delay.flush() == made


@pytest.mark.parametrize("late", [0, 3])
async def test_the_lobby_follows_what_spectators_may_know(late: int) -> None:
    """Given a round ends: the lobby shows the next one when spectators may see it, and at the end nothing."""
    actor = Actor(MemoryStore())
    options = TableOptions(public=True, spectators=True, delay_moves=late)
    game_id = await actor.start_table(options, "block", 2, target=200)
    heard: list[GameSummary] = []
    gone: list[str] = []

    def told(_: str, news: Listed | None) -> None:
        assert news is not None
        heard.extend(entry.game for entry in news.entries)
        gone.extend(news.gone)

    actor.service.on_listed(told)
    moves = 0
    while (await actor.view("", game_id)).round < 2:
        moves += await actor.play(game_id, 1, first=moves)
    await eventually(lambda: heard[-1].round == 2)
    seen = await actor.view("", game_id)
    await actor.play(game_id, 2_000, first=moves)

    assert [game.round for game in heard] == [1, 2]
    assert list(heard[-1].scores) == list(seen.scores)
    assert gone == [game_id]
