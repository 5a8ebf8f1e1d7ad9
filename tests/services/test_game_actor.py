"""The game-actor: commit before show, dense seqs, exactly once, one writer, one end of a turn."""

import asyncio

import pytest

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.game_service_pb2 import Command, DrawTile, PassTurn, PlayTile
from capicua.api.v1.types_pb2 import Play, Tile
from capicua.api.v1.update_pb2 import CommandAnswer, Refusal
from capicua.game_actor.history import read_history, read_latest
from capicua.log.v1.snapshot_pb2 import Snapshot
from capicua.runtime.shard import SHARDS, shard_of
from capicua.store.memory_store import MemoryStore
from capicua.store.store import StoreUnavailable
from kit.actor import Actor, Eyes, HandClock
from kit.eventually import eventually


class HeldStore(MemoryStore):
    """A store whose appends end when the test says so: the fault points between asking and knowing."""

    def __init__(self) -> None:
        super().__init__()
        self.holding = False
        self.held: list[tuple[asyncio.Future[None], asyncio.Future[None] | None]] = []
        self.losing: str | None = None

    def append(self, game_id: str, first_seq: int, entry: bytes) -> asyncio.Future[None]:
        loop = asyncio.get_running_loop()
        if self.losing == "always":
            away: asyncio.Future[None] = loop.create_future()
            away.set_exception(StoreUnavailable("away"))
            return away
        if self.losing == "mistake":
            self.losing = None
            raise ValueError("a mistake of ours")
        if self.losing is not None:
            # The connection breaks: before the entry arrived, or after.
            if self.losing == "answer":
                super().append(game_id, first_seq, entry)
            self.losing = None
            lost: asyncio.Future[None] = loop.create_future()
            lost.set_exception(StoreUnavailable("cut"))
            return lost
        if not self.holding:
            return super().append(game_id, first_seq, entry)
        asked: asyncio.Future[None] = loop.create_future()
        self.held.append((asked, super().append(game_id, first_seq, entry)))
        return asked

    async def read(self, game_id: str, first_seq: int = 1) -> list[tuple[int, bytes]]:
        if self.losing == "always":
            raise StoreUnavailable("away")
        return await super().read(game_id, first_seq)

    def let_go(self) -> None:
        """Let the appends that wait end."""
        for asked, _ in self.held:
            asked.set_result(None)
        self.held.clear()
        self.holding = False


async def test_nothing_is_shown_before_it_is_stored() -> None:
    """I-1: while the append is under way no viewer and no answer knows of the move."""
    store = HeldStore()
    actor = Actor(store)
    game_id = await actor.start()
    eyes = [actor.watch(player, game_id) for player in ("p-0", "p-1", "")]
    player, command = await actor.next_command(game_id, "r-1")
    answers: list[CommandAnswer] = []
    store.holding = True
    actor.service.submit(player, command, answers.append)
    await asyncio.sleep(0)

    assert answers == []
    assert [viewer.updates for viewer in eyes] == [[], [], []]
    store.let_go()
    await eventually(lambda: len(answers) == 1)
    shown = list(range(command.expected_seq + 1, answers[0].accepted.seq + 1))
    assert shown
    assert [viewer.seqs for viewer in eyes] == [shown] * 3


@pytest.mark.parametrize(("variant", "seats"), [("block_rounds", 4), ("draw", 3), ("block", 2)])
async def test_every_viewer_gets_every_seq_of_a_whole_game(variant: str, seats: int) -> None:
    """I-2: seats and spectators see the same dense numbers to the end of the game."""
    actor = Actor(MemoryStore())
    game_id = await actor.start(variant, seats, target=2 if variant == "block_rounds" else 20)
    eyes = [actor.watch(f"p-{seat}", game_id) for seat in range(seats)] + [actor.watch("", game_id)]
    begun = eyes[0].frames[0].reset.view.seq
    await actor.play(game_id, 2000)

    last = eyes[0].seqs[-1]
    assert [viewer.seqs for viewer in eyes] == [list(range(begun + 1, last + 1))] * (seats + 1)
    assert all(viewer.updates[-1].HasField("game_ended") and viewer.over for viewer in eyes)


