"""Talk over real sessions: its pace, its refusals, and readers who are slow."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.game_service_pb2 import Say, SessionResponse, Unwatch, Watch
from capicua.api.v1.types_pb2 import EMOTE_WOW, PHRASE_HELLO, TALK_PHRASES, TALK_TEXT, TableOptions
from capicua.api.v1.update_pb2 import Frame, Notice, Refusal, Said
from capicua.gateway.connection import MAX_WAITING_BYTES, MAX_WAITING_TALK, Connection
from capicua.matchmaking.table_options import check, complete
from capicua.store.memory_store import MemoryStore
from kit.eventually import eventually
from kit.gateway import ServerHere, server_here
from kit.installation import Session
from kit.peer import Peer

FRIENDS = TableOptions(talk=TALK_TEXT)


@pytest.fixture
async def server() -> AsyncIterator[ServerHere]:
    """A server over gRPC."""
    async with server_here(MemoryStore()) as here:
        yield here


def session(server: ServerHere, seat: int) -> Session:
    """An open session of the player of a seat."""
    return Session(server.caller(f"p-{seat}"))


def notices(of: Session) -> list[Notice]:
    """What a session was refused."""
    return [frame.notice for frame in of.frames if frame.HasField("notice")]


def said(of: Session) -> list[Said]:
    """What a session heard."""
    return [frame.said for frame in of.frames if frame.HasField("said")]


async def test_a_flood_is_cut_to_a_pace(server: ServerHere) -> None:
    """Given fifty phrases at once: three are heard, the others are RATE_LIMITED with a wait, and play goes on."""
    game_id = await server.actor.start_table(FRIENDS, "block", 2)
    ana, ben = session(server, 0), session(server, 1)
    for each in (ana, ben):
        await each.say(watch=Watch(game_id=game_id))
    await eventually(lambda: bool(ana.seqs() and ben.seqs()))
    for _ in range(50):
        await ana.say(say=Say(game_id=game_id, phrase=PHRASE_HELLO))
    await ben.say(say=Say(game_id=game_id, emote=EMOTE_WOW))
    await eventually(lambda: len(notices(ana)) == 47 and len(said(ana)) == 1)
    assert await server.actor.play(game_id, 1) == 1
    await eventually(lambda: len(ana.seqs()) > 1 and ana.seqs() == ben.seqs())
    for each in (ana, ben):
        each.close()

    assert [what.seat for what in said(ben)] == [0, 0, 0]
    assert said(ana)[0].emote == EMOTE_WOW
    assert {notice.refusal.reason for notice in notices(ana)} == {reasons.ERROR_REASON_RATE_LIMITED}
    assert all(notice.say and notice.game_id == game_id for notice in notices(ana))
    assert all(0 < notice.refusal.retry_ms <= 2001 for notice in notices(ana))


async def test_a_refused_word_leaves_the_game_watched(server: ServerHere) -> None:
    """Given text where there is none: the Notice says that it is about talk, and updates go on (I-2)."""
    game_id = await server.actor.start("block", 2)
    ana = session(server, 0)
    await ana.say(watch=Watch(game_id=game_id))
    await ana.say(say=Say(game_id=game_id, text="psst"))
    await eventually(lambda: bool(notices(ana)))
    await server.actor.play(game_id, 1)
    await eventually(lambda: len(ana.seqs()) > 1)
    ana.close()

    assert [notice.refusal.reason for notice in notices(ana)] == [reasons.ERROR_REASON_TEXT_NOT_ALLOWED]
    assert notices(ana)[0].say


async def test_whoever_does_not_follow_hears_nothing(server: ServerHere) -> None:
    """Given a player who has left the game's page, and a session that never watched: talk is for those who follow."""
    game_id = await server.actor.start("block", 3)
    ana, ben, eva = (session(server, seat) for seat in range(3))
    for each in (ben, eva):
        await each.say(watch=Watch(game_id=game_id))
    await ben.say(unwatch=Unwatch(game_id=game_id))
    await eventually(lambda: bool(eva.seqs() and ben.seqs()))
    await ana.say(say=Say(game_id=game_id, phrase=PHRASE_HELLO))
    await eventually(lambda: bool(said(eva)))
    for each in (ana, ben, eva):
        each.close()

    assert said(ana) == said(ben) == []


async def test_a_slow_reader_loses_talk_and_nothing_else() -> None:
    """Given far more talk than may wait: the bytes are bounded, and no update is lost or cut for it."""
    peer = Peer()
    connection = Connection("p-1", peer)  # type: ignore[arg-type]
    run = asyncio.create_task(connection.run())
    word = SessionResponse(frames=[Frame(said=Said(game_id="g", text="x" * 200))]).SerializeToString()
    update = SessionResponse(frames=[Frame(seat_assigned={"game_id": "g"})]).SerializeToString()  # type: ignore[arg-type]
    peer.reads.clear()
    connection.send(update)
    await eventually(lambda: peer.writes == 1)
    for _ in range(MAX_WAITING_BYTES // len(word) * 3):
        connection.hear(word)
    connection.send(update)
    refused = Refusal(reason=reasons.ERROR_REASON_RATE_LIMITED, message="y" * 100)
    for _ in range(1000):
        connection.not_said("g", refused)
    connection.send(update)
    peer.reads.set()
    await eventually(lambda: len(peer.got) == 2)
    frames = [frame.WhichOneof("frame") for message in peer.got for frame in message.frames]
    connection.hear(word)
    await eventually(lambda: len(peer.got) == 3)
    connection.finish()

    assert await run is None
    assert frames.count("seat_assigned") == 3
    assert 0 < frames.count("said") <= MAX_WAITING_TALK // len(word)
    assert len(peer.got[1].SerializeToString()) < 2 * MAX_WAITING_TALK


def test_text_is_for_private_tables() -> None:
    """A public table with text is refused; whoever says nothing gets phrases."""
    refused = check(TableOptions(public=True, talk=TALK_TEXT))
    unknown = check(TableOptions(talk=77))  # type: ignore[arg-type]

    assert refused is not None
    assert unknown is not None
    assert refused.reason == unknown.reason == reasons.ERROR_REASON_INVALID_OPTIONS
    assert check(FRIENDS) is None
    assert complete(TableOptions()).talk == TALK_PHRASES
