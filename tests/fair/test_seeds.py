"""The server commits before it knows the seats' seeds, keeps to it, and tells when the game is over."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import count

import pytest

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.update_pb2 import View
from capicua.client import Unfair, Witness, apply, verify
from capicua.engine import GameStarted, RoundStarted, SeedGiven, print_record, record_of
from capicua.fair import Chance
from capicua.game_actor.deal import SEEDS_MS
from capicua.game_actor.history import fold, read_history
from capicua.log.v1 import entry_pb2 as log
from capicua.store.memory_store import MemoryStore
from kit.actor import Actor, Eyes
from kit.eventually import eventually


async def _record(actor: Actor, game_id: str) -> str:
    record = await actor.service.record(game_id)

    assert isinstance(record, str), record
    return record


def _witness(eyes: Eyes) -> Witness:
    witness = Witness()
    for frame in eyes.frames:
        if frame.HasField("reset"):
            witness.take(frame.reset)
        elif frame.HasField("update"):
            witness.take(frame.update)
    return witness


async def _seeded(actor: Actor, game_id: str, seats: int) -> AsyncIterator[View]:
    """Play a game to its end, every seat with a fresh seed for every deal; gives the view at each round's begin."""
    numbers, begun = count(), -1
    while True:
        view = await actor.view("", game_id)
        if view.round != begun and not view.HasField("winner_side"):
            begun = view.round
            yield view
            for seat in range(seats):
                answer = await actor.give_seed(seat, game_id, b"seed %d of seat %d" % (view.round + 1, seat))
                assert answer.HasField("accepted"), answer
        elif await actor.play(game_id, 1, first=next(numbers)) == 0:
            return


@pytest.mark.parametrize(
    ("variant", "seats", "overrides"),
    [
        ("draw", 2, "{}"),
        ("block_rounds", 4, "{}"),
        ("mexican_train", 3, "{}"),
        ("draw", 3, '{"opener": {"first": "lot_by_tile", "lead": "any", "next": "first_rule", "after_tie": "same"}}'),
    ],
)
async def test_every_viewer_can_check_every_deal(variant: str, seats: int, overrides: str) -> None:
    """Given seeds of every seat for every deal, the record fits them and what each seat and a spectator saw."""
    actor = Actor(MemoryStore())
    target = {"block_rounds": 3, "mexican_train": 2}.get(variant, 150)
    game_id = await actor.start_awaiting(range(seats), variant, seats, target=target, overrides_json=overrides)
    eyes = [actor.watch(f"p-{seat}", game_id) for seat in range(seats)] + [actor.watch("", game_id)]
    views = [view async for view in _seeded(actor, game_id, seats)]
    record = await _record(actor, game_id)

    assert views[0].round == 0
    for viewer in eyes:
        witness = _witness(viewer)
        if witness.seat is not None:
            witness.seeds = {n: b"seed %d of seat %d" % (n, witness.seat) for n in range(1, len(views))}
        checked = verify(record, witness)
        assert [each.round for each in checked] == list(range(1, len(views)))
        assert all(each.committed and each.seen and each.seats == tuple(range(seats)) for each in checked)
        assert all(each.own_seed == (witness.seat is not None) for each in checked)


async def test_the_first_deal_waits_for_those_who_said_so() -> None:
    """Given two seats that give seeds, the deal comes with the last of them; before it there is nothing to play."""
    actor = Actor(MemoryStore())
    game_id = await actor.start_awaiting({0, 2}, "block", 3)
    eyes = actor.watch("p-0", game_id)
    early = await actor.view("p-0", game_id)
    await actor.give_seed(2, game_id, b"two")
    waiting = await actor.view("p-0", game_id)
    await actor.give_seed(0, game_id, b"zero")
    dealt = await actor.view("p-0", game_id)

    assert (early.round, len(early.next_commitment), early.HasField("turn")) == (0, 32, False)
    assert (waiting.round, waiting.seq) == (0, early.seq + 1)
    assert (dealt.round, list(dealt.hand_sizes)) == (1, [5, 5, 5])
    folded = eyes.frames[0].reset.view
    for update in eyes.updates:
        apply(folded, update)
    assert folded == dealt


async def test_the_first_deal_waits_for_nobody_long() -> None:
    """Given a seat that said it would give a seed and does not, the deal is made without it when its time is up."""
    actor = Actor(MemoryStore())
    game_id = await actor.start_awaiting({0, 1}, "block", 2)
    eyes = actor.watch("p-1", game_id)
    await actor.give_seed(1, game_id, b"one")
    due_ms = actor.timer.due[game_id][1]
    actor.expire(game_id)
    await eventually(lambda: eyes.updates[-1].HasField("turn_started"))

    assert due_ms == 1_000_000 + SEEDS_MS
    dealt = next(update.round_started for update in eyes.updates if update.HasField("round_started"))
    assert list(dealt.seat_seeds) == [b"", b"one"]


