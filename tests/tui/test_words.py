"""Sentences of every direction on lines that run from left to right."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from capicua.tui.words import LANGUAGES, _, counted, isolated, speak, variant_description, variant_name


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """A test that speaks another language leaves it to no other."""
    yield
    speak("en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_right_to_left_sentences_keep_their_full_stop(language: str) -> None:
    """Each is an isolate of its own (UAX 9), closed again; other languages need none."""
    speak(language)
    said = [
        _("Type the code first."),
        counted("{n} seat", "{n} seats", 3),
        variant_name("draw"),
        variant_description("draw"),
    ]

    for text in said:
        assert text.startswith("\u2068") == (language == "he")
        assert text.count("\u2068") == text.count("\u2069")


def test_a_name_does_not_turn_its_sentence_around() -> None:
    """A Hebrew name in a Polish sentence, and the other way round."""
    assert isolated("דנה") == "\u2068דנה\u2069"


def test_a_variant_of_a_newer_server_is_shown_by_its_key() -> None:
    """What has no name here is not hidden."""
    assert variant_name("of_tomorrow") == "of_tomorrow"
