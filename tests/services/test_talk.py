"""Talk: heard at once by those of the same game, within bounds, and kept nowhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.game_service_pb2 import Say
from capicua.api.v1.types_pb2 import (
    EMOTE_CLAP,
    PHRASE_HELLO,
    PHRASE_OUCH,
    TALK_NONE,
    TALK_PHRASES,
    TALK_TEXT,
    Phrase,
    TableOptions,
)
from capicua.api.v1.update_pb2 import Refusal, Said
from capicua.game_actor.talk import MAX_TEXT, heard
from capicua.log.v1 import entry_pb2 as log
from capicua.store.memory_store import MemoryStore
from kit.actor import Actor

FRIENDS = TableOptions(talk=TALK_TEXT)


@pytest.fixture
def actor() -> Actor:
    """A game-actor with an empty store."""
    return Actor(MemoryStore())


async def test_all_others_hear_it_at_once(actor: Actor) -> None:
    """Given players and spectators of a game: each but the speaker hears who said what and when, and no seq."""
    game_id = await actor.start_table(FRIENDS, "block", 3)
    speaker, other, third, spectator = (actor.watch(player, game_id) for player in ("p-0", "p-1", "p-2", ""))
    for what in ({"phrase": PHRASE_HELLO}, {"emote": EMOTE_CLAP}, {"text": "  ¡Qué   ficha! "}):
        assert actor.say("p-0", game_id, **what) is None
    now = actor.clock.now_ms

    assert other.said == third.said == spectator.said
    assert other.said == [
        Said(game_id=game_id, seat=0, phrase=PHRASE_HELLO, time_ms=now),
        Said(game_id=game_id, seat=0, emote=EMOTE_CLAP, time_ms=now),
        Said(game_id=game_id, seat=0, text="¡Qué ficha!", time_ms=now),
    ]
    assert speaker.said == []
    assert other.seqs == []


async def test_no_other_game_hears_it_and_nothing_keeps_it(
    actor: Actor, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """Given two games of the same people: words stay in theirs; the store, a later viewer, the record and our own
    logs know nothing of them (I-7)."""
    here = await actor.start_table(FRIENDS, "block_rounds", 2, target=1)
    elsewhere = await actor.start_table(FRIENDS, "block", 2)
    viewers = [actor.watch(player, elsewhere) for player in ("p-0", "p-1", "")]
    assert actor.say("p-0", here, text="xyzzy") is None
    late = actor.watch("p-1", here)
    await actor.play(here, 500)
    record = await actor.service.record(here)
    stored = b"".join(data for _, data in await actor.store.read(here, 1))

    assert all(viewer.said == [] for viewer in [*viewers, late])
    assert all(b"xyzzy" not in frame.SerializeToString() for viewer in [*viewers, late] for frame in viewer.frames)
    assert isinstance(record, str)
    assert "xyzzy" not in record
    assert b"xyzzy" not in stored
    assert "xyzzy" not in "".join((*capsys.readouterr(), caplog.text))


async def test_whoever_sees_the_game_late_hears_nothing(actor: Actor) -> None:
    """Given a table with a delay, words could tell spectators what they may not know yet."""
    game_id = await actor.start_table(TableOptions(delay_moves=3), "block", 2)
    other, spectator, alter_ego = (actor.watch(player, game_id) for player in ("p-1", "", "p-9"))
    assert actor.say("p-0", game_id, phrase=PHRASE_OUCH) is None

    assert [said.phrase for said in other.said] == [PHRASE_OUCH]
    assert spectator.said == alter_ego.said == []


@pytest.mark.parametrize(
    ("table", "what", "reason"),
    [
        (TableOptions(), {"text": "hi"}, reasons.ERROR_REASON_TEXT_NOT_ALLOWED),
        (TableOptions(talk=TALK_PHRASES), {"text": "hi"}, reasons.ERROR_REASON_TEXT_NOT_ALLOWED),
        (TableOptions(talk=TALK_TEXT, public=True), {"text": "hi"}, reasons.ERROR_REASON_TEXT_NOT_ALLOWED),
        (TableOptions(talk=TALK_NONE), {"text": "hi"}, reasons.ERROR_REASON_TALK_NOT_ALLOWED),
        (TableOptions(talk=TALK_NONE), {"phrase": PHRASE_HELLO}, reasons.ERROR_REASON_TALK_NOT_ALLOWED),
        (FRIENDS, {"text": " "}, reasons.ERROR_REASON_INVALID_TEXT),
        (FRIENDS, {"text": "x" * 201}, reasons.ERROR_REASON_INVALID_TEXT),
        (FRIENDS, {"text": " " * 60_000 + "x"}, reasons.ERROR_REASON_INVALID_TEXT),
        (FRIENDS, {"text": "\u202etfel"}, reasons.ERROR_REASON_INVALID_TEXT),
        (FRIENDS, {"text": "two\nlines"}, reasons.ERROR_REASON_INVALID_TEXT),
        (FRIENDS, {"text": "a" + "\u0301\u20dd\u0338" * 3}, reasons.ERROR_REASON_INVALID_TEXT),
        (FRIENDS, {"text": "\u0301" * 9}, reasons.ERROR_REASON_INVALID_TEXT),
        (FRIENDS, {"phrase": 0}, reasons.ERROR_REASON_INVALID_ARGUMENT),
        (FRIENDS, {"phrase": 99}, reasons.ERROR_REASON_INVALID_ARGUMENT),
        (FRIENDS, {"emote": -1}, reasons.ERROR_REASON_INVALID_ARGUMENT),
        (FRIENDS, {}, reasons.ERROR_REASON_INVALID_ARGUMENT),
    ],
)
async def test_what_may_not_be_said_has_its_reason(
    actor: Actor, table: TableOptions, what: dict[str, object], reason: reasons.ErrorReason.ValueType
) -> None:
    """What the table does not want, and what cannot be shown, is refused to the speaker and heard by nobody (I-10)."""
    game_id = await actor.start_table(table, "block", 2)
    other = actor.watch("p-1", game_id)

    assert actor.say("p-0", game_id, **what) == reason
    assert other.said == []


async def test_only_people_with_a_seat_talk(actor: Actor) -> None:
    """A spectator, who has quit, a bot, and whoever means a game that is not played: each refusal has its reason."""
    game_id = await actor.start("block", 3)
    other = actor.watch("p-1", game_id)
    await actor.quit("p-2", game_id)
    bot = (await actor.view("", game_id)).seats[2].player_id

    assert actor.say("p-9", game_id, phrase=PHRASE_HELLO) == reasons.ERROR_REASON_NOT_SEATED
    assert actor.say("p-2", game_id, phrase=PHRASE_HELLO) == reasons.ERROR_REASON_NOT_SEATED
    assert actor.say(bot, game_id, phrase=PHRASE_HELLO) == reasons.ERROR_REASON_NOT_FOR_BOTS
    assert actor.say("p-0", "g-none", phrase=PHRASE_HELLO) == reasons.ERROR_REASON_GAME_NOT_FOUND
    assert other.said == []


async def test_what_a_table_allows_outlives_its_owner(actor: Actor) -> None:
    """Given a game-actor that takes over: what may be said is what the host chose, and every view says so."""
    game_id = await actor.start_table(FRIENDS, "block", 2)
    heir = Actor(actor.store, epoch=2)
    await heir.take_over()
    other = heir.watch("p-1", game_id)

    assert heir.say("p-0", game_id, text="still here") is None
    assert [said.text for said in other.said] == ["still here"]
    assert (await heir.view("p-1", game_id)).talk == TALK_TEXT
    assert (await heir.view("", await heir.start("draw"))).talk == TALK_PHRASES


@given(st.text(max_size=250) | st.text(st.sampled_from("aא\u0301\u200d\ufe0f \n👩"), max_size=250))
def test_text_is_shown_as_it_was_checked(text: str) -> None:
    """Whatever is said: what is heard is short, and would pass again as it is."""
    said = heard(Say(game_id="g", text=text), log.GameStarted(talk=log.TALK_TEXT), 1, 5)
    if isinstance(said, Refusal):
        assert said.reason == reasons.ERROR_REASON_INVALID_TEXT
        return

    assert 1 <= len(said.text) <= MAX_TEXT
    assert heard(Say(game_id="g", text=said.text), log.GameStarted(talk=log.TALK_TEXT), 1, 5) == said


@given(st.integers(-5, 40))
def test_a_phrase_is_one_of_the_list(number: int) -> None:
    """Numbers that no client could show are not passed on."""
    said = heard(Say(game_id="g", phrase=Phrase.ValueType(number)), log.GameStarted(), 1, 5)

    assert isinstance(said, Said) == (number in Phrase.values() and number > 0)
