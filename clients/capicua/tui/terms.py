"""What a table was made with, in words."""

from __future__ import annotations

from capicua.api.v1.table_service_pb2 import Table
from capicua.api.v1.types_pb2 import TALK_NONE, TALK_PHRASES, TALK_TEXT
from capicua.tui.words import N_, _, counted, variant_name

BOTS = {
    "": N_("as usual"),
    "easy": N_("easy"),
    "greedy": N_("greedy"),
    "clever": N_("clever"),
    "expert": N_("expert"),
}
"""Levels, as the server calls them; it chooses where none is given."""
TALK = {TALK_PHRASES: N_("with phrases"), TALK_TEXT: N_("freely"), TALK_NONE: N_("not at all")}


def terms(table: Table) -> list[str]:
    """The game, how far and how fast it goes, how bots play and what may be said: a line each."""
    options, level = table.options, table.table_options.bots
    time = counted("{n} second", "{n} seconds", options.turn_seconds)
    bots, talk = _(BOTS.get(level, level)), _(TALK.get(table.table_options.talk, TALK[TALK_PHRASES]))
    return [
        variant_name(options.variant),
        _("Target: {target}. Time for a turn: {time}.").format(target=options.target, time=time),
        _("Level of bots: {bots}. Players talk: {talk}.").format(bots=bots, talk=talk),
    ]
