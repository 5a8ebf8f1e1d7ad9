"""Names are shown to others: nothing hides in one, none passes for another's; the token says who a player is."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.game_service_pb2 import GetViewRequest, Say
from capicua.api.v1.types_pb2 import Seat
from capicua.api.v1.update_pb2 import Refusal
from capicua.game_actor.talk import heard
from capicua.gateway.players import clean_party
from capicua.gateway.tokens import Tokens
from capicua.log.v1 import entry_pb2 as log
from capicua.matchmaking.seating import newcomer, with_bots
from capicua.runtime.ids import BOTS
from capicua.runtime.names import MAX_NAME, clean_name, looks, told_apart
from capicua.runtime.transport import MAX_REQUEST_BYTES
from capicua.store.memory_store import MemoryStore
from kit.gateway import server_here

NAMES = st.text(max_size=8) | st.text(st.sampled_from("aàAаαl1I|O0 .2\u200c\u200d\u0301\ufe0fשक्षさ中"), max_size=8)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Ana", "Ana"),
        ("  Ana   María ", "Ana María"),
        ("Ana\u3000María", "Ana María"),
        ("שרה", "שרה"),
        ("Божидар", "Божидар"),
        ("Ελένη", "Ελένη"),
        ("山田タロウ", "山田タロウ"),
        ("さくらSakura", "さくらSakura"),
        ("김철수", "김철수"),
        ("श्री राम", "श्री राम"),
        ("ශ්\u200dරී", "ශ්\u200dරී"),
        ("علی\u200cرضا", "علی\u200cرضا"),
        ("Nguyễn Thị", "Nguyễn Thị"),
        ("O'Brien", "O'Brien"),
        ("❤\ufe0f", "❤"),
        ("Ana 👩🏽\u200d🚀", "Ana 👩🏽\u200d🚀"),
        ("e\u0301", "é"),
        ("x" * 20, "x" * 20),
        ("Carmen Díaz", "Carmen Díaz"),
        ("Fiora", "Fiora"),
        ("Robot", "Robot"),
    ],
)
def test_a_visible_name_is_kept(given: str, shown: str) -> None:
    """Any script is welcome; spaces are tidied and letters composed."""
    assert clean_name(given) == shown


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "visible"),
        ("   ", "visible"),
        ("x" * 21, "20"),
        ("a" + "\u0301\u0316" * 16_000, "20"),
        ("a\nb", "visible"),
        ("Ana\n", "visible"),
        ("a\x00", "visible"),
        ("\u202eAna", "visible"),
        ("Ana\u2066", "visible"),
        ("a\u200bb", "visible"),
        ("a\u200db", "visible"),
        ("Ana\u200c", "visible"),
        ("\ud800", "visible"),
        ("\u3164", "visible"),
        ("\U0001d159", "visible"),
        ("Ana\u2800", "visible"),
        ("\u0301", "visible"),
        ("Z\u0338\u0322\u031b\u0316\u0349", "visible"),
        ("Ana" + "\u0489" * 9, "visible"),
        ("Аna", "CYRILLIC and LATIN"),
        ("Anα", "GREEK and LATIN"),
        ("Ana שרה", "HEBREW and LATIN"),
        ("Sаша", "CYRILLIC and LATIN"),
        ("carmen", "Carmen"),
        ("Carrnen", "Carmen"),
        ("Efrain", "Efraín"),
        ("BENlTO", "Benito"),
        ("Ben1to", "Benito"),
        ("F|ora", "Flora"),
        ("Ａｂｕｅｌａ", "Abuela"),
        ("Abuela 2", "Abuela"),
        ("Ana (bot)", "Bot"),
        ("A.d.m.i.n", "Admin"),
        ("Admin Ana", "Admin"),
        ("Capicúa", "Capicua"),
        ("Server1", "Server"),
    ],
)
def test_what_misleads_is_refused(name: str, why: str) -> None:
    """Empty, too long, hidden, reordering or piling up, of scripts that do not go together, or like a name of ours:
    INVALID_NAME, with the reason in words."""
    refused = clean_name(name)

    assert isinstance(refused, Refusal)
    assert refused.reason == reasons.ERROR_REASON_INVALID_NAME
    assert why in refused.message


@given(NAMES)
def test_a_name_stays_as_it_is(text: str) -> None:
    """Whatever was given: what is taken is composed, short, taken again as it is, and nobody's of ours."""
    name = clean_name(text)
    if isinstance(name, Refusal):
        return

    assert name == unicodedata.normalize("NFC", name) == clean_name(name)
    assert 1 <= len(name) <= MAX_NAME
    assert not name.startswith(" ")
    assert all(looks(name).isdisjoint(looks(bot)) for _, bot in BOTS)


