"""The names of players: what may be one, and which of them look alike (after Unicode's UTS 39)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.update_pb2 import Refusal
from capicua.runtime.ids import BOTS
from capicua.runtime.refusals import refusal
from capicua.runtime.visible import MAX_UNTIDY, hides, script, tidy

MAX_NAME = 20
"""Characters of a name, also of one with a number to tell it apart."""
OURS = ("Capicua", "Server", "System", "Admin", "Administrator", "Moderator", "Support", "Staff", "Bot")
"""Words by which somebody would speak for the server, or pass for one of its bots."""
_NUMBERS = "0123456789 "
_ANY_SCRIPT = {"COMMON", "INHERITED"}
_TOGETHER = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "BOPOMOFO"},
    {"LATIN", "HAN", "HANGUL"},
)
"""Scripts that are written together, and whose letters are not taken for each other's: "highly restrictive"."""


def clean_name(name: str) -> str | Refusal:
    """The name in NFC with single spaces, or INVALID_NAME that says why: empty, too long, not all visible, of
    scripts that do not go together, or like a name of ours."""
    clean = tidy(name) if len(name) <= MAX_UNTIDY else name
    if len(clean) > MAX_NAME:
        problem = f"a name may have {MAX_NAME} characters at most, this one has {len(clean)}"
    elif hides(clean):
        problem = "a name may hold visible characters and spaces only"
    elif not clean:
        problem = "a name needs at least one visible character"
    elif len(mixed := _scripts(clean)) > 1 and not any(mixed <= together for together in _TOGETHER):
        problem = f"a name is written in one script, and this one mixes {' and '.join(sorted(mixed))} letters"
    elif (taken := _taken(clean)) is not None:
        problem = f"the name looks like {taken}: choose another one"
    else:
        return clean
    return refusal(reasons.ERROR_REASON_INVALID_NAME, problem)


def told_apart(names: Iterable[str]) -> list[str]:
    """The names, with a number behind each that looks like one before it: "Ana", "Ana 2"."""
    shown: list[str] = []
    taken: set[str] = set()
    for name in names:
        number, other = 1, name
        while not taken.isdisjoint(looks(other)):
            number += 1
            other = f"{name[: MAX_NAME - len(f' {number}')].rstrip()} {number}"
        taken |= looks(other)
        shown.append(other)
    return shown


@lru_cache(4096)
def looks(name: str) -> frozenset[str]:
    """What a name looks like, as it stands and in small letters: names that share a look are taken for each other.

    Letters of one shape are one, and accents, spaces and punctuation are nothing.
    """
    return frozenset(_shape(text) for text in (name, name.casefold()))


def _shape(text: str) -> str:
    plain = unicodedata.normalize("NFKD", "".join(map(_prototype, unicodedata.normalize("NFKD", text))))
    folded = unicodedata.normalize("NFKD", plain.casefold())
    return "".join(char for char in folded if unicodedata.category(char)[0] in "LNS" or _vowel(char))


def _vowel(char: str) -> bool:
    """Whether a mark is no accent but a letter of its own, as in Devanagari."""
    return unicodedata.category(char)[0] == "M" and not unicodedata.combining(char)


def _prototype(char: str) -> str:
    return _prototypes().get(char, char)


@cache
def _prototypes() -> dict[str, str]:
    """For each shape of Unicode's list the one that stands for it and all like it."""
    # It takes a while to read, and most commands of ours need no name.
    from confusable_homoglyphs.confusables import confusables_data

    def weight(shape: str) -> tuple[int, str]:
        # All others are listed with the prototype, and each of them with it alone.
        return len(confusables_data[shape]), shape

    return {
        shape: max(shape, *(each["c"] for each in others), key=weight) for shape, others in confusables_data.items()
    }


def _scripts(name: str) -> set[str]:
    return {script(char) for char in name} - _ANY_SCRIPT


def _taken(name: str) -> str | None:
    """Whose name this one may be taken for."""
    words = "".join(char if char.isalnum() else " " for char in name).split()
    whole = looks(name) | looks(name.strip(_NUMBERS))
    each = whole.union(*(looks(word) | looks(word.strip(_NUMBERS)) for word in words))
    for ours in OURS:
        if not each.isdisjoint(_own_looks(ours)):
            return f"{ours}, by which only the server is called"
    return next((f"{bot}, who is a bot" for _, bot in BOTS if not whole.isdisjoint(_own_looks(bot))), None)


@cache
def _own_looks(name: str) -> frozenset[str]:
    # In capitals too: there an l passes for an I.
    return looks(name) | looks(name.upper())