async def test_a_repeated_command_gets_the_same_answer_and_one_event() -> None:
    """I-3: fifty times the same request, before and after a restart and the end of the game: one event."""
    store = MemoryStore()
    actor = Actor(store)
    game_id = await actor.start("block_rounds", target=1)
    player, command = await actor.next_command(game_id, "same")
    answers = await asyncio.gather(*(actor.submit(player, command) for _ in range(25)))
    later = Actor(store, epoch=2)
    await later.take_over(0)
    answers += [await later.submit(player, command) for _ in range(25)]
    await later.play(game_id, 500)
    answers.append(await later.submit(player, command))
    history = await store.read(game_id)

    assert all(answer == answers[0] for answer in answers)
    assert answers[0].HasField("accepted")
    assert sum(b"same" in entry for _, entry in history) == 1


async def test_an_old_answer_is_found_in_the_log() -> None:
    """I-3: the window of remembered answers may be passed; the entry after `expected_seq` still knows."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("draw", 2, target=10_000)
    player, command = await actor.next_command(game_id, "first of all")
    first = await actor.submit(player, command)
    await actor.play(game_id, 150)

    assert await actor.submit(player, command) == first


async def test_a_stale_command_is_refused_with_the_newest_seq() -> None:
    """A decision on an old picture is refused with STALE_SEQ and where the game is now."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("draw", 2, target=10_000)
    await actor.play(game_id, 3)
    player, command = await actor.next_command(game_id, "late")
    command.expected_seq -= 2
    answer = await actor.submit(player, command)

    view = await actor.view(player, game_id)
    assert answer.refused.reason == reasons.ERROR_REASON_STALE_SEQ
    assert answer.refused.current_seq == view.seq


@pytest.mark.parametrize("lose", ["entry", "answer"])
async def test_a_lost_connection_to_the_store_loses_and_doubles_nothing(lose: str) -> None:
    """Whether the entry or only its answer was lost: the log decides, and a repeat gets the right answer."""
    store = HeldStore()
    actor = Actor(store)
    game_id = await actor.start()
    eyes = actor.watch("", game_id)
    player, command = await actor.next_command(game_id, "r-1")
    store.losing = lose
    first = await actor.submit(player, command)
    again = await actor.submit(player, command)

    if lose == "answer":
        assert first.HasField("accepted")
    else:
        assert first.refused.reason == reasons.ERROR_REASON_UNAVAILABLE
    assert again.HasField("accepted")
    assert eyes.seqs == list(range(command.expected_seq + 1, again.accepted.seq + 1))
    assert await actor.play(game_id, 3, first=10) == 3


async def test_everybody_is_answered_while_the_store_is_away() -> None:
    """I-10: new, repeated and stale commands are refused as UNAVAILABLE at once; afterwards play goes on."""
    store = HeldStore()
    actor = Actor(store)
    game_id = await actor.start("draw", 2, target=10_000)
    await actor.play(game_id, 80)
    player, command = await actor.next_command(game_id, "r-away")
    stale = Command(game_id=game_id, request_id="long ago", expected_seq=5, play_tile=command.play_tile)
    store.losing = "always"
    async with asyncio.timeout(1):
        answers = await asyncio.gather(*(actor.submit(player, asked) for asked in (command, command, stale, command)))
    store.losing = None

    assert {answer.refused.reason for answer in answers} == {reasons.ERROR_REASON_UNAVAILABLE}
    async with asyncio.timeout(5):
        while not (answer := await actor.submit(player, command)).HasField("accepted"):
            assert answer.refused.reason == reasons.ERROR_REASON_UNAVAILABLE
            await asyncio.sleep(0.01)


