"""The end of a round: how it ended, all hands, and the points."""

from __future__ import annotations

from collections.abc import Iterator

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.events import Key
from textual.reactive import reactive
from textual.widgets import Static

from capicua.api.v1.update_pb2 import RoundEnded, View
from capicua.tui.dialog import Dialog
from capicua.tui.layout import variant_of
from capicua.tui.names import name, side_name, tile_names
from capicua.tui.telling import how_it_ended
from capicua.tui.words import N_, _, counted, isolated

READ_SECONDS = 6.0
"""How long the page stays once the next round has begun."""
_BONUS = {"capicua": N_("capicúa: {points}"), "chuchazo": N_("chuchazo: {points}")}


class RoundEnd(Dialog[None]):
    """Closed by any key, or by itself a while after the next round has begun."""

    begun: reactive[bool] = reactive(False, recompose=True)
    """Whether the next round has."""

    def __init__(self, view: View, ended: RoundEnded) -> None:
        super().__init__()
        self._view = View()
        self._view.CopyFrom(view)
        self._ended = ended

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(_("Round {n} is over").format(n=self._ended.round), classes="heading", markup=False)
            for line in tell_round(self._view, self._ended):
                yield Static(line, markup=False)
            yield Static(" ")
            told = _("The next round has begun. Any key goes on.") if self.begun else _("Any key goes on.")
            yield Static(told, markup=False)

    def next_round(self) -> None:
        """The next round has begun."""
        self.begun = True
        self.set_timer(READ_SECONDS, self.action_close)

    def on_key(self, event: Key) -> None:
        """Enough read."""
        # It would go on to the page below, and do there what it means there.
        event.stop()
        self.dismiss()

    def on_click(self) -> None:
        """Enough read."""
        self.dismiss()


def tell_round(view: View, ended: RoundEnded) -> Iterator[str]:
    """The end of a round in lines: the result, the points, then what each seat still held, and the scores."""
    yield how_it_ended(view, ended)
    if ended.awarded:
        yield counted("The round gives {n} point.", "The round gives {n} points.", ended.awarded)
    for bonus in ended.bonuses:
        points = counted("{n} point", "{n} points", bonus.points)
        yield _(_BONUS[bonus.kind]).format(points=points) if bonus.kind in _BONUS else points
    if ended.reset:
        yield _("The win only sets the scores back to zero.")
    yield " "
    for seat, hand in enumerate(ended.hands):
        pips = counted("{n} pip", "{n} pips", hand.pips)
        yield f"{name(view, seat)}: {tile_names(hand.tiles)} · {pips}" if hand.tiles else f"{name(view, seat)}: -"
    yield " "
    yield from tell_scores(view)


def tell_scores(view: View) -> Iterator[str]:
    """The score of every side in one line, and the target."""
    yield " · ".join(f"{side_name(view, side)} {isolated(str(score))}" for side, score in enumerate(view.scores))
    variant = variant_of(view.options)
    by_rounds = variant is not None and variant.target.kind == "rounds_lowest"
    told = _("The fewest points after {target} rounds win.") if by_rounds else _("The target is {target}.")
    yield told.format(target=view.options.target)
