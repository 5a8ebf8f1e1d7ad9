"""Several processes, any of which may die: what a player was told stays true (I-2, I-3, I-4, I-8)."""

from __future__ import annotations

import asyncio
import os
import random
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
import pytest_asyncio

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1 import game_service_pb2 as games
from capicua.api.v1 import table_service_pb2 as tables
from capicua.api.v1.types_pb2 import TALK_TEXT, GameOptions, TableOptions
from capicua.api.v1.update_pb2 import Frame
from capicua.cli.local_installation import LocalInstallation
from capicua.cli.status import status
from capicua.client.lobby import Lobby
from capicua.runtime.threads import unhurried
from kit.eventually import eventually
from kit.gateway import reason_of
from kit.installation import Player, Session, World, play, world

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(120)]

COUNTS = {"gateway": 2, "game-actor": 2, "timer": 2, "matchmaking": 1}
TABLES_AT_DEADLINE = 100
TABLES_OF_A_HOST = 10
"""As many as one player may make at once."""
RESUMES = 300


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def here(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """Two gateways, two actors, two timers and a matchmaker on a cluster of three masters."""
    folder: Path = tmp_path_factory.mktemp("installation") / "run"
    options = ("--lease", "1", "--log-level", "warning")
    async with (
        LocalInstallation(folder, counts=COUNTS, replicas=0, options=options) as installation,
        world(installation) as there,
    ):
        yield there


async def test_a_command_sent_fifty_times_through_a_kill_is_one_event(here: World) -> None:
    """I-3: to two gateways, before and after the owner dies: one event, fifty equal answers."""
    ana, ben = await here.player("Ana"), await here.player("Ben", gateway=1)
    game_id = await here.table([ana, ben], variant="block")
    mover = ana if (await ana.view(game_id)).turn == 0 else ben
    command = play(await mover.view(game_id))
    twice = [mover.at(channel) for channel in here.channels]
    request = games.SubmitCommandRequest(command=command)

    def send(count: int) -> list[asyncio.Task[games.SubmitCommandResponse]]:
        return [asyncio.ensure_future(twice[n % 2].call("SubmitCommand", request, timeout=20)) for n in range(count)]

    before = send(20)
    await asyncio.wait(before, return_when=asyncio.FIRST_COMPLETED)
    owner = await here.owner(game_id)
    owner.kill()
    during = send(20)
    await here.moved(game_id, owner)
    after = send(10)
    answers = await asyncio.gather(*before, *during, *after)
    seqs = {answer.seq for answer in answers}
    view = await mover.view(game_id)
    await owner.start()
    await here.installation.settle()

    assert len(answers) == 50
    assert len(seqs) == 1
    assert [tile for tile in view.hand if tile == command.play_tile.play.tile] == []


async def test_a_session_is_served_through_the_death_of_its_actor(here: World) -> None:
    """Given the owner is killed, the same connection goes on: every seq once, and nobody is refused."""
    ana, ben = await here.player("Ana"), await here.player("Ben", gateway=1)
    game_id = await here.table([ana, ben], variant="block", target=10_000)
    sessions = [Session(player) for player in (ana, ben)]
    for session in sessions:
        await session.say(watch=games.Watch(game_id=game_id))
    for number in range(12):
        turn = (await ana.view(game_id)).turn
        mover = (ana, ben)[turn]
        view = await mover.view(game_id)
        if number == 5:
            owner = await here.owner(game_id)
            owner.kill()
        await sessions[turn].say(command=play(view))
        await eventually(lambda turn=turn, number=number: sum(map(bool, answered(sessions))) > number, within=20)  # type: ignore[misc]
    last = (await ana.view(game_id)).seq
    await eventually(lambda: all(session.seqs()[-1] == last for session in sessions))
    seen = [session.seqs() for session in sessions]
    await owner.start()
    await here.installation.settle()

    assert all(answer.HasField("accepted") for session in sessions for answer in session.answers())
    for session, seqs in zip(sessions, seen, strict=True):
        assert seqs == [seqs[0], *range(1 - seqs[0], last + 1)]
        session.close()


def answered(sessions: list[Session]) -> list[str]:
    """Ids of the commands that were answered."""
    return [answer.request_id for session in sessions for answer in session.answers()]


async def test_a_quit_through_a_kill_is_one_quit(here: World) -> None:
    """Given a player who quits through two gateways while the owner dies, one bot has the seat: the other player sees
    it once, and that the player has dropped before and nothing of it after; a new session of the quitter holds no seat.
    """
    ana, ben = await here.player("Ana"), await here.player("Ben", gateway=1)
    game_id = await here.table([ana, ben], variant="block", target=10_000)
    watching, leaving = Session(ben), Session(ana)
    for session in (watching, leaving):
        await session.say(watch=games.Watch(game_id=game_id))
    await eventually(lambda: bool(watching.seqs() and leaving.seqs()), within=20)
    leaving.close()
    # Where somebody sat down slowly, or the game has moved meanwhile, it is told who is there, too.
    await eventually(
        lambda: [f.presence.connected for f in presences(watching) if not f.presence.seat][-1:] == [False], 20
    )

    def send(number: int) -> asyncio.Task[games.SubmitCommandResponse]:
        command = games.Command(game_id=game_id, request_id=f"quit {number % 5}", quit_game=games.QuitGame())
        request = games.SubmitCommandRequest(command=command)
        return asyncio.ensure_future(ana.at(here.channels[number % 2]).call("SubmitCommand", request, timeout=20))

    before = [send(number) for number in range(10)]
    await asyncio.wait(before, return_when=asyncio.FIRST_COMPLETED)
    owner = await here.owner(game_id)
    owner.kill()
    during = [send(number) for number in range(10)]
    await here.moved(game_id, owner)
    after = [send(number) for number in range(4)]
    answers = await asyncio.gather(*before, *during, *after)
    views = [await player.view(game_id) for player in (ana, ben)]
    again = Session(ana)
    await again.say(watch=games.Watch(game_id=game_id))
    await eventually(lambda: bool(again.seqs()), within=20)
    await eventually(lambda: watching.seqs()[-1] >= views[1].seq, within=20)
    await owner.start()
    await here.installation.settle()
    quits = [frame.update.seat_quit for frame in watching.frames if frame.update.HasField("seat_quit")]

    assert len({answer.seq for answer in answers}) == 1
    assert [(quit.seat, quit.name, quit.seat_now.quit) for quit in quits] == [(0, "Ana", True)]
    assert [view.HasField("own_seat") for view in views] == [False, True]
    assert not any(frame.HasField("seat_assigned") for frame in again.frames)
    assert not views[0].hand
    for session in (watching, again):
        session.close()


def presences(session: Session) -> list[Frame]:
    """What a session was told of who is there."""
    return [frame for frame in session.frames if frame.HasField("presence")]


async def test_talk_crosses_processes(here: World) -> None:
    """Given two gateways and a game-actor apart from both: text is heard at the other one, at its pace, and refusals
    find their way back."""
    ana, ben = await here.player("Ana"), await here.player("Ben", gateway=1)
    game_id = await here.table([ana, ben], table_options=TableOptions(talk=TALK_TEXT), variant="block")
    speaker, hearer = Session(ana), Session(ben)
    await hearer.say(watch=games.Watch(game_id=game_id))
    await eventually(lambda: bool(hearer.seqs()), within=20)
    for text in ("hola", "", "¡suerte!", "one too many"):
        await speaker.say(say=games.Say(game_id=game_id, text=text))
    await eventually(lambda: sum(frame.HasField("notice") for frame in speaker.frames) == 2, within=20)
    await eventually(lambda: sum(frame.HasField("said") for frame in hearer.frames) == 2, within=20)
    for session in (speaker, hearer):
        session.close()

    # Where a link is just being made, what was said later may be heard first.
    assert {frame.said.text for frame in hearer.frames if frame.HasField("said")} == {"hola", "¡suerte!"}
    assert {frame.notice.refusal.reason for frame in speaker.frames if frame.HasField("notice")} == {
        reasons.ERROR_REASON_INVALID_TEXT,
        reasons.ERROR_REASON_RATE_LIMITED,
    }


async def test_a_player_comes_back_hundreds_of_times_at_either_gateway(here: World) -> None:
    """Whatever seq was seen last, exactly what is missing comes, or a whole view; the older session is told why."""
    chance = random.Random(7)
    ana, ben = await here.player("Ana"), await here.player("Ben", gateway=1)
    game_id = await here.table([ana, ben], variant="block", target=10_000)
    older: Session | None = None
    for number in range(RESUMES):
        if number % 3 == 0:
            turn = (await ana.view(game_id)).turn
            mover = (ana, ben)[turn]
            await mover.call("SubmitCommand", games.SubmitCommandRequest(command=play(await mover.view(game_id))))
        newest = (await ana.view(game_id)).seq
        seen = chance.randrange(newest + 1)
        session = Session(ana.at(here.channels[chance.randrange(2)]))
        await session.say(watch=games.Watch(game_id=game_id, last_seen_seq=seen))
        whole = seen == 0 or newest - seen > 500
        expected = [-newest] if whole else list(range(seen + 1, newest + 1))
        await eventually(lambda session=session, expected=expected: session.seqs() == expected)  # type: ignore[misc]
        assert session.failure is None
        if older is not None:
            await eventually(lambda older=older: older.failure is not None)  # type: ignore[misc]
            assert older.failure is not None
            assert "newer session" in (older.failure.details() or "")
        older = session if seen < newest or whole else None
        if older is None:
            session.close()


class Looker:
    """Somebody who watches the lobby at one gateway."""

    def __init__(self, player: Player) -> None:
        self.lobby = Lobby()
        self._call = player.call("WatchLobby", tables.WatchLobbyRequest(), timeout=120)
        self._task = asyncio.ensure_future(self._read())

    async def _read(self) -> None:
        async for response in self._call:
            list(self.lobby.take(response))

    async def sees(self, *ids: str, never: str = "") -> None:
        """Wait until all of `ids` are listed, and `never` is not."""
        await eventually(lambda: set(ids) <= (listed := self.lobby.entries.keys()) and never not in listed, within=20)

    def close(self) -> None:
        """Look no more."""
        self._task.cancel()
        self._call.cancel()


async def test_every_gateway_lists_what_lives_and_nothing_that_died(here: World) -> None:
    """Given the matchmaker and a game's owner are killed: their entries vanish, and come back with the next owner;
    and the game's spectators go on as late as before."""
    ana, ben = await here.player("Ana"), await here.player("Ben", gateway=1)
    late = TableOptions(public=True, delay_moves=2)
    game_id = await here.table([ana, ben], variant="block", target=10_000, table_options=late)
    create = tables.CreateTableRequest(options=GameOptions(), table_options=TableOptions(public=True))
    table_id = (await ana.call("CreateTable", create, timeout=20)).table.table_id
    lookers = [Looker(player) for player in (ana, ben)]
    spectator = Session(await here.player("Eve", gateway=1))
    await spectator.say(watch=games.Watch(game_id=game_id))
    await asyncio.gather(*(looker.sees(game_id, table_id) for looker in lookers))

    matchmaker = here.installation.of("matchmaking")[0]
    matchmaker.kill()
    await asyncio.gather(*(looker.sees(game_id, never=table_id) for looker in lookers))
    await matchmaker.start()
    await asyncio.gather(*(looker.sees(game_id, table_id) for looker in lookers))

    played: list[int] = []
    for number in range(6):
        mover = (ana, ben)[(await ana.view(game_id)).turn]
        view = await mover.view(game_id)
        played.append(view.seq)
        if number == 3:
            owner = await here.owner(game_id)
            owner.kill()
        command = games.SubmitCommandRequest(command=play(view))
        await mover.call("SubmitCommand", command, timeout=20)
    # What was there before the last play but one.
    await eventually(lambda: spectator.seqs()[-1] == played[-2], within=20)
    await asyncio.gather(*(looker.sees(game_id, table_id) for looker in lookers))
    await owner.start()
    await here.installation.settle()

    assert (await (await here.player("Dan")).view(game_id)).seq == played[-2]
    first = -spectator.seqs()[0]
    assert spectator.seqs() == [-first, *range(first + 1, played[-2] + 1)]
    spectator.close()
    for looker in lookers:
        looker.close()


async def test_a_rolling_restart_costs_nobody_a_move(here: World) -> None:
    """Every process is told to stop and started again under load: no refusal, no expiry, one resume at most."""
    ana, ben = await here.player("Ana"), await here.player("Ben", gateway=1)
    game_id = await here.table([ana, ben], variant="block", target=10_000)
    stop = asyncio.Event()
    accepted = 0

    async def keep_playing() -> None:
        nonlocal accepted
        while not stop.is_set():
            turn = (await ana.view(game_id)).turn
            mover = (ana, ben)[turn]
            await mover.call(
                "SubmitCommand", games.SubmitCommandRequest(command=play(await mover.view(game_id))), timeout=20
            )
            accepted += 1

    playing = asyncio.ensure_future(keep_playing())
    for role in ("game-actor", "timer", "matchmaking"):
        for member in here.installation.of(role):
            await member.drain()
            await member.start()
            await here.installation.settle()
    stop.set()
    await playing
    spectator = await here.player("Eve")
    view = await spectator.view(game_id)

    assert accepted > 10
    assert not view.away


async def test_a_turn_ends_once_at_its_deadline(here: World) -> None:
    """I-8: given moves sent within 50 ms of the deadline, each turn ends by exactly one of move and expiry."""
    chance = random.Random(3)
    pairs = [
        [await here.player("Ana"), await here.player("Ben", gateway=1)]
        for _ in range(TABLES_AT_DEADLINE // TABLES_OF_A_HOST)
    ]
    tables_of = [pair for pair in pairs for _ in range(TABLES_OF_A_HOST)]
    ids = await asyncio.gather(*(here.table(pair, variant="block", turn_seconds=5) for pair in tables_of))

    async def outcome(game_id: str, pair: list[Player]) -> str:
        mover = pair[(await pair[0].view(game_id)).turn]
        view = await mover.view(game_id)
        await asyncio.sleep(max(0.0, view.deadline_ms / 1000 - time.time() + chance.uniform(-0.05, 0.05)))
        try:
            await mover.call("SubmitCommand", games.SubmitCommandRequest(command=play(view)), timeout=20)
        except grpc.aio.AioRpcError as failure:
            return "expired" if reason_of(failure)[1] == reasons.ERROR_REASON_STALE_SEQ else repr(failure)
        return "moved"

    ends = Counter(await asyncio.gather(*map(outcome, ids, tables_of)))
    views = [await pair[0].view(game_id) for game_id, pair in zip(ids, tables_of, strict=True)]
    # A lead that nobody can follow ends the round at once.
    late = [view.game_id for view in views if view.round == 1 and len(view.layout) != 1]

    assert set(ends) <= {"moved", "expired"}
    assert not late, f"{ends}: a lead is one tile, whoever placed it"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has batch processes")
async def test_processes_that_wake_each_other_wait_for_their_turn(here: World) -> None:
    """None of them interrupts another on the processor (ADR 4), where we may choose that."""
    with unhurried():
        ours = os.sched_getscheduler(0)
    policies = {os.sched_getscheduler(member.pid) for member in here.installation.members.values() if member.pid}

    assert policies == {ours}


async def test_status_tells_what_each_process_does(here: World, capsys: pytest.CaptureFixture[str]) -> None:
    """Every process with its share, the games they play, and nothing without an owner."""
    await here.table([await here.player("Ana"), await here.player("Ben")], variant="block")
    await here.installation.settle()

    assert await status(here.installation.cluster.url) == 0
    *lines, total = capsys.readouterr().out.splitlines()
    assert Counter(line.split()[0] for line in lines[1:]) == COUNTS
    assert int(total.split()[3]) >= 1
