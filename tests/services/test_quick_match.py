"""Quick match: nobody is forgotten, whatever the clocks say; one player, one ticket, one game."""

from __future__ import annotations

import asyncio

import pytest

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.table_service_pb2 import Assignment, QuickMatchRequest, Waiting
from capicua.api.v1.types_pb2 import GameOptions
from capicua.api.v1.update_pb2 import Refusal
from capicua.internal.v1.game_actor_service_pb2 import CreateGameRequest
from capicua.runtime.refusals import store_away
from capicua.store.ratings import Boards, Rating
from capicua.store.store import StoreUnavailable
from kit.eventually import eventually
from kit.hall import Hall, reason, seat, seated


@pytest.fixture
async def hall() -> Hall:
    """It is open."""
    there = Hall()
    await there.actor.take_over()
    return there


async def test_an_alarm_that_rings_early_rings_again() -> None:
    """Given our clock is behind the loop's, bots still fill up: the wait may be longer, never endless."""
    hall = Hall(bot_fill=0.01)
    await hall.actor.take_over()
    told = [
        (await hall.ask(f"p-{number}", QuickMatchRequest(options=GameOptions(variant="block", target=number + 1))))[0]
        for number in range(20)
    ]
    first = dict(hall.queue._alarms)
    # The loop's clock goes on by itself, ours stands still: the alarms ring, too early for us.
    await eventually(lambda: all(hall.queue._alarms[key] is not alarm for key, alarm in first.items()))
    assert not any(isinstance(news[-1], Assignment) for news in told)
    hall.actor.clock.now_ms += 10

    await eventually(lambda: seated(told))


async def test_two_who_want_the_same_meet_and_a_second_tap_replaces_the_first(hall: Hall) -> None:
    """One ticket a player: the older call ends with SUPERSEDED, and nobody is matched with themselves."""
    first, _ = await hall.ask("p-1")
    second, _ = await hall.ask("p-1")
    assert reason(first) == reasons.ERROR_REASON_SUPERSEDED
    other, _ = await hall.ask("p-2", QuickMatchRequest(options=GameOptions(variant="block", seats=2)))
    await eventually(lambda: seated([second, other]))

    assert {seat(second).seat, seat(other).seat} == {0, 1}


@pytest.mark.parametrize("others", [0, 1, 3])
async def test_five_taps_are_one_game(hall: Hall, others: int) -> None:
    """However many wait, five taps at once and one a moment later give one seat in one game."""
    waiting = [await hall.ask(f"q-{number}") for number in range(others)]
    taps = [told for told, _ in await asyncio.gather(*(hall.ask("p-1") for _ in range(5)))]
    if not others:
        await hall.ask("q")
    await eventually(lambda: any(isinstance(told[-1], Assignment) for told in taps))
    late, _ = await hall.ask("p-1")
    games = {told[-1].game_id for told in (*taps, late) if isinstance(told[-1], Assignment)}

    assert await hall.games_of("p-1") == list(games)
    assert {reason(told) for told in taps if isinstance(told[-1], Refusal)} <= {reasons.ERROR_REASON_SUPERSEDED}
    assert len(hall.queue) == sum(not seated([told]) for told, _ in waiting)


async def test_who_has_finished_the_game_of_a_moment_ago_gets_another(hall: Hall) -> None:
    """The same seat is given for a second tap, not for a second game."""
    short = QuickMatchRequest(options=GameOptions(variant="block", target=1))
    told = [(await hall.ask(player, short))[0] for player in ("p-0", "p-1")]
    await eventually(lambda: seated(told))
    await hall.actor.play(seat(told[0]).game_id, 100)
    again, _ = await hall.ask("p-0", short)

    assert isinstance(again[-1], Waiting)


@pytest.mark.parametrize("turns", range(8))
async def test_who_cancels_around_the_pairing_is_either_out_or_seated(hall: Hall, turns: int) -> None:
    """After any number of turns of the loop: a cancelled ticket leaves no seat; a seat that was quicker is told."""
    asking = asyncio.ensure_future(hall.ask("p-1"))
    other = asyncio.ensure_future(hall.ask("p-2"))
    told, cancel = await asking
    for _ in range(turns):
        await asyncio.sleep(0)
    cancel()
    against, _ = await other
    await hall.queue.settled()

    assert len(await hall.games_of("p-1")) == seated([told]) == seated([against])
    assert len(hall.queue) == (not seated([told]))


async def test_players_of_like_strength_meet(hall: Hall) -> None:
    """Given four with ratings who come in turn, the strong play the strong; without a rating one is a newcomer."""
    mu = {"strong": 40.0, "weak": 10.0, "strong too": 41.0}
    rated = {player_id: Rating(strength) for player_id, strength in mu.items()}
    await hall.actor.store.replace_ratings("block", 0, Boards(rated, {}, ()))
    told = {player_id: (await hall.ask(player_id))[0] for player_id in ("weak", "new", "strong", "strong too")}
    await eventually(lambda: seated([told["strong"], told["strong too"]]))

    assert seat(told["strong"]).game_id == seat(told["strong too"]).game_id
    assert not seated([told["new"], told["weak"]])


async def test_a_store_that_fails_makes_newcomers(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given ratings cannot be had, two who want the same meet: a rating is worth nobody's game."""

    async def away(*_: object) -> tuple[int, dict[str, Rating]]:
        raise StoreUnavailable("away")

    monkeypatch.setattr(hall.actor.store, "ratings", away)
    told = [(await hall.ask(player))[0] for player in ("p-1", "p-2")]

    await eventually(lambda: seated(told))


@pytest.mark.parametrize("made", [False, True])
async def test_a_game_is_asked_for_until_it_is_known(hall: Hall, monkeypatch: pytest.MonkeyPatch, made: bool) -> None:
    """Given no answer whether the game was made: it is asked for again, and nobody gets another one."""
    create, asked = hall.actor.service.create_game, list[str]()

    async def silent(request: CreateGameRequest) -> Refusal | None:
        asked.append(request.game_id)
        if made or len(asked) > 1:
            await create(request)
        return store_away() if len(asked) == 1 else None

    monkeypatch.setattr(hall.actor.service, "create_game", silent)
    told = [(await hall.ask(player))[0] for player in ("p-1", "p-2")]
    await eventually(lambda: seated(told))

    assert asked == [seat(told[0]).game_id] * 2
    assert [await hall.games_of(player) for player in ("p-1", "p-2")] == [asked[:1]] * 2


async def test_who_may_have_been_taken_for_dead_seats_nobody(hall: Hall) -> None:
    """Given the lease is about to run out, nobody is seated; as soon as it is sure again, they are."""
    hall.queue.sure = lambda: False
    told = [(await hall.ask(player))[0] for player in ("p-1", "p-2")]
    await hall.queue.settled()
    assert not await hall.games_of("p-1")
    hall.queue.sure = lambda: True

    await eventually(lambda: seated(told))
