"""What there is to do at the table, in one line."""

from __future__ import annotations

from capicua.api.v1.types_pb2 import GAME_STATE_FINISHED
from capicua.api.v1.update_pb2 import View
from capicua.tui.choice import Choice
from capicua.tui.hand import places
from capicua.tui.names import name, place_name, tile_name
from capicua.tui.words import _


def no_such(choice: Choice, number: int) -> str:
    """The line for a player who chose a `number` that no place, or else no playable tile, has."""
    told = (
        _("Your turn. No place has the number {n}.")
        if choice.where
        else _("Your turn. No tile that fits has the number {n}.")
    )
    return told.format(n=number)


def what_to_do(view: View, choice: Choice, *, watching: bool, sent: bool) -> str:
    """The line for a player who chooses, waits, or has `sent` a play; or for somebody who is only `watching`."""
    if view.state == GAME_STATE_FINISHED:
        return _("The game is over. Enter shows how it ended.")
    if sent:
        return _("Your play is on its way.")
    if choice.where and choice.tile is not None:
        ends = "  ".join(f"{number}: {place_name(view, play)}" for number, play in enumerate(choice.where, 1))
        return _("Your turn. {tile} where?  {ends}").format(tile=tile_name(choice.tile), ends=ends)
    if choice.tile is not None:
        tile = tile_name(choice.tile)
        if len(view.legal) == 1:
            return _("Your turn. Enter plays {tile}.").format(tile=tile)
        if len(places(view, choice.tile)) == 1:
            return _("Your turn. Arrows or numbers choose, Enter plays {tile}.").format(tile=tile)
        return _("Your turn. Arrows or numbers choose a tile, Enter takes {tile}.").format(tile=tile)
    if view.HasField("turn"):
        told = _("You watch. {name} is to play.") if watching else _("{name} is to play.")
        return told.format(name=name(view, view.turn))
    return _("The next round is dealt.") if view.round else _("The game begins.")