async def test_a_game_in_which_nobody_gives_seeds_begins_at_once() -> None:
    """Seeds are a right and no duty: the server's own is committed to all the same, a round ahead."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("block_rounds", 2, target=2)
    begun = await actor.view("p-0", game_id)
    await actor.play(game_id, 2000)
    checked = verify(await _record(actor, game_id))

    assert (begun.round, len(begun.next_commitment)) == (1, 32)
    assert all(each.committed and each.seats == () for each in checked)


@pytest.mark.parametrize("cut", ["killed", "drained"])
@pytest.mark.parametrize("awaited", [(), (0, 1)], ids=["in a round", "before the first deal"])
async def test_a_restart_between_commitment_and_deal_keeps_both_seeds(cut: str, awaited: tuple[int, ...]) -> None:
    """Given a seat's seed that was accepted, the next owner deals with it and with what was committed to."""
    store = MemoryStore()
    actor = Actor(store)
    game_id = await actor.start_awaiting(awaited, "block_rounds", 2, target=3)
    eyes = actor.watch("p-0", game_id)
    view = await actor.view("p-0", game_id)
    assert (await actor.give_seed(0, game_id, b"kept")).HasField("accepted")
    if cut == "drained":
        await actor.service.shards.give(set(range(256)))
    later = Actor(store, epoch=2)
    await later.take_over()
    eyes_later = later.watch("p-0", game_id, eyes.seqs[-1])
    await later.play(game_id, 2000)
    witness = Witness()
    for each in (eyes, eyes_later):
        for frame in each.frames:
            witness.take(frame.reset if frame.HasField("reset") else frame.update)
    witness.seeds = {view.round + 1: b"kept"}
    checked = verify(await _record(later, game_id), witness)

    assert [each.round for each in checked if each.own_seed] == [view.round + 1]
    assert witness.commitments[view.round + 1] == view.next_commitment


@pytest.mark.parametrize(
    ("seed", "round", "reason"),
    [
        (b"", 2, reasons.ERROR_REASON_INVALID_ARGUMENT),
        (b"x" * 33, 2, reasons.ERROR_REASON_INVALID_ARGUMENT),
        (b"late", 1, reasons.ERROR_REASON_SEED_NOT_DUE),
        (b"early", 3, reasons.ERROR_REASON_SEED_NOT_DUE),
        (b"another", 2, reasons.ERROR_REASON_SEED_GIVEN),
    ],
)
async def test_a_seed_that_proves_nothing_is_refused(seed: bytes, round: int, reason: int) -> None:
    """Missing, too long, for a deal that is made or not committed to, or a second thought: the game goes on without."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("block_rounds", 2, target=2)
    await actor.give_seed(0, game_id, b"first")
    before = await actor.view("", game_id)
    answer = await actor.give_seed(0, game_id, seed, round)

    assert answer.refused.reason == reason
    assert await actor.view("", game_id) == before


async def test_a_seed_of_a_deal_before_is_refused() -> None:
    """What was shown once was known when the server committed to its next seed; whose it was does not matter."""
    actor = Actor(MemoryStore())
    game_id = await actor.start_awaiting({0}, "block_rounds", 2, target=3)
    await actor.give_seed(0, game_id, b"old")
    refused = [await actor.give_seed(seat, game_id, b"old") for seat in (0, 1)]

    assert [answer.refused.reason for answer in refused] == [reasons.ERROR_REASON_SEED_USED] * 2


async def test_a_seed_sent_again_is_given_once() -> None:
    """I-3: the same command gets the same answer, and the same seed in another command changes nothing."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("block_rounds", 2, target=2)
    view = await actor.view("", game_id)
    answers = [await actor.give_seed(0, game_id, b"mine") for _ in range(3)]
    late = Actor(actor.store, epoch=2)
    await late.take_over()

    assert answers[0] == answers[1] == answers[2]
    assert answers[0].accepted.seq == view.seq + 1
    assert await late.give_seed(0, game_id, b"mine") == answers[0]


async def test_a_seed_makes_no_play_stale() -> None:
    """Somebody's seed changes nothing on which a player decides; a play sent before it came is carried out."""
    actor = Actor(MemoryStore())
    game_id = await actor.start("block_rounds", 2, target=2)
    player, command = await actor.next_command(game_id, "play")
    await actor.give_seed(0, game_id, b"a seed")
    await actor.give_seed(1, game_id, b"another")
    answer = await actor.submit(player, command)
    await actor.play(game_id, 1)
    late = Actor(actor.store, epoch=2)
    await late.take_over()

    assert answer.HasField("accepted")
    assert await late.submit(player, command) == answer


