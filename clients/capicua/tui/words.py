"""What the client says to a person, in their language: `_` for a sentence, `counted` for a number of things.

A language chosen while the client runs is the one of all that is said from then on.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Mapping
from pathlib import Path

from capicua.cli import language as rules
from capicua.cli import rulebook as rules_book
from capicua.cli import variant_names
from capicua.engine import VARIANTS, Variant

LANGUAGES = {"en": "English", "he": "עברית", "bg": "Български", "pl": "Polski", "lt": "Lietuvių"}
"""Each in its own words."""
OTHER_LETTERS = {"he", "bg"}
"""Those that nobody can read in Latin letters."""
RIGHT_TO_LEFT = {"he"}
MESSAGES = Path(__file__).parent / "messages"
DOMAIN = "capicua_tui"
_FIRST_STRONG_ISOLATE, _POP_ISOLATE = "\u2068", "\u2069"


class _Spoken:
    """The language that is spoken now."""

    language = "en"
    words = gettext.NullTranslations()
    rules = gettext.NullTranslations()


def speak(language: str) -> None:
    """Say all that follows in one of LANGUAGES."""
    _Spoken.language = language
    _Spoken.rules = rules.messages_of(language)
    _Spoken.words = gettext.NullTranslations()
    if language != "en":
        _Spoken.words = gettext.translation(DOMAIN, MESSAGES, [language])


def spoken() -> str:
    """Which of LANGUAGES is spoken now."""
    return _Spoken.language


def rule_words() -> gettext.NullTranslations:
    """The catalogue of the rules and the variants' names, in the language that is spoken."""
    return _Spoken.rules


def variant_name(key: str) -> str:
    """What a variant is called; its key where only a newer server knows it."""
    return _directed(variant_names.name(key, _Spoken.rules)) if key in VARIANTS else key


def variant_description(key: str) -> str:
    """A variant of VARIANTS in one line."""
    return _directed(variant_names.description(key, _Spoken.rules))


def rulebook(variant: Variant, seats: int) -> list[tuple[str, list[str]]]:
    """The rules of a variant for a number of seats: headings, each with its sentences."""
    told = rules_book.rulebook(variant, (seats,), _Spoken.rules)
    return [(_directed(heading), [_directed(sentence) for sentence in sentences]) for heading, sentences in told]


def wanted(environment: Mapping[str, str] = os.environ) -> str:
    """The language of the locale; English where it is none of LANGUAGES."""
    return rules.wanted(environment)


def _(message: str) -> str:
    """`message` in the language that is spoken; placeholders are filled in by the caller."""
    return _directed(_Spoken.words.gettext(message))


def N_(message: str) -> str:
    """Mark a message that `_` translates later."""
    return message


def counted(one: str, many: str, n: int, **facts: object) -> str:
    """The plural form for `n` things, with `{n}` and the other placeholders filled in."""
    return _directed(_Spoken.words.ngettext(one, many, n)).format(n=n, **facts)


def _directed(sentence: str) -> str:
    # The line of a terminal runs from left to right: without this the full stop would stand before the sentence.
    return isolated(sentence) if _Spoken.language in RIGHT_TO_LEFT else sentence


def isolated(text: str) -> str:
    """A name or number of either writing direction that leaves the order of the words around it alone."""
    return f"{_FIRST_STRONG_ISOLATE}{text}{_POP_ISOLATE}"
