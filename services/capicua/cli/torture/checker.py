"""Judges a whole run from what its clients kept and from the logs of its games, and shares no code with the server."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.update_pb2 import Update
from capicua.cli.torture.ledger import Ledger, pips, shown_pips
from capicua.cli.torture.showing import look, public_part
from capicua.cli.torture.transcript import Sent, Transcript
from capicua.cli.torture.violation import Kind, Violation
from capicua.log.v1.entry_pb2 import Entry

Log = Sequence[tuple[int, Entry]]
"""A game's entries, each with the seq of its first event."""
_PASSING = {reasons.ERROR_REASON_STALE_SEQ, reasons.ERROR_REASON_GAME_OVER}
"""Reasons against a legal play that say only that it comes too late."""


def check(logs: Mapping[str, Log], transcripts: Iterable[Transcript]) -> list[Violation]:
    """Every broken promise, for all the logs there are and all that anybody was shown or sent."""
    ledgers = {game_id: Ledger(game_id, log) for game_id, log in logs.items()}
    found = [violation for ledger in ledgers.values() for violation in ledger.violations]
    for ledger in ledgers.values():
        found += _doubled(ledger)
    public: dict[tuple[str, int], bytes] = {}
    for transcript in transcripts:
        ledger = ledgers.get(transcript.game_id) or Ledger(transcript.game_id, ())
        if transcript.game_id not in ledgers:
            ledgers[transcript.game_id] = ledger
            found += ledger.violations
        found += look(ledger, transcript)
        found += _alike(transcript, public)
        for sent in transcript.sent:
            found += _kept(ledger, transcript.player_id, sent)
    return found


def _doubled(ledger: Ledger) -> Iterator[Violation]:
    seen: set[tuple[int, str]] = set()
    for first_seq, entry in ledger.log:
        command = entry.seat, entry.request_id
        if entry.request_id and command in seen:
            yield Violation(
                Kind.DOUBLED, ledger.game_id, f"{entry.request_id} of seat {entry.seat} again at {first_seq}"
            )
        seen.add(command)


def _alike(transcript: Transcript, public: dict[tuple[str, int], bytes]) -> Iterator[Violation]:
    for item in transcript.shown:
        if isinstance(item, Update):
            part = public_part(item)
            if public.setdefault((transcript.game_id, item.seq), part) != part:
                yield Violation(Kind.DIFFERS, transcript.game_id, f"two viewers saw different things at {item.seq}")


def _kept(ledger: Ledger, player_id: str, sent: Sent) -> Iterator[Violation]:
    """What was answered is what the log holds."""

    def bad(kind: Kind, what: str) -> Violation:
        name = sent.request_id or "the command"
        return Violation(kind, ledger.game_id, f"{name} of {player_id} after {sent.expected_seq}: {what}")

    refusals = {reason for reason in sent.refused if reason != reasons.ERROR_REASON_UNAVAILABLE}
    # What was sent before the player quit may come after.
    passing = _PASSING | {reasons.ERROR_REASON_NOT_SEATED} if ledger.has_quit(player_id) else _PASSING
    for reason in refusals.difference(passing):
        yield bad(Kind.REFUSED, f"refused as {reasons.ErrorReason.Name(reason)}")  # type: ignore[arg-type]
    found = _entry(ledger, player_id, sent)
    # Behind a restored clock lies another command of the same player, where ids are not known to tell them apart.
    certain = found is not None and (bool(sent.request_id) or found.first_seq == sent.expected_seq + 1)
    if refusals and (sent.accepted or certain):
        yield bad(Kind.ANSWERS, f"refused, accepted at {sent.accepted}, in the log at {found and found.last_seq}")
    if not sent.accepted:
        return
    if found is None:
        yield bad(Kind.LOST, f"accepted at {sent.accepted}, and not there")
        return
    if set(sent.accepted) != {found.last_seq}:
        yield bad(Kind.ANSWERS, f"accepted at {sent.accepted}, the log says {found.last_seq}")
    played = found.entry.events[0].tile_played
    if (play := sent.play) is not None and (
        (pips(played.tile), played.end) != (shown_pips(play.tile), play.end) or played.expired
    ):
        yield bad(Kind.LOST, "another play is in its place")


class _Found(NamedTuple):
    first_seq: int
    entry: Entry

    @property
    def last_seq(self) -> int:
        return self.first_seq + len(self.entry.events) - 1


def _entry(ledger: Ledger, player_id: str, sent: Sent) -> _Found | None:
    """The entry of this very command: the first after what the client had seen that makes it stale. A quit may lie
    anywhere.
    """
    for first_seq, entry in ledger.log:
        quits = entry.events[0].HasField("seat_quit")
        if sent.play is None:
            if quits and ledger.players[entry.seat] == player_id:
                return _Found(first_seq, entry)
        elif first_seq > sent.expected_seq and not quits and not entry.events[0].HasField("clock_restored"):
            own = entry.HasField("seat") and ledger.players[entry.seat] == player_id
            same = bool(entry.request_id) and sent.request_id in ("", entry.request_id)
            return _Found(first_seq, entry) if own and same else None
    return None
