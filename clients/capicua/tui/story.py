"""What has happened lately at a table, in sentences and by seat."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from time import monotonic

from capicua.api.v1.update_pb2 import Said, Update, View
from capicua.tui.names import name
from capicua.tui.talk import words
from capicua.tui.telling import act, tell
from capicua.tui.words import _, isolated

REMEMBERED = 12
"""Sentences that are kept."""
HEARD_SECONDS = 8.0
"""How long what was said is shown at its seat."""


class Story:
    """Grows with every update and all that is said."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        """`clock` gives seconds."""
        self.sentences: deque[str] = deque(maxlen=REMEMBERED)
        self.acts: dict[int, str] = {}
        """What each seat did last in this round."""
        self._clock = clock
        self._heard: dict[int, tuple[float, str]] = {}

    def happened(self, view: View, update: Update) -> None:
        """An update, with `view` as it is afterwards."""
        if update.HasField("round_started"):
            self.acts.clear()
        if told := tell(view, update):
            self.sentences.append(told)
        if done := act(update):
            self.acts[done[0]] = done[1]

    def said(self, view: View, said: Said) -> str:
        """Something that was said; gives it as a sentence."""
        told = _("{name}: {words}").format(name=name(view, said.seat), words=isolated(words(said)))
        self.sentences.append(told)
        self._heard[said.seat] = self._clock(), isolated(words(said))
        return told

    @property
    def heard(self) -> Mapping[int, str]:
        """What each seat has just said."""
        soon = self._clock() - HEARD_SECONDS
        return {seat: told for seat, (at, told) in self._heard.items() if at > soon}