async def test_a_mistake_in_one_command_does_not_stop_the_game() -> None:
    """INTERNAL for that command, the game as it was, and the next one is carried out."""
    store = HeldStore()
    actor = Actor(store)
    game_id = await actor.start()
    player, command = await actor.next_command(game_id, "r-1")
    store.losing = "mistake"
    answer = await actor.submit(player, command)

    assert answer.refused.reason == reasons.ERROR_REASON_INTERNAL
    assert (await actor.submit(player, command)).HasField("accepted")


async def test_a_server_that_slept_gives_the_time_back() -> None:
    """I-8: an expiry far too late is no fault of the seat's: its clock goes on, nobody plays for it."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("block", 2, target=10_000)
    before = await actor.view("", game_id)
    actor.clock.now_ms = before.deadline_ms + 60_000
    actor.expire(game_id)
    await eventually(lambda: actor.timer.due[game_id][1] > before.deadline_ms)
    after = await actor.view("", game_id)

    assert (after.turn, list(after.layout)) == (before.turn, [])
    assert after.deadline_ms > actor.clock.now_ms


async def test_watching_again_while_catching_up_shows_nothing_twice() -> None:
    """I-2: the newest Watch counts, an Unwatch ends it, whatever was under way."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("draw", 2, target=10_000)
    await actor.play(game_id, 12)
    newest = (await actor.view("", game_id)).seq
    eager, gone = Eyes("p-0"), Eyes("p-0")
    for _ in range(3):
        actor.service.watch(eager, game_id, 1)
    actor.service.watch(gone, game_id, 1)
    actor.service.watch(gone, game_id, 1)
    actor.service.unwatch(gone, game_id)
    await eventually(lambda: len(eager.updates) >= newest - 1)
    await actor.play(game_id, 2, first=12)

    assert eager.seqs == list(range(2, eager.seqs[-1] + 1))
    assert gone.frames == []


