"""Ids: short, random, safe in URLs and on the command line."""

from __future__ import annotations

import secrets

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
)
"""Id and name of the bots that fill free seats; seven are enough for the largest table."""


def new_id(prefix: str, length: int = 12) -> str:
    """A fresh id such as "g-7k2m9qxw4hpa": `length` random letters, 59 bits for 12."""
    return f"{prefix}-" + "".join(secrets.choice(ALPHABET) for _ in range(length))


def new_code() -> str:
    """A fresh table code of 4 letters, upper case."""
    return "".join(secrets.choice(ALPHABET) for _ in range(4)).upper()
