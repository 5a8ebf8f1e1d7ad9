"""Parties of two: who waits for a friend, and who has found one."""

from __future__ import annotations

from typing import NamedTuple

from capicua.matchmaking.pairing import Kind, Ticket


class Word(NamedTuple):
    """What two friends have in common: the word, and all that they want."""

    word: str
    kinds: tuple[Kind, ...]
    any_target: bool


class Friends:
    """The tickets of those who ask with a word, one or two for each."""

    def __init__(self) -> None:
        self._tickets: dict[Word, tuple[Ticket, ...]] = {}

    def of(self, word: Word) -> tuple[Ticket, ...]:
        """The tickets with this word."""
        return self._tickets.get(word, ())

    def one_too_many(self, word: Word, ticket: Ticket) -> Ticket | None:
        """Who has no place beside the others if this ticket comes: the youngest of three players.

        Where tickets come again from elsewhere, those who were friends before stay friends.
        """
        others = [each for each in self.of(word) if each.player_id != ticket.player_id]
        return max(ticket, *others, key=lambda each: each.queued_ms) if len(others) > 1 else None

    def add(self, word: Word, ticket: Ticket) -> None:
        """Let a ticket in, for which there is a place."""
        self._tickets[word] = (*self.of(word), ticket)

    def remove(self, word: Word, ticket: Ticket) -> None:
        """Take a ticket out, if it is there."""
        left = tuple(each for each in self.of(word) if each is not ticket)
        if left:
            self._tickets[word] = left
        else:
            self._tickets.pop(word, None)
