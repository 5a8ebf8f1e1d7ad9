"""Leaving a seat for good: a bot plays it on, and whoever left is a spectator like any other."""

from __future__ import annotations

import asyncio

import pytest

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.game_service_pb2 import Command, GiveSeed, ListGamesRequest
from capicua.api.v1.types_pb2 import TableOptions
from capicua.api.v1.update_pb2 import CommandAnswer, Update
from capicua.cli.record import tell_record
from capicua.client import verify
from capicua.engine import TileDrawn, parse_record, replay
from capicua.game_actor.history import find_history, read_history
from capicua.internal.v1.game_actor_service_pb2 import PlayerSeat
from capicua.runtime.ids import BOTS
from capicua.store.memory_store import MemoryStore
from kit.actor import OPEN, Actor, Eyes

LATE = TableOptions(public=True, spectators=True, delay_moves=3)
ALONE = TableOptions(public=True, spectators=False)
FIRST_BOT = BOTS[0][0]


def private_of(update: Update) -> bool:
    """Whether an update holds what only one seat may see."""
    return bool(
        update.round_started.hand
        or update.turn_started.legal
        or update.round_started.HasField("forced_lead")
        or update.tile_drawn.HasField("tile")
    )


def public_only(eyes: Eyes) -> bool:
    """Whether a viewer was shown nothing that spectators may not see."""
    views = [frame.reset.view for frame in eyes.frames if frame.HasField("reset")]
    return not any(view.HasField("own_seat") or view.hand or view.legal for view in views) and not any(
        private_of(update) for update in eyes.updates
    )


async def whose_turn(actor: Actor, game_id: str) -> int:
    """The seat to act."""
    return (await actor.view("p-0", game_id)).turn


@pytest.mark.parametrize("own_turn", [True, False], ids=["own turn", "another's turn"])
async def test_a_bot_has_the_seat_and_the_turn_goes_on(own_turn: bool) -> None:
    """Given a running turn, when somebody quits, then the bot sits there and neither turn nor deadline changed."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("draw", 2)
    before = await actor.view("p-0", game_id)
    seat = before.turn if own_turn else 1 - before.turn
    quitter = f"p-{seat}"
    told: list[PlayerSeat] = []
    actor.service.on_seat(told.append)
    eyes, other = actor.watch(quitter, game_id), actor.watch(f"p-{1 - seat}", game_id)

    answer = await actor.quit(quitter, game_id)
    view = await actor.view(FIRST_BOT, game_id)

    assert answer.accepted.seq == before.seq + 1
    assert [update.seat_quit.seat_now.player_id for update in other.updates] == [FIRST_BOT]
    assert eyes.updates == other.updates
    assert (view.own_seat, view.turn, view.deadline_ms) == (seat, before.turn, before.deadline_ms)
    assert (view.seats[seat].bot, view.seats[seat].quit, view.seats[seat].name) == (True, True, BOTS[0][1])
    assert bool(view.legal) == own_turn
    assert told == [PlayerSeat(game_id=game_id, seat=seat, table_id="t-1", player_id=FIRST_BOT)]
    assert await actor.service.seats_of(quitter) == []
    assert await actor.service.seats_of(FIRST_BOT) == told
    assert {held.player_id for held in actor.service.seats()} == {FIRST_BOT, f"p-{1 - seat}"}
    assert not (await actor.view(quitter, game_id)).HasField("own_seat")
    assert await actor.play(game_id, 500)
    assert await actor.service.seats_of(FIRST_BOT) == []


@pytest.mark.parametrize("options", [OPEN, LATE], ids=["at once", "late"])
async def test_who_has_left_sees_what_spectators_see(options: TableOptions) -> None:
    """Given a session that watched as a seat, when the player has quit, then neither it nor a watch from any seq is
    shown a private tile, also of what happened before.
    """
    actor = Actor(MemoryStore())
    game_id = await actor.start_table(options, "draw", 2, target=60)
    await actor.play(game_id, 6)
    old, spectator = actor.watch("p-0", game_id), actor.watch("", game_id)
    await actor.play(game_id, 1, first=6)
    seen = len(old.frames)
    await actor.quit("p-0", game_id)
    newest = (await actor.view("p-1", game_id)).seq
    views = [actor.watch("p-0", game_id, last_seen_seq=seq) for seq in range(newest + 1)]
    for number in range(40):
        ask = await actor.view("p-0", game_id)
        ask.ClearField("spectators")
        public = await actor.view("", game_id)
        public.ClearField("spectators")
        assert ask == public
        if not await actor.play(game_id, 1, first=7 + number):
            break
    left = Eyes("p-0")
    left.frames = [frame for frame in old.frames[seen:] if not frame.HasField("presence")]
    begin = left.frames[0].reset.view.seq + 1 if options.delay_moves else newest

    assert public_only(left)
    assert all(public_only(eyes) for eyes in views)
    assert left.seqs == list(range(begin, spectator.seqs[-1] + 1))
    history = await read_history(actor.store, game_id)
    assert history is not None
    assert any(isinstance(step.event, TileDrawn) for step in history.steps)


async def test_the_table_that_lets_nobody_watch_lets_no_quitter() -> None:
    """Given a table without spectators, whoever quits is told so and shown nothing more."""
    actor = Actor(MemoryStore())
    game_id = await actor.start_table(ALONE, "draw", 2)
    eyes = actor.watch("p-0", game_id)
    await actor.quit("p-0", game_id)
    await actor.play(game_id, 3)
    again = actor.watch("p-0", game_id)

    assert eyes.frames[-1].notice.refusal.reason == reasons.ERROR_REASON_SPECTATORS_NOT_ALLOWED
    assert again.frames[-1].notice.refusal.reason == reasons.ERROR_REASON_SPECTATORS_NOT_ALLOWED
    assert len(eyes.frames) == 2


async def test_to_quit_twice_is_to_quit_once() -> None:
    """Given two gateways that send the same wish, or another one, at once: one event, and one answer for all."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("draw", 2)
    answers = await asyncio.gather(
        actor.quit("p-0", game_id, "a"), actor.quit("p-0", game_id, "a"), actor.quit("p-0", game_id, "b")
    )
    late = await actor.quit("p-0", game_id, "c")
    history = await read_history(actor.store, game_id)

    assert history is not None
    assert len(history.state.standing.quits) == 1
    assert {answer.accepted.seq for answer in (*answers, late)} == {history.state.seq}