async def test_a_finished_game_too_long_to_catch_up_with_is_shown_whole() -> None:
    """Past 500 missed updates a viewer gets a view, of a finished game as of a running one."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("draw", 2, target=600)
    await actor.play(game_id, 5000)
    eyes = actor.watch("p-0", game_id, last_seen_seq=1)
    await eventually(lambda: eyes.over)

    assert [frame.WhichOneof("frame") for frame in eyes.frames] == ["reset"]
    assert eyes.frames[0].reset.view.seq > 501


async def test_a_replaced_owner_writes_nothing_more() -> None:
    """I-4: the owner that was taken over learns it from the store, refuses, and shows nothing."""
    store = MemoryStore()
    old = Actor(store)
    game_id = await old.start()
    eyes = old.watch("p-0", game_id)
    player, command = await old.next_command(game_id, "r-1")
    new = Actor(store, epoch=2)
    await new.take_over(0)
    answer = await old.submit(player, command)

    assert answer.refused.reason == reasons.ERROR_REASON_UNAVAILABLE
    assert eyes.updates == []
    assert eyes.frames[-1].notice.refusal.reason == reasons.ERROR_REASON_UNAVAILABLE
    assert await new.play(game_id, 2) == 2


@pytest.mark.parametrize("variant", ["block", "draw"])
async def test_who_slept_while_loading_writes_nothing_after_a_newer_owner(variant: str) -> None:
    """I-4: given a shard that was taken, lost again unnoticed, and played on by the next, also past a snapshot."""
    store = MemoryStore()
    game_id = await Actor(store).start(variant, target=100)
    newer = Actor(store, epoch=3)
    await newer.take_over()
    await newer.play(game_id, 40)
    written = await store.read(game_id)

    sleeper = Actor(store, epoch=2)
    await sleeper.take_over()
    refused = await sleeper.service.view(game_id, "")

    assert isinstance(refused, Refusal)
    assert refused.reason == reasons.ERROR_REASON_UNAVAILABLE
    assert await store.read(game_id) == written


@pytest.mark.parametrize("handed_over", [False, True])
@pytest.mark.parametrize("owners", [1, 2, 3])
async def test_a_take_over_makes_no_command_stale(owners: int, handed_over: bool) -> None:
    """I-8: only the deadline has moved, so what the player decided before still holds, and is carried out once;
    whether the owners before died or handed the game over."""
    store = MemoryStore()
    actor = Actor(store)
    game_id = await actor.start()
    await actor.play(game_id, 3)
    player, command = await actor.next_command(game_id, "r-late")
    for epoch in range(2, 2 + owners):
        if handed_over:
            await actor.service.shards.give(set(range(SHARDS)))
        actor = Actor(store, epoch=epoch)
        await actor.take_over(0)
    answer = await actor.submit(player, command)
    assert answer.accepted.seq > command.expected_seq + owners
    await actor.play(game_id, 1, first=100)
    later = Actor(store, epoch=9)
    await later.take_over(0)
    for number in range(100):
        later.service._registry.get(game_id)._answers.add(0, f"other-{number}", 1)  # type: ignore[union-attr]

    assert (await later.submit(player, command)).accepted == answer.accepted


async def test_a_restart_goes_on_where_the_game_was() -> None:
    """I-5: same hands, scores and turn; the time in which nobody could move is given back (I-8)."""
    store, clock = MemoryStore(), HandClock()
    old = Actor(store, clock=clock)
    game_id = await old.start("draw", 3, target=10_000)
    await old.play(game_id, 17)
    before = [await old.view(player, game_id) for player in ("p-0", "p-1", "p-2", "")]
    died = clock.now_ms = clock.now_ms + 12_000
    clock.now_ms += 3_600_000
    new = Actor(store, epoch=2, clock=clock)
    await new.take_over(died)
    after = [await new.view(player, game_id) for player in ("p-0", "p-1", "p-2", "")]

    for old_view, view in zip(before, after, strict=True):
        assert view.deadline_ms == old_view.deadline_ms + 3_600_000
        view.seq, view.deadline_ms = old_view.seq, old_view.deadline_ms
    assert after == before


@pytest.mark.parametrize(("variant", "seats"), [("draw", 2), ("all_fives", 4), ("mexican_train", 3)])
async def test_snapshot_and_tail_are_the_whole_log(variant: str, seats: int) -> None:
    """I-5: wherever the game stands, going on from the newest snapshot gives the very state that folding gives."""
    store = MemoryStore()
    actor = Actor(store)
    game_id = await actor.start(variant, seats, target=10_000 if variant != "mexican_train" else 13)
    shortcuts = 0
    for number in range(120):
        await actor.play(game_id, 1, first=number)
        latest, whole = await read_latest(store, game_id), await read_history(store, game_id)
        assert latest is not None
        assert whole is not None
        assert (latest.facts, latest.state) == (whole.facts, whole.state)
        shortcuts += len(latest.entries) < len(whole.entries)

    assert shortcuts
    of_another_version = Snapshot.FromString(await store.snapshot(game_id) or b"")
    of_another_version.schema_version += 1
    for useless in (b"not a snapshot at all", of_another_version.SerializeToString()):
        store.save_snapshot(game_id, useless)
        assert await read_latest(store, game_id) == await read_history(store, game_id)


async def test_a_log_of_a_newer_version_stops_its_game_alone() -> None:
    """An unknown kind of event is never skipped: who asks is told, and the other games go on."""
    store = MemoryStore()
    actor = Actor(store)
    game_id, other = await actor.start("block", 2), await actor.start("draw", 2)
    player, command = await actor.next_command(game_id, "r-1")
    seq = (await actor.view("", game_id)).seq
    # An entry with an event of field 127, which no version has yet.
    await store.append(game_id, seq + 1, b"\x32\x04\xfa\x07\x01\x00")
    later = Actor(store, epoch=2)
    async with asyncio.timeout(5):
        await later.take_over(0)
        answer = await later.submit(player, command)
        view = await later.service.view(game_id, "")

    assert answer.refused.reason == reasons.ERROR_REASON_INTERNAL
    assert isinstance(view, Refusal)
    assert await later.play(other, 2) == 2


async def test_a_turn_ends_once() -> None:
    """I-8: of a move and an expiry at the same moment exactly one ends the turn, whichever is first."""
    for move_first in (True, False):
        store = HeldStore()
        actor = Actor(store)
        game_id = await actor.start("block", 2, target=10_000)
        player, command = await actor.next_command(game_id, "r-1")
        answers: list[CommandAnswer] = []
        store.holding = True
        if move_first:
            actor.service.submit(player, command, answers.append)
            actor.expire(game_id)
        else:
            actor.expire(game_id)
            actor.service.submit(player, command, answers.append)
        store.let_go()
        await eventually(lambda answers=answers: len(answers) == 1)  # type: ignore[misc]
        view = await actor.view("", game_id)

        assert len(view.layout) == 1
        assert answers[0].HasField("accepted") == move_first
        if not move_first:
            assert answers[0].refused.reason == reasons.ERROR_REASON_STALE_SEQ


async def test_a_player_who_never_moves_is_played_and_comes_back() -> None:
    """R-79: autoplay at the deadline; after two misses the turns are short until one own play."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("draw", 2, target=10_000)
    eyes = actor.watch("", game_id)
    for _ in range(4):
        actor.expire(game_id)
        await asyncio.sleep(0)
        await eventually(lambda: game_id in actor.timer.due)
    view = await actor.view("", game_id)

    assert list(view.away) == [0, 1]
    assert view.deadline_ms - actor.clock.now_ms == 1000
    assert all(u.tile_played.expired for u in eyes.updates if u.HasField("tile_played"))
    turn = view.turn
    await actor.play(game_id, 1)
    assert turn not in (await actor.view("", game_id)).away


