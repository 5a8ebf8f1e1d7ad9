"""Ids: short, random, safe in URLs and on the command line."""

from __future__ import annotations

import secrets
from collections.abc import Container

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.update_pb2 import Refusal
from capicua.runtime.refusals import refusal
from capicua.runtime.shard import shard_of

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
"""Lower case without look-alikes: no 0, 1, i, l, o."""

BOTS = (
    ("bot-abuela", "Abuela"),
    ("bot-benito", "Benito"),
    ("bot-carmen", "Carmen"),
    ("bot-dulce", "Dulce"),
    ("bot-efrain", "Efraín"),
    ("bot-flora", "Flora"),
    ("bot-gero", "Gero"),
    ("bot-hilda", "Hilda"),
)
"""Id and name of the bots that fill free seats and go on for players who quit; no table has more seats."""
BOT_LEVELS = ("easy", "greedy", "clever", "expert")
"""Names of the ways in which bots play, from weak to strong."""
BOT_LEVEL = "greedy"
"""The one of tables whose host names none, and of quick matches."""


def new_id(prefix: str, length: int = 12) -> str:
    """A fresh id such as "g-7k2m9qxw4hpa": `length` random letters, 59 bits for 12."""
    return f"{prefix}-" + "".join(secrets.choice(ALPHABET) for _ in range(length))


CODE_TRIES = 300
"""So many codes are tried before it is said that they are used up."""


def new_code() -> str:
    """A fresh table code of 4 letters, upper case."""
    return "".join(secrets.choice(ALPHABET) for _ in range(4)).upper()


def new_code_of(shard: int, taken: Container[str]) -> str | None:
    """A fresh code that leads to `shard` and is not taken; None where none was found: nearly all are taken."""
    for _ in range(CODE_TRIES):
        start = new_code()[:-1]
        codes = [start + letter for letter in ALPHABET.upper() if shard_of(start + letter) == shard]
        if free := [code for code in codes if code not in taken]:
            return secrets.choice(free)
    return None


def no_code() -> Refusal:
    """The refusal where table after table has taken the codes."""
    return refusal(reasons.ERROR_REASON_UNAVAILABLE, "nearly all table codes are in use now: try again later")


LINK = "capicua://join/"


def clean_code(code: str) -> str | Refusal:
    """The code as it is stored, also of a link to it; INVALID_ARGUMENT where it can be none."""
    clean = code.strip().upper().removeprefix(LINK.upper()).rstrip("/")
    if len(clean) == 4 and all(letter in ALPHABET.upper() for letter in clean):
        return clean
    return refusal(
        reasons.ERROR_REASON_INVALID_ARGUMENT,
        "`code` must be the 4 letters the host was given (it never has 0, 1, I, L or O)",
    )


def code_of(table_id: str) -> str:
    """The code at the end of a table's id, which leads every process to the table's owner."""
    return table_id.rpartition("-")[2].upper()