@given(st.lists(NAMES, max_size=8))
def test_nobody_at_a_table_passes_for_another(given: list[str]) -> None:
    """No two look alike; the first of each look is as it was; and told apart once is told apart for good."""
    shown = told_apart(given)

    assert all(looks(one).isdisjoint(looks(other)) for i, one in enumerate(shown) for other in shown[:i])
    assert told_apart(shown) == shown
    assert shown[:1] == given[:1]
    assert all(len(name) <= max(MAX_NAME, len(was)) for name, was in zip(shown, given, strict=True))


def test_the_later_one_gets_a_number() -> None:
    """Given people whose names look alike, sitting down one by one or all at once: all but the first have a number."""
    people: list[Seat] = []
    for at, name in enumerate(("Ana", "ana", "Ana 2", "Àná")):
        people.append(newcomer(Seat(player_id=f"p-{at}", name=name), people))
    together = with_bots([Seat(player_id="p", name="Ana"), Seat(player_id="q", name="ANA")], 3)

    assert [person.name for person in people] == ["Ana", "ana 2", "Ana 2 2", "Àná 3"]
    assert [seat.name for seat in together] == ["Ana", "ANA 2", BOTS[0][1]]


def test_a_token_names_its_player_and_nobody_else_can_make_one() -> None:
    """Given a token of another key, of nobody, or bent, the answer is UNAUTHENTICATED."""
    tokens = Tokens(b"k" * 32)
    player = Seat(player_id="p-1", name="Ana", bot=False)
    token = tokens.sign(player)

    assert tokens.player(token) == player
    for bad in ("", "x", token[:-1], token + "x", Tokens(b"o" * 32).sign(player)):
        refused = tokens.player(bad)
        assert isinstance(refused, Refusal)
        assert refused.reason == reasons.ERROR_REASON_UNAUTHENTICATED


async def test_a_seat_is_the_token_s_and_not_the_name_s() -> None:
    """Given somebody with a seated player's name and another token, they see and may do no more than anybody (I-7)."""
    async with server_here(MemoryStore()) as here:
        game_id = await here.actor.start()
        held = await here.caller("p-0", "Player 0").call("GetView", GetViewRequest(game_id=game_id))
        other = await here.caller("p-9", "Player 0").call("GetView", GetViewRequest(game_id=game_id))
        _, command = await here.actor.next_command(game_id, "r-1")
        answers = [await here.actor.submit(player_id, command) for player_id in ("p-9", "Player 0")]

    assert held.view.own_seat == 0
    assert len(held.view.hand) == 7
    assert not other.view.HasField("own_seat")
    assert not other.view.hand
    assert {answer.refused.reason for answer in answers} == {reasons.ERROR_REASON_NOT_SEATED}


def said(text: str) -> object:
    """What the others hear of a text at a table that allows it."""
    return heard(Say(text=text), log.GameStarted(talk=log.TALK_TEXT), 0, 5)


@pytest.mark.parametrize("clean", [clean_name, clean_party, said], ids=["name", "party", "talk"])
@given(st.permutations("\u0301\u0316\u0327\u0489").map("".join))
@settings(max_examples=3, deadline=None)
def test_nobody_waits_for_somebody_s_marks(clean: Callable[[str], Any], marks: str) -> None:
    """As long as a request may be, and of marks that must be put in order: refused before others notice."""
    began = time.process_time()
    refused = clean("a" + marks * (MAX_REQUEST_BYTES // 9))

    assert isinstance(refused, Refusal)
    assert time.process_time() - began < 0.25
