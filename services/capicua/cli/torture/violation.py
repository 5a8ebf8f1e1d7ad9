"""What may not happen, whatever fails."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """The promises, each as the sentence that says how it was broken."""

    LOST = "an acknowledged move is not in the log"
    DOUBLED = "a command was carried out twice"
    ANSWERS = "answers to one command disagree with each other or with the log"
    REFUSED = "a legal command was refused for a reason that does not pass"
    GAP = "seqs are not dense"
    TAKEN_BACK = "a viewer was shown what was taken back later"
    DIFFERS = "viewers were shown different things, or other things than the log holds"
    LEAK = "somebody was shown a hidden tile"
    TILES = "tiles were not conserved"
    TURN = "a turn did not end by exactly one play, pass or expiry"
    EPOCH = "an owner wrote after a newer one"
    UNENDED = "a game did not end, or somebody was not told"
    CLIENT = "a client was thrown out for good"


class Violation(NamedTuple):
    """One case of it."""

    kind: Kind
    game_id: str
    what: str

    def __str__(self) -> str:
        return f"{self.kind.name}: {self.game_id}: {self.what}"
