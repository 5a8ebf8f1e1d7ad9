"""Tickets outlive their matchmaker: everybody gets one seat, and nobody two."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import pytest

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.table_service_pb2 import Assignment, QuickMatchRequest
from capicua.api.v1.types_pb2 import GameOptions
from capicua.api.v1.update_pb2 import Refusal
from capicua.internal.v1.game_actor_service_pb2 import CreateGameRequest
from capicua.links.installation import TICKETS
from capicua.runtime.refusals import store_away
from kit.eventually import eventually
from kit.matchmakers import Matchmakers

GATEWAYS = 8
PLAYERS = 800
WISHES = [
    QuickMatchRequest(options=GameOptions(variant="block", seats=2)),
    QuickMatchRequest(options=GameOptions(variant="block", seats=4)),
    QuickMatchRequest(options=GameOptions(variant="block"), any_seats=True),
    QuickMatchRequest(options=GameOptions(variant="partners_100")),
]


@pytest.fixture
async def matchmakers() -> AsyncIterator[Matchmakers]:
    """They run; bots fill up after two seconds."""
    there = Matchmakers(bot_fill=2)
    await there.start(GATEWAYS)
    yield there
    await there.stop()


async def games_of(there: Matchmakers, player_id: str) -> list[str]:
    return [seat.game_id for seat in await there.actor.service.seats_of(player_id)]


async def test_nobody_is_lost_or_in_two_games_while_matchmakers_die(matchmakers: Matchmakers) -> None:
    """Given hundreds of tickets from eight gateways, some in parties, and two deaths: each player has one seat."""
    await matchmakers.take_tickets("first")
    for number in range(PLAYERS):
        word = f"word {number // 8}" if number % 4 == 3 else ""
        wish = QuickMatchRequest(options=WISHES[number % 4].options, any_seats=number % 4 == 2, party=word)
        await matchmakers.enqueue(number % GATEWAYS, f"p-{number}", wish)
        if number in (PLAYERS // 3, 2 * PLAYERS // 3):
            await asyncio.sleep(0)
            await matchmakers.kill("first" if number < PLAYERS // 2 else "second")
            await matchmakers.take_tickets("second" if number < PLAYERS // 2 else "third")
    await eventually(lambda: len(matchmakers.seated()) >= PLAYERS, within=20)
    seats = Counter((seat.game_id, seat.seat) for seat in matchmakers.seated())

    assert max(seats.values()) == 1
    for number in range(PLAYERS):
        assert len(await games_of(matchmakers, f"p-{number}")) == 1
    for number in range(3, PLAYERS, 8):
        ana, ben = (matchmakers.told[f"p-{each}"][-1] for each in (number, number + 4))
        assert (ana.game_id, abs(ana.seat - ben.seat)) == (ben.game_id, 2)  # type: ignore[union-attr]


@pytest.mark.parametrize("made", ["before", "never", "late"])
async def test_a_matchmaker_that_dies_between_pairing_and_seating(
    matchmakers: Matchmakers, monkeypatch: pytest.MonkeyPatch, made: str
) -> None:
    """Given it had paired two, and its request to make the game arrived, did not, or arrives when all is over: they
    get one game, the one that was decided, although others wait at the next matchmaker."""
    create, asked, over = matchmakers.actor.service.create_game, list[str](), asyncio.Event()

    async def never_answers(request: CreateGameRequest) -> Refusal | None:
        if made == "before":
            await create(request)
        asked.append(request.game_id)
        await over.wait()
        return await create(request) if made == "late" else store_away()

    monkeypatch.setattr(matchmakers.actor.service, "create_game", never_answers)
    first = await matchmakers.take_tickets("first")
    for number in range(2):
        await matchmakers.enqueue(number, f"p-{number}", WISHES[0])
    ana, ben = (matchmakers.told[f"p-{number}"] for number in range(2))
    await eventually(lambda: all(told and isinstance(told[-1], CreateGameRequest) for told in (ana, ben)))
    monkeypatch.setattr(matchmakers.actor.service, "create_game", create)
    await matchmakers.kill("first")
    await matchmakers.enqueue(3, "q", WISHES[0])
    await matchmakers.take_tickets("second")
    await eventually(lambda: all(isinstance(told[-1], Assignment) for told in (ana, ben)))
    first.lost(TICKETS)
    over.set()
    await first._queue.settled()

    assert {told[-1].game_id for told in (ana, ben)} == set(asked)  # type: ignore[union-attr]
    assert [await games_of(matchmakers, f"p-{number}") for number in range(2)] == [asked[:1]] * 2


async def test_a_matchmaker_that_gives_its_tickets_away_seats_nobody_more(
    matchmakers: Matchmakers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given it hands over while two are being seated and two come: it waits for the two, the others are the next's."""
    create, asked, go_on = matchmakers.actor.service.create_game, list[str](), asyncio.Event()

    async def slow(request: CreateGameRequest) -> Refusal | None:
        asked.append(request.game_id)
        await go_on.wait()
        return await create(request)

    monkeypatch.setattr(matchmakers.actor.service, "create_game", slow)
    first = await matchmakers.take_tickets("first")
    enqueue, turned_away = first.enqueue, list[Refusal]()

    async def noted(*ticket: Any) -> Any:
        outcome = await enqueue(*ticket)
        if isinstance(outcome, Refusal):
            turned_away.append(outcome)
        return outcome

    monkeypatch.setattr(first, "enqueue", noted)
    for number in range(2):
        await matchmakers.enqueue(number, f"p-{number}", WISHES[0])
    await eventually(lambda: len(asked) == 1)
    giving = asyncio.ensure_future(first.give({TICKETS}))
    for number in range(2, 4):
        await matchmakers.enqueue(number, f"p-{number}", WISHES[0])
    await eventually(lambda: len(turned_away) > 1)
    assert not giving.done()
    go_on.set()
    await giving
    assert len(asked) == 1
    await eventually(lambda: len(matchmakers.seated()) == 2)
    await matchmakers.take_tickets("second")
    await eventually(lambda: len(matchmakers.seated()) == 4)

    assert [len(await games_of(matchmakers, f"p-{number}")) for number in range(4)] == [1] * 4
    await matchmakers.kill("first")


