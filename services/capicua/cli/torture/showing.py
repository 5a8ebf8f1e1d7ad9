"""Whether what a viewer was shown is what the log holds, and nothing hidden (I-2, I-7, R-143 to R-157)."""

from __future__ import annotations

from collections.abc import Iterator

from google.protobuf.message import Message

from capicua.api.v1.types_pb2 import Tile
from capicua.api.v1.update_pb2 import Reset, Update, View
from capicua.cli.torture.ledger import Ledger, Pips, Standing, pips, shown_pips
from capicua.cli.torture.transcript import Transcript
from capicua.cli.torture.violation import Kind, Violation
from capicua.log.v1.entry_pb2 import Event

_PRIVATE = {"round_started": ("hand", "forced_lead"), "turn_started": ("legal",), "tile_drawn": ("tile", "playable")}
"""What one viewer of an update may get and another not."""
_SAME = {
    "round_started": ("round", "opener"),
    "turn_started": ("seat", "deadline_ms"),
    "tile_played": ("seat", "count", "points", "voided", "out_point", "expired"),
    "tile_drawn": ("seat",),
    "turn_passed": ("seat",),
    "round_ended": ("tie", "winner_seat", "winner_side", "last_mover", "raw_points", "awarded", "reset", "scores"),
    "game_ended": ("winner_side",),
    "clock_restored": ("deadline_ms",),
    "seat_quit": ("seat",),
}
"""What an update says with the words of the log."""


def public_part(update: Update) -> bytes:
    """What every viewer must get alike."""
    public = Update()
    public.CopyFrom(update)
    kind = public.WhichOneof("event")
    for private in _PRIVATE.get(kind or "", ()):
        getattr(public, kind or "").ClearField(private)
    return public.SerializeToString(deterministic=True)


def look(ledger: Ledger, transcript: Transcript) -> Iterator[Violation]:
    """Everything wrong with what one viewer was shown of one game."""
    who = transcript.player_id or "a spectator"
    last: int | None = None

    def bad(kind: Kind, what: str) -> Violation:
        return Violation(kind, ledger.game_id, f"{who}: {what}")

    for item in transcript.shown:
        seq = item.view.seq if isinstance(item, Reset) else item.seq
        if isinstance(item, Update) and last is not None and seq != last + 1:
            yield bad(Kind.GAP, f"{seq} after {last}")
        if isinstance(item, Update) and last is None:
            yield bad(Kind.GAP, f"{seq} before any view")
        if isinstance(item, Reset) and last is not None and seq < last:
            yield bad(Kind.TAKEN_BACK, f"a view of {seq} after {last}")
        last = seq
        if not 0 < seq <= ledger.last_seq:
            yield bad(Kind.TAKEN_BACK, f"{seq} is not in the log, which ends at {ledger.last_seq}")
            continue
        standing, seat = ledger.standings[seq], ledger.seat_of(transcript.player_id, seq)
        for hidden in sorted(_tiles(item) - _known(ledger, seq, seat)):
            yield bad(Kind.LEAK, f"the tile {hidden} at {seq}")
        if seq < ledger.last_seq and any(seed in item.SerializeToString() for seed in ledger.seeds):
            yield bad(Kind.LEAK, f"a seed of the server's at {seq}")
        if isinstance(item, Reset):
            faults = _view_faults(item.view, standing, seat)
        else:
            faults = _update_faults(item, ledger.events[seq], standing, seat)
        for kind, what in faults:
            yield bad(kind, f"{what} at {seq}")
    if transcript.followed and last != ledger.last_seq:
        yield bad(Kind.UNENDED, f"saw nothing after {last}, and the log ends at {ledger.last_seq}")


def _tiles(message: Message) -> set[Pips]:
    """Every tile that a message names, wherever it does."""
    if isinstance(message, Tile):
        return {shown_pips(message)}
    found: set[Pips] = set()
    for field, value in message.ListFields():
        if field.message_type is not None:
            for inner in [value] if isinstance(value, Message) else value:
                found |= _tiles(inner)
    return found


def _known(ledger: Ledger, seq: int, seat: int | None) -> frozenset[Pips]:
    """The tiles that `seat` may know after event `seq`; None is a spectator."""
    standing, event = ledger.standings[seq], ledger.events[seq]
    lot = frozenset(pips(stored) for draw in event.round_started.lot for stored in draw)
    own = standing.hands[seat] if seat is not None and standing.hands else frozenset()
    return standing.open | lot | own


def _view_faults(view: View, standing: Standing, seat: int | None) -> Iterator[tuple[Kind, str]]:
    if (view.own_seat if view.HasField("own_seat") else None) != seat:
        yield Kind.DIFFERS, "a view for another seat"
    if list(view.hand_sizes) != [len(hand) for hand in standing.hands] or view.boneyard_size != len(standing.boneyard):
        yield Kind.DIFFERS, "other numbers of tiles"
    if tuple(shown_pips(placement.play.tile) for placement in view.layout) != standing.layout:
        yield Kind.DIFFERS, "another layout"
    if (view.turn if view.HasField("turn") else None) != standing.turn:
        yield Kind.DIFFERS, "another turn"
    if {shown_pips(tile) for tile in view.hand} != (set() if seat is None else standing.hands[seat]):
        yield Kind.DIFFERS, "another hand"
    if view.legal and view.turn != seat:
        yield Kind.LEAK, "the legal plays of another seat"


def _update_faults(update: Update, event: Event, standing: Standing, seat: int | None) -> Iterator[tuple[Kind, str]]:
    kind = update.WhichOneof("event")
    if kind != event.WhichOneof("event") or kind is None:
        yield Kind.DIFFERS, f"{kind} for {event.WhichOneof('event')}"
        return
    shown, stored = getattr(update, kind), getattr(event, kind)
    for field in _SAME.get(kind, ()):
        if getattr(shown, field) != getattr(stored, field):
            yield Kind.DIFFERS, f"another {field} of {kind}"
    sizes = [len(hand) for hand in standing.hands]
    match kind:
        case "round_started":
            hand = set() if seat is None else set(standing.hands[seat])
            if {shown_pips(tile) for tile in shown.hand} != hand:
                yield Kind.DIFFERS, "another hand"
            if list(shown.hand_sizes) != sizes or shown.boneyard_size != len(standing.boneyard):
                yield Kind.DIFFERS, "other numbers of tiles"
        case "turn_started":
            if bool(shown.legal) != (shown.seat == seat):
                yield Kind.LEAK if shown.legal else Kind.DIFFERS, "legal plays for another than whose turn it is"
        case "tile_played":
            if (shown_pips(shown.play.tile), shown.play.end) != (pips(stored.tile), stored.end):
                yield Kind.DIFFERS, "another play"
            if shown.hand_size != sizes[shown.seat]:
                yield Kind.DIFFERS, "another number of tiles"
        case "tile_drawn":
            if shown.HasField("tile") != (shown.seat == seat) or shown.HasField("playable") != (shown.seat == seat):
                yield Kind.LEAK if shown.seat != seat else Kind.DIFFERS, "a draw told to another than who drew"
            if seat == shown.seat and shown_pips(shown.tile) != pips(stored.tile):
                yield Kind.DIFFERS, "another tile drawn"
            if shown.hand_size != sizes[shown.seat] or shown.boneyard_size != len(standing.boneyard):
                yield Kind.DIFFERS, "other numbers of tiles"
        case "round_ended":
            if [{shown_pips(tile) for tile in hand.tiles} for hand in shown.hands] != [set(h) for h in standing.hands]:
                yield Kind.DIFFERS, "other hands at the end of the round"