async def test_no_seed_is_told_before_its_time() -> None:
    """R-142: the server's when the game is over, a seat's with the deal it is in; never to anybody before that."""
    actor = Actor(MemoryStore())
    game_id = await actor.start_awaiting((0, 1), "draw", 2, target=150)
    eyes = [actor.watch("p-0", game_id), actor.watch("p-1", game_id), actor.watch("", game_id)]
    shown = [view.SerializeToString() async for view in _seeded(actor, game_id, 2)]
    ended = eyes[2].updates[-1].game_ended
    dealt = {u.round_started.round: u.seq for u in eyes[2].updates if u.HasField("round_started")}

    assert len(ended.server_seeds) == len(dealt) > 1
    for viewer in eyes:
        told = [frame.SerializeToString() for frame in viewer.frames]
        assert not any(seed in data for seed in ended.server_seeds for data in (*shown, *told[:-1]))
        for update in viewer.updates:
            data = update.SerializeToString()
            for number, seq in dealt.items():
                assert update.seq >= seq or b"seed %d of" % number not in data


async def test_no_two_deals_share_a_seed() -> None:
    """Every seed is drawn for one deal of one game."""
    seeds: list[bytes] = []
    for _ in range(20):
        store = MemoryStore()
        actor = Actor(store)
        game_id = await actor.start("block_rounds", 2, target=3)
        await actor.play(game_id, 2000)
        history = await read_history(store, game_id)
        assert history is not None
        seeds += [seal.seed for seal in history.state.standing.seals if seal is not None]

    assert len(seeds) == len(set(seeds)) >= 80
    assert {len(seed) for seed in seeds} == {32}


async def test_a_log_is_played_again_as_it_was_dealt() -> None:
    """I-5: the fold takes the deal that is stored; a log whose seeds were tampered with fails the proof alone."""
    store = MemoryStore()
    actor = Actor(store)
    game_id = await actor.start("block_rounds", 2, target=2)
    await actor.play(game_id, 2000)
    stored = await store.read(game_id)
    entry = log.Entry.FromString(stored[0][1])
    seal = entry.events[0].game_started.seal
    seal.seed = bytes(32)
    events = [step.event for step in (await fold([(1, entry.SerializeToString()), *stored[1:]])).steps]
    was = [step.event for step in (await fold(stored)).steps]
    record = print_record(record_of(events, ["Ana", "Beto"], game_id))

    assert events[1:] == was[1:]
    assert isinstance(events[1], RoundStarted)
    assert events[1].hands[0] != Chance(game_id, 1, seal.seed, [b"", b""]).order(range(28))[:7]
    with pytest.raises(Unfair, match="round 1, commitment"):
        verify(record)


async def test_a_game_begun_without_seals_gets_them_at_its_next_deal() -> None:
    """Given a log of a version that knew no seeds, the game goes on, and what was not committed to is said to be so."""
    store, old = MemoryStore(), MemoryStore()
    actor = Actor(store)
    game_id = await actor.start("block_rounds", 2, target=4)
    for first_seq, data in await store.read(game_id):
        entry = log.Entry.FromString(data)
        entry.events[0].game_started.ClearField("seal")
        for event in entry.events:
            if event.HasField("round_started"):
                event.round_started.ClearField("next_seal")
                event.round_started.ClearField("seat_seeds")
        await old.append(game_id, first_seq, entry.SerializeToString())
    await old.add_running(game_id)
    later = Actor(old, epoch=2)
    await later.take_over()
    none = await later.view("", game_id)
    refused = await later.give_seed(0, game_id, b"too early")
    await later.play(game_id, 2000)
    history = await read_history(old, game_id)
    checked = verify(await _record(later, game_id))

    assert none.next_commitment == b""
    assert refused.refused.reason == reasons.ERROR_REASON_SEED_NOT_DUE
    assert history is not None
    assert isinstance(history.steps[0].event, GameStarted)
    assert [each.committed for each in checked] == [False, False, *[True] * (len(checked) - 2)]


async def test_every_seed_of_a_seat_comes_after_the_commitment() -> None:
    """In the log of a game in which every seat gives all its seeds, none stands before what it answers."""
    store = MemoryStore()
    actor = Actor(store)
    game_id = await actor.start_awaiting({0, 1}, "block_rounds", 2, target=3)
    rounds = len([view async for view in _seeded(actor, game_id, 2)])
    history = await read_history(store, game_id)
    assert history is not None
    committed, answered = 0, []
    for step in history.steps:
        if isinstance(step.event, GameStarted | RoundStarted):
            committed += 1
        elif isinstance(step.event, SeedGiven):
            answered.append(committed)
            assert step.event.seed == b"seed %d of seat %d" % (committed, step.event.seat)

    assert answered == [number for number in range(1, rounds + 1) for _ in range(2)]