async def test_a_game_is_made_once(matchmakers: Matchmakers) -> None:
    """Given the request to make a game comes again, also at once, the game is the one there is."""
    seats = [{"seat": seat, "player_id": f"p-{seat}", "name": f"P{seat}"} for seat in range(2)]
    request = CreateGameRequest(game_id="g-1", table_id="t-1", options=WISHES[0].options, seats=seats)  # type: ignore[arg-type]
    answers = await asyncio.gather(*(matchmakers.actor.service.create_game(request) for _ in range(5)))
    before = await matchmakers.actor.view("p-0", "g-1")
    answers.append(await matchmakers.actor.service.create_game(request))

    assert answers == [None] * 6
    assert await matchmakers.actor.view("p-0", "g-1") == before
    assert await games_of(matchmakers, "p-0") == ["g-1"]


async def test_a_mistake_is_told_and_waited_for_by_nobody(
    matchmakers: Matchmakers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given the matchmaker makes a mistake with a ticket: its player hears so at once (I-10)."""

    async def fails(_: object) -> None:
        raise RuntimeError("a mistake of ours")

    await matchmakers.take_tickets("first")
    monkeypatch.setattr(matchmakers.actor.service, "check_options", fails)
    await matchmakers.enqueue(0, "p-0", WISHES[0])
    await eventually(lambda: bool(matchmakers.told["p-0"]))
    (refused,) = matchmakers.told["p-0"]

    assert isinstance(refused, Refusal)
    assert refused.reason == reasons.ERROR_REASON_INTERNAL
