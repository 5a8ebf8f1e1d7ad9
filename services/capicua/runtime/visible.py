"""What people write for people: nothing in it hides, reorders what is around it, or piles up."""

from __future__ import annotations

import unicodedata
from itertools import groupby

MAX_UNTIDY = 400
"""Characters of what is worth a look: marks take the square of their number to put in order, and others wait."""
MAX_MARKS = 4
"""Marks in a row: what real scripts need (UTS 39), and not what paints over the lines around."""
ZWNJ, ZWJ = "\u200c", "\u200d"
_VIRAMA = 9
# Controls, surrogates, unassigned; format characters too (they hide or reorder text), and separators
# other than the plain space.
_HIDDEN = ("C", "Zl", "Zp")
# Letters and symbols by their category, and yet nothing is seen of them.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159")
# They choose between looks of one and the same character.
_SELECTORS = {
    code: None
    for first, last in ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
    for code in range(first, last + 1)
}


def tidy(text: str) -> str:
    """The text in NFC, with single spaces, none around it, and without selectors of variants."""
    composed = unicodedata.normalize("NFC", text.translate(_SELECTORS))
    plain = "".join(" " if unicodedata.category(char) == "Zs" else char for char in composed)
    return " ".join(filter(None, plain.split(" ")))


def script(char: str) -> str:
    """The script of a character as Unicode calls it, in capitals, for example "LATIN" or "COMMON"."""
    # It takes a while to load, and most commands of ours need no name.
    from confusable_homoglyphs.categories import alias

    return alias(char)  # type: ignore[no-any-return]


def hides(text: str) -> bool:
    """Whether a tidy text holds what cannot be seen, turns the direction around, or has nothing to stand on."""
    if any(char in _BLANK or _hidden(text, at) for at, char in enumerate(text)):
        return True
    runs = [(mark, len(list(run))) for mark, run in groupby(text, _takes_no_place)]
    alone = any(unicodedata.category(word[0]).startswith("M") for word in text.split())
    return alone or any(mark and many > MAX_MARKS for mark, many in runs)


def _takes_no_place(char: str) -> bool:
    """Whether it is a mark above, below or around what stands before it."""
    return unicodedata.category(char) in ("Mn", "Me")


def _hidden(text: str, at: int) -> bool:
    if not unicodedata.category(text[at]).startswith(_HIDDEN):
        return False
    return not 0 < at < len(text) - 1 or not _joins(text[at - 1], text[at], text[at + 1])


def _joins(before: str, char: str, after: str) -> bool:
    """Whether a joiner does what it is for: conjuncts of Indic scripts, Persian words, and emoji of several parts."""
    if char not in (ZWNJ, ZWJ):
        return False
    if unicodedata.combining(before) == _VIRAMA:
        return True
    if char == ZWNJ:
        return script(before) == script(after) == "ARABIC"
    return all(unicodedata.category(part) in ("So", "Sk") for part in (before, after))
