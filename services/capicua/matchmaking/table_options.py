"""What a table allows beyond the rules of its game."""

from __future__ import annotations

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.types_pb2 import TALK_PHRASES, TALK_TEXT, TableOptions, Talk
from capicua.api.v1.update_pb2 import Refusal
from capicua.runtime.ids import BOT_LEVEL, BOT_LEVELS
from capicua.runtime.refusals import refusal

MAX_DELAY_MOVES = 10
MAX_DELAY_SECONDS = 60


def complete(asked: TableOptions) -> TableOptions:
    """The options without gaps: spectators where nothing is said, phrases, bots of the default level."""
    filled = TableOptions(spectators=True, talk=TALK_PHRASES, bots=BOT_LEVEL)
    filled.MergeFrom(asked)
    return filled


def check(options: TableOptions) -> Refusal | None:
    """INVALID_OPTIONS where a delay is longer than may be, or strangers could write what they like, or no bot
    plays at such a level."""
    for name, value, most in (
        ("delay_moves", options.delay_moves, MAX_DELAY_MOVES),
        ("delay_seconds", options.delay_seconds, MAX_DELAY_SECONDS),
    ):
        if value > most:
            return refusal(reasons.ERROR_REASON_INVALID_OPTIONS, f"`{name}` must be {most} at most, not {value}")
    if options.talk not in Talk.values():
        return refusal(reasons.ERROR_REASON_INVALID_OPTIONS, f"`talk` must be one there is, not {options.talk}")
    if options.talk == TALK_TEXT and options.public:
        return refusal(reasons.ERROR_REASON_INVALID_OPTIONS, "`talk` may allow text at private tables only")
    if options.bots and options.bots not in BOT_LEVELS:
        levels = f"{', '.join(BOT_LEVELS[:-1])} or {BOT_LEVELS[-1]}"
        return refusal(reasons.ERROR_REASON_INVALID_OPTIONS, f"`bots` must be {levels}, not {options.bots!r}")
    return None
