"""A game at the table: played from the own seat, or watched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from capicua.api.v1 import table_service_pb2 as waiting
from capicua.api.v1.error_reason_pb2 import ERROR_REASON_TALK_NOT_ALLOWED
from capicua.api.v1.types_pb2 import GAME_STATE_FINISHED, TALK_NONE, Play, Tile
from capicua.api.v1.update_pb2 import Reset, RoundEnded, Said, Update, View
from capicua.client import Client, Game, Item, Refused, Unreachable
from capicua.tui.choice import Choice
from capicua.tui.failure import SENTENCES
from capicua.tui.game_end import GameEnd
from capicua.tui.hand import KEYS
from capicua.tui.leave import Leave
from capicua.tui.page import Page
from capicua.tui.prompts import no_such, what_to_do
from capicua.tui.round_end import RoundEnd
from capicua.tui.rules import rules_of
from capicua.tui.scene import Scene
from capicua.tui.story import Story
from capicua.tui.table import Table
from capicua.tui.table_help import TableHelp
from capicua.tui.talk import TalkBox
from capicua.tui.waiting_table import WaitingTable
from capicua.tui.words import N_, _


class TableScreen(Page):
    """Follows one game to its end; leaving it closes the screen."""

    TITLE_TEXT = N_("Table")
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(arrow, f"arrow('{arrow}')", show=False) for arrow in ("left", "right", "up", "down")),
        *(Binding(key, f"number({number})", show=False) for number, key in enumerate(KEYS, 1)),
        Binding("enter,space", "enter", show=False),
        Binding("t,f2", "talk", N_("Talk")),
        Binding("r,f3", "rules", N_("Rules")),
        Binding("q", "back", N_("Leave")),
        Binding("escape", "step_back", N_("Back")),
        Binding("pageup", "scroll_chain(-1)", show=False),
        Binding("pagedown", "scroll_chain(1)", show=False),
    ]

    def __init__(self, client: Client, game_id: str, *, watching: bool = False) -> None:
        """The game with this id; `watching` shows it as to everybody, though one may have a seat."""
        super().__init__()
        self._table_client = client
        self._game_id = game_id
        self._watching = watching
        self._game: Game | None = None
        self._choice = Choice()
        self._story = Story()
        self._round: RoundEnded | None = None
        self._sent_seq = 0
        """The seq at which the last play was sent: until the game goes on there is nothing to choose."""

    def compose(self) -> ComposeResult:
        yield Static(
            _("The connection is lost and made again by itself. If your time runs out, the server plays for you."),
            id="banner",
            markup=False,
        )
        yield Static("", id="problem", markup=False)
        capicua = self.capicua
        yield Table("boxes" if capicua.plain else capicua.profile.tiles)

    def on_mount(self) -> None:
        self._follow()
        self.set_interval(0.5, self._tick)

    def on_unmount(self) -> None:
        """Nobody looks any more."""
        if self._game is not None:
            self._table_client.unwatch(self._game)

    async def restyle(self) -> None:
        """Say everything anew."""
        await super().restyle()
        self._show()

    @property
    def engaged(self) -> bool:
        """The game goes on, and the player has a seat."""
        game = self._game
        if game is None:
            return not self._watching
        return game.seat is not None and game.view.state != GAME_STATE_FINISHED

    @property
    def game(self) -> Game | None:
        """The game that is shown; None until the server has answered."""
        return self._game

    @work(group="game", exclusive=True)
    async def _follow(self) -> None:
        client = self._table_client
        try:
            found = await (client.spectate if self._watching else client.watch)(self._game_id)
            self._game = found
            self._listen(found)
            async for item in found:
                self._heard(found.view, item)
        except (Refused, Unreachable) as failure:
            self.failed(failure)

    @work(group="talk", exclusive=True)
    async def _listen(self, game: Game) -> None:
        async for heard in game.talk:
            if isinstance(heard, Refused):
                self.failed(heard)
            else:
                self._show_said(heard)

    def _show_said(self, said: Said) -> None:
        game = self._game
        assert game is not None
        told = self._story.said(game.view, said)
        if not self.is_current:
            self.notify(told, markup=False)
        self._show()

    def _heard(self, view: View, item: Item) -> None:
        if isinstance(item, Update):
            self._told(view, item)
        elif isinstance(item, Reset) and view.state == GAME_STATE_FINISHED:
            self._end_game(view)
        self._show()

    def _told(self, view: View, update: Update) -> None:
        self._story.happened(view, update)
        match update.WhichOneof("event"):
            case "turn_started":
                self.say("")
            case "round_started":
                if isinstance(self.app.screen, RoundEnd):
                    self.app.screen.next_round()
            case "round_ended":
                self._round = update.round_ended
                self._close_round()
                self.app.push_screen(RoundEnd(view, update.round_ended))
            case "game_ended":
                self._end_game(view)

    def _close_round(self) -> None:
        if isinstance(self.app.screen, RoundEnd):
            self.app.screen.dismiss()

    def _end_game(self, view: View) -> None:
        self._close_round()
        self.app.push_screen(GameEnd(self._table_client, view, self._round, self.capicua.server), self._after_game)

    def _after_game(self, then: bool | waiting.Table | None) -> None:
        if isinstance(then, waiting.Table):
            self._go_to_rematch(then)
        elif then:
            self.app.run_worker(self._close())

    async def _close(self) -> None:
        """With any box that was open when the game ended."""
        await self.capicua.back_to(TableScreen)
        await self.app.pop_screen()

    def _go_to_rematch(self, table: waiting.Table) -> None:
        if table.game_id:
            self.capicua.open_table(table.game_id)
        else:
            self.app.push_screen(WaitingTable(table))

    def _show(self, prompt: str = "") -> None:
        game = self._game
        if game is None:
            return
        to_choose = game.my_turn and game.view.seq != self._sent_seq
        self._choice.offer(game.view if to_choose else View())
        scene = Scene(
            game.view,
            game.seconds_left,
            tuple(self._story.sentences),
            self._story.acts,
            self._choice.tile,
            self._choice.where,
            prompt
            or what_to_do(game.view, self._choice, watching=game.seat is None, sent=game.my_turn and not to_choose),
            _("? help · q back") if game.seat is None else _("? help · t talk · q leave"),
            self._open_hands(game.view),
            self._story.heard,
        )
        # A page that is closing hears of the game for a moment longer than it has widgets.
        for table in self.query(Table):
            table.show(scene)

    def _open_hands(self, view: View) -> Mapping[int, Sequence[Tile]] | None:
        """What everybody was left with, once the game is over."""
        if view.state != GAME_STATE_FINISHED or self._round is None:
            return None
        return {seat: hand.tiles for seat, hand in enumerate(self._round.hands)}

    def _tick(self) -> None:
        for table in self.query(Table):
            table.tick(self._game.seconds_left if self._game is not None else None, self._story.heard)

    def _decided(self, play: Play | None) -> None:
        game = self._game
        if play is not None and game is not None and game.view.seq != self._sent_seq:
            self._sent_seq = game.view.seq
            self._play(game, play)
        self._show()

    @work(group="play")
    async def _play(self, game: Game, play: Play) -> None:
        try:
            await game.play(play.tile, play.end)
        except (Refused, Unreachable) as failure:
            self._sent_seq = 0
            self.failed(failure)
            self._show()

    def action_arrow(self, key: str) -> None:
        """Another tile, or the side."""
        self._decided(self._choice.arrow(key))

    def action_number(self, number: int) -> None:
        """A tile or a place by its number."""
        if self._choice.tile is None or self._choice.has(number):
            self._decided(self._choice.number(number))
        else:
            self._show(no_such(self._choice, number))

    def action_enter(self) -> None:
        """Play, if it is clear where; in a game that is over, show again how it ended."""
        if self._game is not None and self._game.view.state == GAME_STATE_FINISHED:
            self._end_game(self._game.view)
        else:
            self._decided(self._choice.enter())

    def action_choose(self, high: int, low: int) -> None:
        """A tile was clicked."""
        self._decided(self._choice.take(Tile(high=high, low=low)))

    def action_play_at(self, end: str) -> None:
        """An open end was clicked."""
        self._decided(self._choice.at(end))

    def action_talk(self) -> None:
        """Say something, or hear nothing of somebody any more."""
        if self._game is not None and self._game.view.talk == TALK_NONE:
            self.say(_(SENTENCES[ERROR_REASON_TALK_NOT_ALLOWED]))
        elif self._game is not None:
            self.app.push_screen(TalkBox(self._game), self._have_said)

    def _have_said(self, said: Said | None) -> None:
        if said is not None and self._game is not None and self._game.seat is not None:
            said.seat = self._game.seat
            self._show_said(said)

    def action_rules(self) -> None:
        """Of this game, while it goes on."""
        if self._game is not None and (rules := rules_of(self._game.view.options)):
            self.app.push_screen(rules)

    def action_scroll_chain(self, pages: int) -> None:
        """Where the layout is higher than its room."""
        room = self.query_one("#chain-room")
        room.scroll_relative(y=pages * max(1, room.size.height - 1), animate=False)

    def action_step_back(self) -> None:
        """Choose the tile again, else ask about leaving."""
        if self._choice.back():
            self._show()
        else:
            self.action_ask_leave()

    async def action_back(self) -> None:
        """Leave, after a question where a seat is left."""
        self.action_ask_leave()

    def action_ask_leave(self) -> None:
        """Leave at once where nothing is lost."""
        game = self._game
        if game is None or game.seat is None or game.finished:
            self.app.pop_screen()
        else:
            self.app.push_screen(Leave(game, self.capicua.server), self._after_game)

    def action_capicua_help(self) -> None:
        """The keys of the table."""
        self.app.push_screen(TableHelp())
