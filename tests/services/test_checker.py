"""The judge of a torture run catches each kind of broken promise, and finds none where there is none."""

from __future__ import annotations

import asyncio
import copy
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.types_pb2 import Tile
from capicua.api.v1.update_pb2 import Reset, Update
from capicua.cli.torture.checker import check
from capicua.cli.torture.transcript import Sent, Transcript
from capicua.cli.torture.violation import Kind
from capicua.log.v1.entry_pb2 import Entry
from capicua.store.memory_store import MemoryStore
from kit.actor import Actor, Eyes


@dataclass
class Run:
    """One game of two seats as it was: its log, and the transcripts of both players and a spectator."""

    game_id: str
    log: list[tuple[int, Entry]]
    players: list[Transcript]
    spectator: Transcript

    def judged(self) -> set[Kind]:
        """The kinds of all violations."""
        return {violation.kind for violation in check({self.game_id: self.log}, [*self.players, self.spectator])}

    def entry(self, kind: str, number: int = 0) -> Entry:
        """The entry with the `number`-th event of a kind first."""
        return [entry for _, entry in self.log if entry.events[0].WhichOneof("event") == kind][number]

    def sent(self) -> Sent:
        """The first command of a player."""
        return self.players[0].sent[0]


def shown(transcript: Transcript, kind: str) -> Any:
    """The first event of a kind that a viewer was shown."""
    return next(
        getattr(item, kind)
        for item in transcript.shown
        if isinstance(item, Update) and item.WhichOneof("event") == kind
    )


def _transcript(game_id: str, eyes: Eyes) -> Transcript:
    transcript = Transcript(game_id, eyes.player_id, followed=True)
    for frame in eyes.frames:
        transcript.show(frame.reset if frame.HasField("reset") else frame.update)
    return transcript