@pytest.mark.parametrize("viewer", ["p-0", "p-1", ""])
async def test_a_viewer_resumes_from_any_seq(viewer: str) -> None:
    """Whatever was seen last, the rest is what another viewer of the same rights was shown."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("draw", 2, target=10_000)
    full = actor.watch(viewer, game_id)
    await actor.play(game_id, 12)
    begun = full.frames[0].reset.view.seq
    for seen in range(begun, full.seqs[-1] + 1):
        eyes = actor.watch(viewer, game_id, last_seen_seq=seen)
        await eventually(lambda eyes=eyes, seen=seen: begun + len(full.updates) == seen + len(eyes.updates))  # type: ignore[misc]

        assert eyes.updates == full.updates[seen - begun :]


async def test_who_saw_more_than_there_is_starts_over() -> None:
    """A viewer from a future that the store has lost gets a full view, not silence."""
    actor = Actor(MemoryStore())
    game_id = await actor.start()
    eyes = actor.watch("p-0", game_id, last_seen_seq=999)
    await eventually(lambda: bool(eyes.frames))

    assert eyes.frames[0].reset.view == await actor.view("p-0", game_id)


async def test_who_left_while_catching_up_is_not_followed() -> None:
    """A viewer that goes away in the middle of a resume leaves nothing behind."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("draw", 2, target=10_000)
    await actor.play(game_id, 5)
    eyes = Eyes("p-0")
    actor.service.watch(eyes, game_id, 2)
    actor.service.unwatch(eyes, game_id)
    await actor.play(game_id, 2, first=5)

    assert eyes.frames == []


