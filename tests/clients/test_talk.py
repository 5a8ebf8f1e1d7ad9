"""Talk by the SDK: said, heard, muted, refused, and never in the way of the game."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.game_service_pb2 import Say
from capicua.api.v1.types_pb2 import EMOTE_SAD, PHRASE_BYE, PHRASE_HELLO, TALK_TEXT, Phrase, TableOptions
from capicua.api.v1.update_pb2 import Frame, Notice, Refusal, Said
from capicua.client import Game, RateLimited, Refused, connect
from capicua.client.talk import KEPT
from capicua.store.memory_store import MemoryStore
from kit.frames import GAME, end, idle, reset, seqs, turn
from kit.gateway import server_here


def said(seat: int, **what: Any) -> Frame:
    """Something a seat says in the made-up game."""
    return Frame(said=Said(game_id=GAME, seat=seat, **what))


async def heard(game: Game) -> list[Said | Refused]:
    """All talk of a game, to its end."""
    return [each async for each in game.talk]


async def test_talk_comes_beside_the_game(serve: Any) -> None:
    """Given talk between updates, of this game and of others, and of kinds there may be one day: updates are all
    there, the talk of this game as well, and it ends with the game (I-2)."""

    async def script(connection: Any) -> None:
        await connection.heard()
        strange = [said(1, phrase=Phrase.ValueType(99)), said(1), Frame(said=Said(game_id="g2", text="no"))]
        await connection.say(reset(3), said(1, phrase=PHRASE_HELLO), turn(4), *strange, said(0, text="hola"), end(5))
        await idle(connection)

    async with connect(await serve(script), name="Ana") as client:
        game = await client.watch(GAME)
        updates, talk = await asyncio.gather(seqs(game), heard(game))

    assert updates == [3, 4, 5]
    assert [(each.seat, each.phrase, each.text) for each in talk if isinstance(each, Said)] == [
        (1, PHRASE_HELLO, ""),
        (0, 0, "hola"),
    ]


async def test_who_is_muted_is_not_heard(serve: Any) -> None:
    """Given two who talk, and one of them muted before and after it arrives: only the other one is heard."""
    muted = asyncio.Event()

    async def script(connection: Any) -> None:
        await connection.heard()
        await connection.say(reset(3), said(1, text="first"), said(2, text="second"))
        await muted.wait()
        await connection.say(said(1, text="third"), said(2, text="fourth"), end(4))
        await idle(connection)

    async with connect(await serve(script), name="Ana") as client:
        game = await client.watch(GAME)
        game.mute(1)
        muted.set()
        updates, talk = await asyncio.gather(seqs(game), heard(game))

    assert updates == [3, 4]
    assert [each.text for each in talk if isinstance(each, Said)] == ["second", "fourth"]


async def test_a_refusal_is_told_and_ends_nothing(serve: Any) -> None:
    """Given a Notice about talk, the game goes on, and the talk says what is wrong and how long to wait."""

    async def script(connection: Any) -> None:
        await connection.heard()
        await connection.say(reset(3))
        assert (await connection.heard()).say == Say(game_id=GAME, emote=EMOTE_SAD)
        limited = Refusal(reason=reasons.ERROR_REASON_RATE_LIMITED, message="too often", retry_ms=1500)
        await connection.say(Frame(notice=Notice(game_id=GAME, refusal=limited, say=True)), turn(4), end(5))
        await idle(connection)

    async with connect(await serve(script), name="Ana") as client:
        game = await client.watch(GAME)
        game.say(emote=EMOTE_SAD)
        updates, talk = await asyncio.gather(seqs(game), heard(game))

    (refused,) = talk
    assert updates == [3, 4, 5]
    assert isinstance(refused, RateLimited)
    assert refused.retry_seconds == 1.5


async def test_nobody_need_listen() -> None:
    """Given far more talk than anybody takes, the newest is kept and the rest forgotten."""
    game = Game(GAME, send=lambda say: None)
    for number in range(3 * KEPT):
        game.take(said(1, text=str(number)))
    game.leave()

    assert [each.text for each in await heard(game) if isinstance(each, Said)] == [
        str(number) for number in range(2 * KEPT, 3 * KEPT)
    ]


def test_only_one_thing_is_said_from_a_seat() -> None:
    """Nothing, or two things at once, and whoever spectates: a mistake of the program."""
    game = Game(GAME, send=lambda say: None)
    with pytest.raises(TypeError, match="one of"):
        game.say()
    with pytest.raises(TypeError, match="one of"):
        game.say(phrase=PHRASE_BYE, text="bye")
    with pytest.raises(TypeError, match="spectator"):
        Game(GAME).say(phrase=PHRASE_BYE)


async def test_friends_talk_over_a_server() -> None:
    """Given two clients and a spectator of a private table: text arrives at both others, in order."""
    async with server_here(MemoryStore()) as here:
        game_id = await here.actor.start_table(TableOptions(talk=TALK_TEXT), "block", 2)
        tokens = [dict(here.caller(f"p-{seat}").metadata)["authorization"].split()[1] for seat in range(2)]
        async with (
            connect(here.address, token=tokens[0]) as ana,
            connect(here.address, token=tokens[1]) as ben,
            connect(here.address, name="Eva") as eva,
        ):
            speaker, hearer = await ana.watch(game_id), await ben.watch(game_id)
            spectator = await eva.spectate(game_id)
            speaker.say(phrase=PHRASE_HELLO)
            speaker.say(text="¿otra?")
            for game in (hearer, spectator):
                first, second = [await anext(game.talk), await anext(game.talk)]

                assert isinstance(first, Said)
                assert isinstance(second, Said)
                assert (first.seat, first.phrase, second.text) == (0, PHRASE_HELLO, "¿otra?")