async def test_two_who_quit_at_once_leave_to_two_bots() -> None:
    """Given quits that wait in the mailbox together, no bot gets two seats."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("draw", 4)
    await asyncio.gather(*(actor.quit(f"p-{seat}", game_id) for seat in range(4)))
    view = await actor.view("", game_id)

    assert [seat.player_id for seat in view.seats] == [player_id for player_id, _ in BOTS[:4]]


async def test_what_waits_behind_the_quit_is_not_played_by_the_bot() -> None:
    """Given a play sent right behind the quit, it is refused: the seat is no longer the player's."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("draw", 2)
    player, command = await actor.next_command(game_id, "r-0")
    quit, play = await asyncio.gather(actor.quit(player, game_id), actor.submit(player, command))

    assert quit.HasField("accepted")
    assert play.refused.reason == reasons.ERROR_REASON_NOT_SEATED


async def test_answers_from_before_the_quit_stay() -> None:
    """Given a play whose answer was lost, when it is sent again after the quit, then its answer is the same."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("draw", 2)
    player, command = await actor.next_command(game_id, "r-0")
    first = await actor.submit(player, command)
    await actor.quit(player, game_id)

    assert await actor.submit(player, command) == first


async def test_a_quit_makes_no_play_stale() -> None:
    """Given a play decided before another player quit, it is carried out."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("draw", 3)
    player, command = await actor.next_command(game_id, "r-0")
    other = next(f"p-{seat}" for seat in range(3) if f"p-{seat}" != player)
    await actor.quit(other, game_id)
    answer = await actor.submit(player, command)

    assert answer.HasField("accepted")
    assert await actor.submit(player, command) == answer