def _play(tile: tuple[int, int], end: str) -> dict[str, PlayTile]:
    return {"play_tile": PlayTile(play=Play(tile=Tile(high=tile[0], low=tile[1]), end=end))}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"game_id": "g-none"}, reasons.ERROR_REASON_GAME_NOT_FOUND),
        ({"player": "p-9"}, reasons.ERROR_REASON_NOT_SEATED),
        ({"player": "other"}, reasons.ERROR_REASON_NOT_YOUR_TURN),
        ({"command": {"pass_turn": PassTurn()}}, reasons.ERROR_REASON_MUST_PLAY),
        ({"command": {"draw_tile": DrawTile()}}, reasons.ERROR_REASON_NO_DRAW_IN_VARIANT),
        ({"command": {}}, reasons.ERROR_REASON_INVALID_ARGUMENT),
        ({"command": {"play_tile": PlayTile()}}, reasons.ERROR_REASON_INVALID_ARGUMENT),
        ({"command": _play((3, 4), "L")}, reasons.ERROR_REASON_INVALID_ARGUMENT),
        ({"command": _play((99, 4), "L")}, reasons.ERROR_REASON_INVALID_ARGUMENT),
        ({"command": _play((12, 12), "-")}, reasons.ERROR_REASON_TILE_NOT_IN_HAND),
        ({"command": "wrong end"}, reasons.ERROR_REASON_END_NOT_OPEN),
        ({"request_id": ""}, reasons.ERROR_REASON_INVALID_ARGUMENT),
        ({"request_id": "r" * 65}, reasons.ERROR_REASON_INVALID_ARGUMENT),
    ],
)
async def test_a_bad_command_is_refused_and_changes_nothing(change: dict[str, object], reason: int) -> None:
    """I-10, R-80: a typed reason, words that help, and the game as it was."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("block", 2)
    player, command = await actor.next_command(game_id, "r-1")
    before = [await actor.view(viewer, game_id) for viewer in ("p-0", "p-1", "")]
    wanted = change.get("command", {"play_tile": command.play_tile})
    if wanted == "wrong end":
        wanted = {"play_tile": PlayTile(play=Play(tile=command.play_tile.play.tile, end="U"))}
    asked = Command(
        game_id=str(change.get("game_id", game_id)),
        request_id=str(change.get("request_id", "r-1")),
        expected_seq=command.expected_seq,
        **wanted,  # type: ignore[arg-type]
    )
    who = str(change.get("player", player))
    answer = await actor.submit({"p-0": "p-1", "p-1": "p-0"}[player] if who == "other" else who, asked)

    assert answer.refused.reason == reason, answer
    assert answer.refused.message
    assert [await actor.view(viewer, game_id) for viewer in ("p-0", "p-1", "")] == before


class ForgetfulStore(MemoryStore):
    """A store that may be away when a game ends."""

    away = True

    async def set_finished(self, game_id: str) -> None:
        if self.away:
            raise StoreUnavailable("away")
        await super().set_finished(game_id)


async def test_an_end_that_was_not_indexed_is_made_good_at_the_next_start() -> None:
    """I-5: the log says that a game is over, whatever the index says; the next owner does not play on."""
    store = ForgetfulStore()
    actor = Actor(store)
    game_id = await actor.start(target=1)
    await actor.play(game_id, 1000)
    assert await store.running(shard_of(game_id)) == {game_id}
    store.away = False
    next_owner = Actor(store, epoch=2, clock=actor.clock)
    await next_owner.take_over(0)

    assert await store.running(shard_of(game_id)) == set()
    assert not next_owner.timer.due
    assert isinstance(await next_owner.service.record(game_id), str)


@pytest.mark.parametrize(
    ("opened_ms", "winner"),
    [((1000, 1000), 1), ((1000, 1015), 1), ((1015, 1000), 1), ((1000, 9000), 1), ((9000, 1000), 0)],
)
async def test_the_session_that_was_opened_last_wins(opened_ms: tuple[int, int], winner: int) -> None:
    """Given two sessions of a player at two gateways, whose clocks differ by some milliseconds: the one that was
    opened later shows the seat, even if the watch of one that is long dead comes last."""
    actor = Actor(MemoryStore())
    game_id = await actor.start()
    sessions = [Eyes("p-0"), Eyes("p-0")]
    for eyes, opened in zip(sessions, opened_ms, strict=True):
        eyes.opened_ms = opened
        actor.service.watch(eyes, game_id, 0)
    loser = sessions[1 - winner].frames[-1]
    assert loser.notice.refusal.reason == reasons.ERROR_REASON_SUPERSEDED
    assert [frame.WhichOneof("frame") for frame in sessions[winner].frames] == ["reset"]
