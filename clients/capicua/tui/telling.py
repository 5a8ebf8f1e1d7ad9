"""What happened last, in one sentence."""

from __future__ import annotations

from capicua.api.v1 import types_pb2 as types
from capicua.api.v1 import update_pb2 as api
from capicua.api.v1.update_pb2 import Update, View
from capicua.tui.names import name, place_name, side_name, tile_name
from capicua.tui.words import N_, _, counted

_OPENED_BY = {
    types.OPENER_BY_HIGH_DOUBLE: N_("Round {round}: {name} holds the strongest tile and opens."),
    types.OPENER_BY_LOT: N_("Round {round}: {name} was drawn by lot and opens."),
    types.OPENER_BY_LOT_BY_TILE: N_("Round {round}: {name} drew the heaviest tile and opens."),
    types.OPENER_BY_WINNER: N_("Round {round}: {name} won the last round and opens."),
    types.OPENER_BY_ROTATE: N_("Round {round}: {name} is next to open."),
    types.OPENER_BY_SAME: N_("Round {round}: {name} opens again."),
}
_OPENS = N_("Round {round}: {name} opens.")


def tell(view: View, update: Update) -> str:
    """The sentence for an update, with `view` as it is afterwards; empty for what needs no words."""
    match update.WhichOneof("event"):
        case "round_started":
            event = update.round_started
            told = _(_OPENED_BY.get(event.opener_by, _OPENS))
            return told.format(round=event.round, name=name(view, event.opener))
        case "tile_played":
            return _tile_played(view, update.tile_played)
        case "tile_drawn":
            return _tile_drawn(view, update.tile_drawn)
        case "turn_passed":
            return _("{name} cannot play and passes.").format(name=name(view, update.turn_passed.seat))
        case "round_ended":
            return how_it_ended(view, update.round_ended)
        case "game_ended":
            return who_won(view)
        case "seat_quit":
            return _("The player of seat {number} has quit; {name} plays on.").format(
                number=update.seat_quit.seat + 1, name=name(view, update.seat_quit.seat)
            )
        case "clock_restored":
            told = _("The game stood still for a while: {name} gets the time back.")
            return told.format(name=name(view, update.clock_restored.seat))
    return ""


def act(update: Update) -> tuple[int, str] | None:
    """What a seat has just done, in a word or two."""
    match update.WhichOneof("event"):
        case "tile_played":
            played = update.tile_played
            return played.seat, tile_name(played.play.tile) + (" " + _("(time out)") if played.expired else "")
        case "tile_drawn":
            return update.tile_drawn.seat, _("draws")
        case "turn_passed":
            return update.turn_passed.seat, _("passes")
    return None


def _tile_played(view: View, event: api.TilePlayed) -> str:
    place = place_name(view, event.play)
    if event.expired and event.seat == view.own_seat and view.HasField("own_seat"):
        told = _("Your time ran out: the server played {tile} for you.").format(tile=tile_name(event.play.tile))
    elif event.expired:
        told = _("The time of {name} ran out: the server played {tile}.")
        told = told.format(name=name(view, event.seat), tile=tile_name(event.play.tile))
    elif place:
        told = _("{name} plays {tile}: {place}.")
        told = told.format(name=name(view, event.seat), tile=tile_name(event.play.tile), place=place)
    else:
        told = _("{name} leads {tile}.").format(name=name(view, event.seat), tile=tile_name(event.play.tile))
    if event.points:
        told += " " + counted("{n} point!", "{n} points!", event.points)
    if event.voided:
        told += " " + counted("{n} point would pass the target.", "{n} points would pass the target.", event.voided)
    if event.out_point:
        told += " " + counted("{n} point for domino out.", "{n} points for domino out.", event.out_point)
    return told


def _tile_drawn(view: View, event: api.TileDrawn) -> str:
    if event.HasField("tile"):
        return _("{name} draws {tile}.").format(name=name(view, event.seat), tile=tile_name(event.tile))
    return _("{name} draws a tile.").format(name=name(view, event.seat))


def how_it_ended(view: View, event: api.RoundEnded) -> str:
    """How a round ended and who won it."""
    match event.reason:
        case types.ROUND_END_DOMINO_OUT:
            told = _("Domino! {name} has no tile left.").format(name=name(view, event.last_mover))
        case types.ROUND_END_BLOCKED:
            told = _("Blocked: nobody can play.")
        case _otherwise:
            told = _("The target is met.")
    if event.HasField("winner_side"):
        won = _("{side} win the round.") if view.pairs else _("{side} wins the round.")
        told += " " + won.format(side=side_name(view, event.winner_side))
    elif event.tie:
        told += " " + _("A tie: nobody wins the round.")
    return told


def who_won(view: View) -> str:
    """The result of a finished game."""
    told = _("{side} win the game!") if view.pairs else _("{side} wins the game!")
    return told.format(side=side_name(view, view.winner_side))
