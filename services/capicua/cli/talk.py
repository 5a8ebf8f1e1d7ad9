"""Talking at a table line by line: `say` and `mute`."""

from __future__ import annotations

import gettext
import shutil
import textwrap

from capicua.api.v1.update_pb2 import Said
from capicua.cli import text
from capicua.cli.phrases import TAPS, told
from capicua.client import Game, Refused

HELP = """\
say lists what can be said, say 3 says the third of it, and say hola a text where the table allows one.
mute Ben hears no more of Ben, unmute Ben does again."""


class Talker:
    """Who talks and listens at the keyboard, in the language of `words`."""

    def __init__(self, game: Game, words: gettext.NullTranslations) -> None:
        self._game = game
        self._words = words

    def tell(self, heard: Said | Refused) -> str:
        """What was heard, or why one's own was not."""
        if isinstance(heard, Refused):
            return f"Not said: {heard}"
        return f"{text.name(self._game.view, heard.seat)}: {told(heard, self._words)}"

    def do(self, line: str) -> str | None:
        """Carry a line about talk out, and give the answer to it; None where it is about something else."""
        command, _, rest = line.partition(" ")
        match command:
            case "say":
                return self._say(rest.strip())
            case "mute" | "unmute":
                return self._mute(rest.strip(), muted=command == "mute")
        return None

    def _say(self, what: str) -> str:
        if not what:
            return self._list()
        if not what.isdecimal():
            self._game.say(text=what)
        elif 1 <= int(what) <= len(TAPS):
            self._game.say(**TAPS[int(what) - 1])  # type: ignore[arg-type]
        else:
            return f"Say a number from 1 to {len(TAPS)}."
        return ""

    def _list(self) -> str:
        taps = [f"{n}) {told(Said(**tap), self._words)}" for n, tap in enumerate(TAPS, 1)]  # type: ignore[arg-type]
        # A tap with spaces is not broken over two lines.
        unbroken = "   ".join(tap.replace(" ", "\u00a0") for tap in taps)
        return textwrap.fill(unbroken, shutil.get_terminal_size().columns).replace("\u00a0", " ")

    def _mute(self, who: str, *, muted: bool) -> str:
        others = {seat: name for seat, name in self._names().items() if seat != self._game.seat}
        found = [seat for seat, name in others.items() if who.casefold() in (name.casefold(), str(seat))]
        if len(found) != 1:
            return f"Who? {', '.join(f'{seat} {name}' for seat, name in others.items())}"
        if muted:
            self._game.mute(found[0])
            return f"You hear no more of {others[found[0]]}."
        self._game.unmute(found[0])
        return f"You hear {others[found[0]]} again."

    def _names(self) -> dict[int, str]:
        return {seat.seat: seat.name for seat in self._game.view.seats}