async def _play(quits_at: int = -1) -> Run:
    """Draw for two, to the end of the game; a turn expires on the way, and after so many plays player 1 quits."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("draw", target=1)
    eyes = [actor.watch(player_id, game_id) for player_id in ("p-0", "p-1", "")]
    sent: defaultdict[str, list[Sent]] = defaultdict(list)
    while (await actor.view("", game_id)).HasField("turn"):
        number = sum(map(len, sent.values()))
        if number == quits_at:
            left = await actor.quit("p-1", game_id)
            sent["p-1"].append(Sent(left.request_id, 0, None, accepted=[left.accepted.seq]))
        player_id, command = await actor.next_command(game_id, f"r-{number}")
        answer = await actor.submit(player_id, command)
        kept = Sent(command.request_id, command.expected_seq, command.play_tile.play)
        sent[player_id].append(kept)
        if answer.HasField("accepted"):
            kept.accepted.append(answer.accepted.seq)
        else:
            kept.refused.append(answer.refused.reason)
        if number == 3:
            actor.expire(game_id)
    log = [(first_seq, Entry.FromString(data)) for first_seq, data in await actor.store.read(game_id)]
    *players, spectator = (_transcript(game_id, viewer) for viewer in eyes)
    for player in players:
        player.sent = sent[player.player_id]
    return Run(game_id, log, players, spectator)


@pytest.fixture(scope="module")
def genuine() -> Run:
    """Played once for all tests; one in which somebody draws."""
    while True:
        run = asyncio.run(_play())
        if any(event.HasField("tile_drawn") for _, entry in run.log for event in entry.events):
            return run


@pytest.fixture
def run(genuine: Run) -> Run:
    """A copy that may be doctored."""
    return copy.deepcopy(genuine)


def test_nothing_is_wrong_with_what_was(run: Run) -> None:
    assert run.judged() == set()


async def test_who_has_quit_may_see_what_spectators_see() -> None:
    """Nothing is wrong with a quit; it is when it is lost, done twice, or a tile of the seat is shown after it."""
    run = await _play(quits_at=4)
    player = run.players[1]
    player.sent.append(Sent("late", 3, player.sent[0].play, refused=[reasons.ERROR_REASON_NOT_SEATED]))
    assert run.judged() == set()
    run.players[0].sent.append(player.sent.pop())
    assert run.judged() == {Kind.REFUSED}
    run.players[0].sent.pop()
    later = [item for item in player.shown if isinstance(item, Update) and item.HasField("turn_started")]
    mine = next(
        item.turn_started for item in later if item.seq > player.sent[-1].accepted[0] and item.turn_started.seat
    )
    entry = run.entry("seat_quit")

    mine.legal.add(tile=Tile(high=6, low=6), end="L")
    assert Kind.LEAK in run.judged()
    del mine.legal[:]
    entry.events.add().CopyFrom(entry.events[0])
    assert Kind.DOUBLED in run.judged()
    run.log = [(first_seq, kept) for first_seq, kept in run.log if kept is not entry]
    assert Kind.LOST in run.judged()


def _lose_the_last_command(run: Run) -> None:
    del run.log[-1]


def _lose_a_command_for_another(run: Run) -> None:
    run.sent().request_id = "another"


def _write_a_command_twice(run: Run) -> None:
    first, second = (entry for _, entry in run.log if entry.request_id in ("r-0", "r-2"))
    second.request_id, second.seat = first.request_id, first.seat


def _answer_otherwise(run: Run) -> None:
    sent = run.sent()
    sent.accepted.append(sent.accepted[0] + 1)


def _refuse_what_was_done(run: Run) -> None:
    sent = run.sent()
    sent.refused.append(reasons.ERROR_REASON_STALE_SEQ)


def _refuse_a_legal_play(run: Run) -> None:
    sent = run.sent()
    sent.refused.append(reasons.ERROR_REASON_NO_MATCH)


def _skip_an_entry(run: Run) -> None:
    del run.log[3]


def _skip_an_update(run: Run) -> None:
    del run.spectator.shown[5]


def _show_an_update_twice(run: Run) -> None:
    run.spectator.shown.insert(5, run.spectator.shown[5])


def _go_back(run: Run) -> None:
    run.spectator.shown.append(run.spectator.shown[0])


def _tell_one_viewer_something_else(run: Run) -> None:
    del shown(run.spectator, "tile_played").ends[0]


def _tell_everybody_something_else(run: Run) -> None:
    for viewer in (*run.players, run.spectator):
        shown(viewer, "tile_played").count += 1


def _show_a_spectator_the_plays_of_a_seat(run: Run) -> None:
    play = shown(run.spectator, "tile_played").play
    shown(run.spectator, "turn_started").legal.add(tile=play.tile, end="L")


def _show_a_hand(run: Run) -> None:
    view = run.spectator.shown[0]
    assert isinstance(view, Reset)
    view.view.hand.append(_hidden(run))


def _show_a_draw_to_the_other_player(run: Run) -> None:
    drawn = shown(run.spectator, "tile_drawn")
    shown(run.players[1 - drawn.seat], "tile_drawn").playable = True


def _hidden(run: Run) -> Tile:
    """A tile that stays in the boneyard to the end, or is drawn last."""
    stored = run.entry("game_started").events[1].round_started.boneyard[-1]
    return next(Tile(high=h, low=stored - h * (h + 1) // 2) for h in range(7) if h * (h + 3) // 2 >= stored)


def _show_a_seed(run: Run) -> None:
    view = run.spectator.shown[0]
    assert isinstance(view, Reset)
    view.view.next_commitment = run.entry("game_started").events[0].game_started.seal.seed


def _deal_a_tile_twice(run: Run) -> None:
    dealt = run.entry("game_started").events[1].round_started
    dealt.boneyard = dealt.boneyard[:-1] + dealt.hands[0][:1]


def _play_a_tile_of_nobody(run: Run) -> None:
    played = run.entry("tile_played").events[0].tile_played
    played.tile = run.entry("game_started").events[1].round_started.boneyard[-1]


def _reveal_other_hands(run: Run) -> None:
    ended = run.log[-1][1].events[-2].round_ended
    ended.revealed.reverse()


def _end_a_turn_twice(run: Run) -> None:
    """The play of a client, and the expiry of the same turn after it."""
    entry = run.entry("tile_played", 1)
    entry.events.insert(1, entry.events[0])


def _end_no_turn(run: Run) -> None:
    entry = run.entry("tile_played", 1)
    entry.events.append(entry.events[-1])


def _write_after_a_newer_owner(run: Run) -> None:
    run.log[4][1].epoch += 1


def _never_end(run: Run) -> None:
    del run.log[-1][1].events[-1]


def _forget_a_viewer(run: Run) -> None:
    del run.spectator.shown[-1]


DOCTORED: dict[Callable[[Run], None], Kind] = {
    _lose_the_last_command: Kind.LOST,
    _lose_a_command_for_another: Kind.LOST,
    _write_a_command_twice: Kind.DOUBLED,
    _answer_otherwise: Kind.ANSWERS,
    _refuse_what_was_done: Kind.ANSWERS,
    _refuse_a_legal_play: Kind.REFUSED,
    _skip_an_entry: Kind.GAP,
    _skip_an_update: Kind.GAP,
    _show_an_update_twice: Kind.GAP,
    _go_back: Kind.TAKEN_BACK,
    _tell_one_viewer_something_else: Kind.DIFFERS,
    _tell_everybody_something_else: Kind.DIFFERS,
    _show_a_spectator_the_plays_of_a_seat: Kind.LEAK,
    _show_a_hand: Kind.LEAK,
    _show_a_draw_to_the_other_player: Kind.LEAK,
    _show_a_seed: Kind.LEAK,
    _deal_a_tile_twice: Kind.TILES,
    _play_a_tile_of_nobody: Kind.TILES,
    _reveal_other_hands: Kind.TILES,
    _end_a_turn_twice: Kind.TURN,
    _end_no_turn: Kind.TURN,
    _write_after_a_newer_owner: Kind.EPOCH,
    _never_end: Kind.UNENDED,
    _forget_a_viewer: Kind.UNENDED,
}


@pytest.mark.parametrize("doctor", DOCTORED, ids=lambda doctor: doctor.__name__.strip("_"))
def test_a_broken_promise_is_caught(run: Run, doctor: Callable[[Run], None]) -> None:
    """Given a run in which one thing is not as it should be."""
    doctor(run)

    assert DOCTORED[doctor] in run.judged()


def test_each_promise_has_its_test() -> None:
    """But for a client that is thrown out, which is no matter of judgement."""
    assert set(DOCTORED.values()) == set(Kind) - {Kind.CLIENT}
