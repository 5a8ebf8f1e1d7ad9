"""A finished game, step by step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.timer import Timer
from textual.widgets import Static

from capicua.picture import draw
from capicua.tui.cast import cast
from capicua.tui.names import name
from capicua.tui.page import Page
from capicua.tui.profile import Tiles
from capicua.tui.recording import Recording
from capicua.tui.replay_help import ReplayHelp
from capicua.tui.scene import Scene
from capicua.tui.table import Table
from capicua.tui.telling import act, tell
from capicua.tui.words import N_, _, isolated

PACES = (4.0, 2.0, 1.0, 0.5, 0.25)
"""Seconds a moment is shown while the replay runs, slowest first."""


class ReplayScreen(Page):
    """Shows the record of a game, with all hands open or as one seat saw it."""

    TITLE_TEXT = N_("Replay")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "go(1)", show=False),
        Binding("left", "go(-1)", show=False),
        Binding("down,pagedown", "go_round(1)", show=False),
        Binding("up,pageup", "go_round(-1)", show=False),
        Binding("home", "first", show=False),
        Binding("end", "last", show=False),
        Binding("space", "run", show=False),
        Binding("plus,equals_sign", "pace(1)", show=False),
        Binding("minus", "pace(-1)", show=False),
        Binding("k,f2", "know", show=False),
        Binding("t,f3", "share_text", show=False),
        Binding("s,f4", "share_picture", show=False),
        Binding("c,f5", "share_cast", show=False),
        Binding("q", "back", N_("Back")),
    ]

    def __init__(self, record: str, folder: Path | None = None) -> None:
        """`record` is in text notation; what is shared goes into `folder`, by default the current one.

        Raises NotationError for text that is no record, or one that breaks the rules.
        """
        super().__init__()
        self._recording = Recording(record)
        self._folder = folder or Path.cwd()
        self.moment = 0
        self.knows: int | None = None
        """The seat whose knowledge is shown; None for all hands."""
        self._pace = PACES.index(1.0)
        self._runner: Timer | None = None

    @property
    def _tiles(self) -> Tiles:
        capicua = self.capicua
        return "boxes" if capicua.plain else capicua.profile.tiles

    def compose(self) -> ComposeResult:
        yield Static("", id="banner", markup=False)
        yield Static("", id="problem", markup=False)
        yield Table(self._tiles)

    def on_mount(self) -> None:
        """The beginning."""
        self._go_to(0)

    async def restyle(self) -> None:
        """Say everything anew."""
        await super().restyle()
        self._go_to(self.moment)

    def scene(self, moment: int) -> Scene:
        """What is to be seen at a moment."""
        recording = self._recording
        shown = recording.view(moment, self.knows)
        update = recording.update(moment, self.knows)
        done = act(update)
        told = _("Step {n} of {total} · {who}").format(n=moment + 1, total=len(recording), who=self._who(moment))
        return Scene(
            shown,
            story=[tell(shown, update)],
            acts=dict([done]) if done else {},
            prompt=told,
            keys=_("← → step · ? help · q back"),
            hands=recording.hands(moment) if self.knows is None else None,
        )

    def _who(self, moment: int) -> str:
        if self.knows is None:
            return _("all hands")
        return _("what {name} knew").format(name=name(self._recording.view(moment, None), self.knows))

    def _go_to(self, moment: int) -> None:
        self.moment = min(max(moment, 0), len(self._recording) - 1)
        self.query_one(Table).show(self.scene(self.moment))

    def action_go(self, by: int) -> None:
        """A moment on or back."""
        self._go_to(self.moment + by)

    def action_go_round(self, by: int) -> None:
        """To where the next round begins, or this one, or the one before."""
        rounds = self._recording.rounds
        if by > 0:
            self._go_to(next((at for at in rounds if at > self.moment), len(self._recording) - 1))
        else:
            self._go_to(next((at for at in reversed(rounds) if at < self.moment), 0))

    def action_first(self) -> None:
        """To the beginning."""
        self._go_to(0)

    def action_last(self) -> None:
        """To the end."""
        self._go_to(len(self._recording) - 1)

    def action_run(self) -> None:
        """Go on by itself, or stop."""
        if self._runner is not None:
            self._runner.stop()
            self._runner = None
        else:
            self._runner = self.set_interval(PACES[self._pace], self._run_on)

    def _run_on(self) -> None:
        if self.moment + 1 < len(self._recording):
            self.action_go(1)
        else:
            self.action_run()

    def action_pace(self, by: int) -> None:
        """Faster or slower."""
        self._pace = min(max(self._pace + by, 0), len(PACES) - 1)
        if self._runner is not None:
            self.action_run()
            self.action_run()
        self.say(_("{n} seconds a step").format(n=f"{PACES[self._pace]:g}"))

    def action_know(self) -> None:
        """The next seat's knowledge, after the last one all hands again."""
        seats = self._recording.facts.seats
        self.knows = 0 if self.knows is None else self.knows + 1 if self.knows + 1 < seats else None
        self._go_to(self.moment)

    def action_share_text(self) -> None:
        """The record as it is: any Capicua can replay it."""
        self._share("txt", lambda: self._recording.notation.encode())

    def action_share_picture(self) -> None:
        """This moment as a picture."""
        recording = self._recording
        self._share("svg", lambda: draw(recording.steps, recording.step(self.moment) + 1, recording.names))

    def action_share_cast(self) -> None:
        """The whole replay as it is seen now, for asciinema."""
        recording = self._recording
        scenes = (self.scene(moment) for moment in range(len(recording)))
        title = f"Capicua: {', '.join(recording.names)}"
        self._share("cast", lambda: cast(scenes, PACES[self._pace], title, self._tiles).encode())

    async def action_back(self) -> None:
        """To wherever the replay was opened."""
        self.dismiss()

    def _share(self, kind: str, made: Callable[[], bytes]) -> None:
        """Into a new file; nothing is written over."""
        number = 1
        while (path := self._folder / f"capicua-{number}.{kind}").exists():
            number += 1
        try:
            path.write_bytes(made())
        except OSError:
            told = _("Nothing can be written to {folder}. Start Capicua in another folder.")
            self.say(told.format(folder=isolated(str(self._folder))))
        else:
            self.say(_("Written: {path}").format(path=isolated(str(path))))

    def action_capicua_help(self) -> None:
        """The keys of a replay."""
        self.app.push_screen(ReplayHelp())
