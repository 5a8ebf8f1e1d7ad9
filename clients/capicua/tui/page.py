"""What all pages have in common: a title, a place for what went wrong, the keys at the bottom."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Footer, Static

from capicua.client import Client, Refused, Unreachable
from capicua.tui.failure import sentence
from capicua.tui.words import N_, _

if TYPE_CHECKING:
    from capicua.tui.app import CapicuaApp

T = TypeVar("T")
_OF_TEXTUAL = (N_("Dismiss menu"),)
"""Words of its widgets that come up among the keys."""


class Page(Screen[None]):
    """A page of the client; Escape goes back to the one before."""

    TITLE_TEXT: ClassVar[str] = "Capicua"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", N_("Back")),
        Binding("f1,question_mark", "capicua_help", N_("Help"), key_display="F1 ?"),
    ]

    @property
    def engaged(self) -> bool:
        """Whether others count on the player to stay on this page."""
        return False

    @property
    def capicua(self) -> CapicuaApp:
        """The app, by its own type."""
        app: CapicuaApp = self.app  # type: ignore[assignment]
        return app

    @property
    def client(self) -> Client:
        """The signed-in client; there is one on every page but the first."""
        client = self.capicua.client
        assert client is not None
        return client

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """The keys that work now, described in the language that is spoken."""
        return {
            key: active._replace(binding=replace(active.binding, description=_(active.binding.description)))
            if active.binding.description
            else active
            for key, active in super().active_bindings.items()
        }

    def compose(self) -> ComposeResult:
        yield Static(_(self.TITLE_TEXT), id="title", markup=False)
        yield Static(
            _("The connection is lost. It is made again by itself; nothing is lost."), id="banner", markup=False
        )
        yield Static("", id="problem", markup=False)
        with VerticalScroll(id="body", can_focus=False):
            yield from self.body()
        yield Footer(show_command_palette=False)

    def body(self) -> ComposeResult:
        """The widgets of this page."""
        yield from ()

    def on_mount(self) -> None:
        """Show how the connection stands; what a page shows besides is its own matter."""
        self.watch(self.app, "reconnecting", self.stands)

    def stands(self, reconnecting: bool) -> None:
        """Show or hide that the connection is lost."""
        self.query_one("#banner").display = reconnecting

    async def restyle(self) -> None:
        """Say everything anew; what has the focus keeps it."""
        focused = self.focused.id if self.focused is not None else None
        await self.recompose()
        self.stands(self.capicua.reconnecting)
        if focused is not None:
            self.query(f"#{focused}").focus()
        self.refresh_bindings()

    def say(self, told: str) -> None:
        """Show a sentence under the title, or nothing any more."""
        # What was asked may be answered when the page is closing and has no widgets any more.
        for problem in self.query("#problem").results(Static):
            problem.update(told)
            problem.display = bool(told)

    async def attempt(self, asked: Awaitable[T]) -> T | None:
        """Wait for what was asked; None if it failed, and then the page says why."""
        self.say("")
        try:
            return await asked
        except (Refused, Unreachable) as failure:
            self.failed(failure)
            return None

    def failed(self, failure: Refused | Unreachable) -> None:
        """Say what went wrong, here or, where nothing but signing in helps, on the first page."""
        if not self.capicua.signed_out_by(failure):
            self.say(sentence(failure, self.capicua.server))

    async def action_back(self) -> None:
        """To the page before."""
        self.app.pop_screen()

    def action_capicua_help(self) -> None:
        """All keys, those of this page too."""
        from capicua.tui.help import Help

        shown = [each.binding for each in self.active_bindings.values() if each.binding.show and each.node is self]
        own = [key for key in shown if key.action not in ("back", "capicua_help")]
        self.app.push_screen(Help([(self.app.get_key_display(key), key.description) for key in own]))
