"""What is said at the table: with one key, or in own words; and who is not heard."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.events import Key
from textual.widgets import Checkbox, Input, OptionList, Static
from textual.widgets.option_list import Option

from capicua.api.v1.types_pb2 import TALK_TEXT
from capicua.api.v1.update_pb2 import Said
from capicua.cli import phrases
from capicua.cli.phrases import TAPS
from capicua.client import Game
from capicua.tui.dialog import Dialog
from capicua.tui.names import name
from capicua.tui.tick import Tick
from capicua.tui.words import _, rule_words

LONGEST = 200
"""Characters of a text."""


class TalkBox(Dialog[Said]):
    """Gives what was said; it is on its way by then."""

    DEFAULT_CSS = """
    TalkBox OptionList { height: 10; width: 40; border: none; }
    TalkBox Input { width: 40; }
    TalkBox Tick { padding: 0; }
    """

    AUTO_FOCUS: ClassVar[str] = "OptionList, Tick"

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._game = game

    def compose(self) -> ComposeResult:
        view, game = self._game.view, self._game
        with VerticalScroll():
            if game.seat is None:
                yield Static(_("You only listen"), classes="heading", markup=False)
            else:
                free = view.talk == TALK_TEXT
                told = _("Say it with a number, or in your own words") if free else _("Say it with a number")
                yield Static(told, classes="heading", markup=False)
                options = [Option(f"{n:>2}  {words(_said(n - 1))}", id=str(n - 1)) for n in range(1, len(TAPS) + 1)]
                yield OptionList(*options, markup=False)
                if free:
                    yield Input(placeholder=_("own words, and Enter"), max_length=LONGEST)
            for seat, known in enumerate(view.seats):
                if seat != game.seat and not known.bot:
                    told_who = _("hear nothing of {name}").format(name=name(view, seat))
                    yield Tick(told_who, seat in game.talk.muted, id=f"mute-{seat}")

    @on(OptionList.OptionSelected)
    def tapped(self, event: OptionList.OptionSelected) -> None:
        """One of the list."""
        self._tap(int(str(event.option_id)))

    @on(Input.Submitted)
    def typed(self, event: Input.Submitted) -> None:
        """Own words."""
        if text := event.value.strip():
            self._game.say(text=text)
            self.dismiss(Said(text=text))

    @on(Checkbox.Changed)
    def muted(self, event: Checkbox.Changed) -> None:
        """Somebody is heard no more, or again."""
        seat = int(str(event.checkbox.id).removeprefix("mute-"))
        (self._game.mute if event.value else self._game.unmute)(seat)

    def on_key(self, event: Key) -> None:
        """A digit says one of the first nine at once."""
        if event.key in "123456789" and isinstance(self.focused, OptionList):
            event.stop()
            self._tap(int(event.key) - 1)

    def _tap(self, number: int) -> None:
        self._game.say(**TAPS[number])  # type: ignore[arg-type]
        self.dismiss(_said(number))


def _said(number: int) -> Said:
    return Said(**TAPS[number])  # type: ignore[arg-type]


def words(said: Said) -> str:
    """What was said, in the language that is spoken."""
    return phrases.told(said, rule_words())
