"""What players say with one tap, in words of every language."""

from __future__ import annotations

import gettext

from capicua.api.v1 import types_pb2 as types
from capicua.api.v1.update_pb2 import Said


def N_(message: str) -> str:
    """Mark a message that is translated later."""
    return message


_PHRASES = {
    types.PHRASE_HELLO: N_("Hello!"),
    types.PHRASE_GOOD_LUCK: N_("Good luck!"),
    types.PHRASE_WELL_PLAYED: N_("Well played!"),
    types.PHRASE_NICE_TILE: N_("Nice tile!"),
    types.PHRASE_OUCH: N_("Ouch!"),
    types.PHRASE_SORRY: N_("Sorry!"),
    types.PHRASE_THANKS: N_("Thanks!"),
    types.PHRASE_HURRY_UP: N_("Hurry up, please!"),
    types.PHRASE_ONE_MOMENT: N_("One moment!"),
    types.PHRASE_GOOD_GAME: N_("Good game!"),
    types.PHRASE_AGAIN: N_("Again?"),
    types.PHRASE_BYE: N_("Bye!"),
}
_EMOTES = {
    types.EMOTE_SMILE: N_("a smile"),
    types.EMOTE_LAUGH: N_("laughter"),
    types.EMOTE_WOW: N_("amazement"),
    types.EMOTE_SAD: N_("sadness"),
    types.EMOTE_THINKING: N_("deep thought"),
    types.EMOTE_CLAP: N_("applause"),
}
assert [*_PHRASES] == types.Phrase.values()[1:]
assert [*_EMOTES] == types.Emote.values()[1:]
TAPS = (
    *({"phrase": phrase} for phrase in _PHRASES),
    *({"emote": emote} for emote in _EMOTES),
)
"""All that is said with one tap, as `Game.say` takes it, in the order of a list."""


def told(said: Said, words: gettext.NullTranslations) -> str:
    """What was said; a feeling between asterisks."""
    match said.WhichOneof("what"):
        case "phrase":
            return words.gettext(_PHRASES[said.phrase])
        case "emote":
            return f"*{words.gettext(_EMOTES[said.emote])}*"
        case _:
            return said.text
