"""What happened in a game, told to people: one short block an update."""

from __future__ import annotations

from capicua.api.v1 import types_pb2 as types
from capicua.api.v1 import update_pb2 as api
from capicua.api.v1.update_pb2 import Presence, Reset, View
from capicua.cli import text
from capicua.client import Item

_OPENED_BY = {
    types.OPENER_BY_HIGH_DOUBLE: "holds the strongest tile",
    types.OPENER_BY_LOT: "was drawn by lot",
    types.OPENER_BY_LOT_BY_TILE: "drew the heaviest tile",
    types.OPENER_BY_WINNER: "won the last round",
    types.OPENER_BY_ROTATE: "is next to open",
    types.OPENER_BY_SAME: "opens again",
}


def tell(view: View, item: Item) -> str:
    """What `item` says, with `view` as it is afterwards; empty for what needs no words."""
    if isinstance(item, Reset):
        return picture(view)
    if isinstance(item, Presence):
        return f"{text.name(view, item.seat)} {'is back' if item.connected else 'has lost the connection'}"
    match item.WhichOneof("event"):
        case "round_started":
            return _round_started(view, item.round_started)
        case "tile_played":
            return _tile_played(view, item.tile_played)
        case "tile_drawn":
            return _tile_drawn(view, item.tile_drawn)
        case "turn_passed":
            return f"{text.name(view, item.turn_passed.seat)} passes"
        case "round_ended":
            return _round_ended(view, item.round_ended)
        case "game_ended":
            return f"\n{_wins(view, view.winner_side)} the game.  Final scores: {text.scores(view)}"
        case "seat_quit":
            return f"{item.seat_quit.name} has quit: {item.seat_quit.seat_now.name} (bot) plays on"
        case "clock_restored":
            return f"{text.name(view, item.clock_restored.seat)} gets back the time the game stood still"
    return ""


def picture(view: View) -> str:
    """The whole game as it stands: what is played, the layout, hands and scores."""
    lines = [text.game(view)]
    if view.round:
        lines += [f"Round {view.round}", text.indented(text.layout(view))]
        lines.append(f"Tiles: {text.hand_sizes(view)}{_boneyard(view)}")
    lines.append(f"Scores: {text.scores(view)}")
    if view.state == types.GAME_STATE_FINISHED:
        lines.append(f"The game is over: {_wins(view, view.winner_side)}.")
    elif view.HasField("turn"):
        lines.append(f"{text.name(view, view.turn)} is to play.")
    return "\n".join(lines)


def _wins(view: View, side: int) -> str:
    return f"{text.side(view, side)} {'win' if view.pairs else 'wins'}"


def _boneyard(view: View) -> str:
    return f" · boneyard {view.boneyard_size}" if view.boneyard_size else ""


def _round_started(view: View, event: api.RoundStarted) -> str:
    opener = text.name(view, event.opener)
    lines = [f"\nRound {event.round}: {opener} {_OPENED_BY.get(event.opener_by, 'opens')}"]
    lines.append(f"  Tiles: {text.hand_sizes(view)}{_boneyard(view)}")
    for lot in event.lot:
        lines.append(f"  Lot: {text.tiles(lot.tiles)}")
    return "\n".join(lines)


def _tile_played(view: View, event: api.TilePlayed) -> str:
    told = f"{text.name(view, event.seat)} plays {text.play(event.play)}"
    if event.expired:
        told += " (the turn expired: away, so played at once)" if event.away else " (the turn expired)"
    if event.points:
        told += f", {text.counted(event.points, 'point')}"
    if event.voided:
        told += f", {text.counted(event.voided, 'point')} void"
    if event.out_point:
        told += f", {event.out_point} for the domino out"
    # Of several trains only one has changed, and all of them would be a flood.
    layout = text.train(view, event.play.end) if view.HasField("engine_tile") else text.layout(view)
    return f"{told:<36}  tiles: {text.hand_sizes(view)}\n{text.indented(layout, 4)}"


def _tile_drawn(view: View, event: api.TileDrawn) -> str:
    drawn = text.tile(event.tile) if event.HasField("tile") else "a tile"
    return f"{text.name(view, event.seat)} draws {drawn}, boneyard {event.boneyard_size}"


def _round_ended(view: View, event: api.RoundEnded) -> str:
    how = {
        types.ROUND_END_DOMINO_OUT: f"Domino out: {text.name(view, event.last_mover)} has no tile left",
        types.ROUND_END_BLOCKED: "The round is blocked",
        types.ROUND_END_TARGET: "The target is met",
    }.get(event.reason, "The round is over")
    if event.HasField("winner_side"):
        how += f"; {_wins(view, event.winner_side)} the round"
        how += f", {text.counted(event.awarded, 'point')}" if event.awarded else ""
        how += ", which only resets the scores" if event.reset else ""
    elif event.tie:
        how += "; a tie, so nobody wins it"
    for bonus in event.bonuses:
        how += f", {bonus.kind} {text.counted(bonus.points, 'point')}"
    left = [
        f"  {text.name(view, seat)} held {text.tiles(hand.tiles)}, {text.counted(hand.pips, 'pip')}"
        for seat, hand in enumerate(event.hands)
        if hand.tiles
    ]
    return "\n".join([how, *left, f"Scores: {text.scores(view)}"])