async def test_only_people_quit() -> None:
    """A bot that has taken a seat keeps it, and so does nobody who has none."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("draw", 2)
    await actor.quit("p-0", game_id)
    bot, stranger = await actor.quit(FIRST_BOT, game_id), await actor.quit("p-9", game_id)

    assert bot.refused.reason == reasons.ERROR_REASON_NOT_FOR_BOTS
    assert stranger.refused.reason == reasons.ERROR_REASON_NOT_SEATED


async def test_the_first_deal_comes_when_the_awaited_one_quits() -> None:
    """Given a deal that waits for one seat's seed, when its player quits, then the deal is in the same append and
    nothing of the hand is shown to who has left.
    """
    actor = Actor(MemoryStore())
    game_id = await actor.start_awaiting({0}, "draw", 2)
    eyes, bot = actor.watch("p-0", game_id), Eyes(FIRST_BOT)
    actor.service.on_seat(lambda held: actor.service.watch(bot, held.game_id, 0))
    answer = await actor.quit("p-0", game_id)

    assert [update.WhichOneof("event") for update in eyes.updates][:2] == ["seat_quit", "round_started"]
    assert eyes.seqs[-1] == answer.accepted.seq
    assert await actor.quit("p-0", game_id, "again") == CommandAnswer(
        game_id=game_id, request_id="again", accepted=answer.accepted
    )
    left = Eyes("p-0")
    left.frames = eyes.frames[1:]
    assert public_only(left)
    assert bot.frames[0].reset.view.hand


async def test_a_seed_of_who_has_left_stays_in_the_deal_and_no_other_comes() -> None:
    """Given a quit, seeds of the quitter are refused."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("draw", 2)
    await actor.give_seed(0, game_id, b"first")
    await actor.quit("p-0", game_id)
    wish = Command(game_id=game_id, request_id="s", give_seed=GiveSeed(round=2, seed=b"second"))

    assert (await actor.submit("p-0", wish)).refused.reason == reasons.ERROR_REASON_NOT_SEATED


@pytest.mark.parametrize("variant", ["draw", "partners_200", "mexican_train"])
async def test_a_new_owner_knows_who_has_left(variant: str) -> None:
    """Given a quit and a killed owner, the next one, also from a snapshot, shows the same view to everybody, and the
    bot plays to the end; the record tells of it.
    """
    store = MemoryStore()
    old = Actor(store, epoch=1)
    seats = 4 if variant == "partners_200" else 2
    game_id = await old.start(variant, seats)
    await old.quit("p-1", game_id)
    moves = 0
    while await store.snapshot(game_id) is None:
        moves += await old.play(game_id, 1, first=moves)
    views = {player: await old.view(player, game_id) for player in ("p-0", "p-1", FIRST_BOT)}

    new = Actor(store, epoch=2, clock=old.clock)
    await new.take_over(served_ms=old.clock.now_ms)
    for player, view in views.items():
        now = await new.view(player, game_id)
        view.seq, view.deadline_ms = now.seq, now.deadline_ms
        assert now == view
    again = await new.quit("p-1", game_id, "another")
    assert 0 < again.accepted.seq < views["p-0"].seq
    assert {held.player_id for held in new.service.seats()} >= {FIRST_BOT}
    assert await new.service.seats_of("p-1") == []
    await new.play(game_id, 5000, first=moves)

    record = await new.service.record(game_id)
    assert isinstance(record, str)
    assert f"quit 1 {BOTS[0][1]}" in record
    assert replay(parse_record(record))
    assert all(checked.committed for checked in verify(record))
    assert f"Player 1 has quit: {BOTS[0][1]} (bot) plays on" in list(tell_record(record))
    history = await find_history(store, None, game_id)
    assert not (await new.view("p-1", game_id)).HasField("own_seat"), history


async def test_after_the_end_everybody_gets_the_answer_they_got() -> None:
    """Given a game that a bot has ended, its last play and the quit sent again have their answers."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("block", 2, target=1)
    left = await actor.quit("p-1", game_id)
    last = None
    for number in range(500):
        if not (await actor.view("p-0", game_id)).HasField("turn"):
            break
        player, command = await actor.next_command(game_id, f"r-{number}")
        last = player, command, await actor.submit(player, command)

    assert last is not None
    assert await actor.submit(*last[:2]) == last[2]
    assert await actor.quit("p-1", game_id) == left
    late = await actor.quit("p-1", game_id, "late")
    assert late.refused.reason == reasons.ERROR_REASON_GAME_OVER


async def test_the_lobby_names_the_bot() -> None:
    """Given a public game, lists show who sits there now."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("draw", 2)
    await actor.quit("p-0", game_id)
    games = await actor.service.live_games(ListGamesRequest())

    assert [seat.player_id for seat in games[0].seats] == [FIRST_BOT, "p-1"]
