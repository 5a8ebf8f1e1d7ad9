"""What players say to each other: heard at once or never, and kept nowhere."""

from __future__ import annotations

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.game_service_pb2 import Say
from capicua.api.v1.types_pb2 import Emote, Phrase
from capicua.api.v1.update_pb2 import Refusal, Said
from capicua.log.v1 import entry_pb2 as log
from capicua.runtime.refusals import refusal
from capicua.runtime.visible import MAX_UNTIDY, hides, tidy

MAX_TEXT = 200
"""Characters that may be said at once."""


def heard(say: Say, facts: log.GameStarted, seat: int, now_ms: int) -> Said | Refusal:
    """What the others hear when a seat says this; TALK_NOT_ALLOWED, TEXT_NOT_ALLOWED, INVALID_TEXT, or
    INVALID_ARGUMENT for what nobody can say."""
    if facts.talk == log.TALK_NONE:
        return refusal(reasons.ERROR_REASON_TALK_NOT_ALLOWED, "at this table nobody talks")
    said = Said(game_id=say.game_id, seat=seat, time_ms=now_ms)
    match say.WhichOneof("what"):
        case "phrase" if say.phrase in Phrase.values()[1:]:
            said.phrase = say.phrase
        case "emote" if say.emote in Emote.values()[1:]:
            said.emote = say.emote
        case "text" if facts.talk != log.TALK_TEXT or facts.public:
            return refusal(
                reasons.ERROR_REASON_TEXT_NOT_ALLOWED, "at this table there are phrases and emotes, and no text"
            )
        case "text":
            said.text = tidy(say.text) if len(say.text) <= MAX_UNTIDY else ""
            if not 1 <= len(said.text) <= MAX_TEXT or hides(said.text):
                return refusal(
                    reasons.ERROR_REASON_INVALID_TEXT, f"`text` must have 1 to {MAX_TEXT} visible characters"
                )
        case _:
            return refusal(reasons.ERROR_REASON_INVALID_ARGUMENT, "`phrase`, `emote` or `text` must be one there is")
    return said
