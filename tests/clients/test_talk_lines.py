"""Talk at the keyboard: what is typed is said, what is heard is told in one's own language."""

from __future__ import annotations

import pytest

from capicua.api.v1.game_service_pb2 import Say
from capicua.api.v1.types_pb2 import EMOTE_CLAP, PHRASE_HELLO, PHRASE_NICE_TILE, PHRASE_WELL_PLAYED, Seat
from capicua.api.v1.update_pb2 import Said, View
from capicua.cli.language import LANGUAGES, messages_of
from capicua.cli.phrases import TAPS, told
from capicua.cli.talk import Talker
from capicua.client import Game

VIEW = View(own_seat=0, seats=[Seat(seat=seat, name=name) for seat, name in enumerate(("Ana", "Ben", "Ben 2"))])


@pytest.fixture
def said() -> list[Say]:
    """All that is said."""
    return []


@pytest.fixture
def game(said: list[Say]) -> Game:
    """A game of three in which Ana sits at the keyboard."""
    game = Game("g", send=said.append)
    game.view.CopyFrom(VIEW)
    return game


def test_lines_become_talk(game: Game, said: list[Say]) -> None:
    """Given numbers, words, a number that is none of the list, and plays: each is what it looks like."""
    talker = Talker(game, messages_of("en"))
    answers = [talker.do(line) for line in ("say 3", "say  ¡a jugar!", "say 18", "say 19", "6-4 L", "1", "sayonara")]

    assert said == [
        Say(game_id="g", phrase=PHRASE_WELL_PLAYED),
        Say(game_id="g", text="¡a jugar!"),
        Say(game_id="g", emote=EMOTE_CLAP),
    ]
    assert answers == ["", "", "", "Say a number from 1 to 18.", None, None, None]


@pytest.mark.parametrize(
    ("language", "hello", "tile"),
    [
        ("en", "Hello!", "Nice tile!"),
        ("he", "שלום!", "אבן יפה!"),
        ("bg", "Здравейте!", "Хубава плочка!"),
        ("pl", "Cześć!", "Ładny kamień!"),
        ("lt", "Sveiki!", "Geras kauliukas!"),
    ],
)
def test_everybody_reads_their_own_language(game: Game, language: str, hello: str, tile: str) -> None:
    """One number is said, each hears it in their own words; text is told as it is."""
    talker = Talker(game, messages_of(language))

    assert talker.tell(Said(seat=1, phrase=PHRASE_HELLO)) == f"Ben: {hello}"
    assert talker.tell(Said(seat=2, phrase=PHRASE_NICE_TILE)) == f"Ben 2: {tile}"
    assert talker.tell(Said(seat=1, text="Hello!")) == "Ben: Hello!"
    assert f"1) {hello}" in (talker.do("say") or "")


def test_no_two_taps_read_the_same() -> None:
    """In every language each phrase and feeling has words of its own."""
    for language in LANGUAGES:
        words = messages_of(language)

        assert len({told(Said(**tap), words) for tap in TAPS}) == len(TAPS)  # type: ignore[arg-type]


def test_who_is_muted_by_name_or_seat(game: Game) -> None:
    """A name in any case or a number means one other seat; oneself, and whoever is not there, are asked for again."""
    talker = Talker(game, messages_of("en"))
    muted = [talker.do(f"mute {who}") for who in ("ben 2", "1")]
    unmuted = talker.do("unmute Ben")
    unclear = [talker.do(f"mute {who}") for who in ("Ana", "0", "Zoe", "")]

    assert muted == ["You hear no more of Ben 2.", "You hear no more of Ben."]
    assert unmuted == "You hear Ben again."
    assert unclear == ["Who? 1 Ben, 2 Ben 2"] * 4
    assert game.talk.muted == {2}
