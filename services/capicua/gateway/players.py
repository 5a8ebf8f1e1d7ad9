"""Signing in."""

from __future__ import annotations

import unicodedata

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1 import player_service_pb2 as api
from capicua.api.v1.types_pb2 import Seat
from capicua.api.v1.update_pb2 import Refusal
from capicua.gateway.tokens import Tokens
from capicua.runtime.ids import new_id
from capicua.runtime.refusals import refusal

MAX_NAME = 20
MIN_PARTY, MAX_PARTY = 4, 32
"""Characters of the word that two friends share."""
# Controls, surrogates, unassigned; format characters too (they hide or reorder text), and separators
# other than the plain space.
_HIDDEN = ("C", "Zl", "Zp")
# Letters and symbols by their category, and yet nothing is seen of them.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


def clean_name(name: str) -> str | Refusal:
    """The name in NFC with single spaces, or INVALID_NAME: empty, too long, or not all visible."""
    clean = " ".join(unicodedata.normalize("NFC", name).split())
    if _hides(name):
        problem = "a name may hold visible characters and spaces only"
    elif not clean:
        problem = "a name needs at least one visible character"
    elif len(clean) > MAX_NAME:
        problem = f"a name may have {MAX_NAME} characters at most, this one has {len(clean)}"
    else:
        return clean
    return refusal(reasons.ERROR_REASON_INVALID_NAME, problem)


def clean_party(word: str) -> str | Refusal:
    """The word of a party as friends may type it, in NFC and of any case, or INVALID_ARGUMENT; "" is none."""
    clean = unicodedata.normalize("NFC", unicodedata.normalize("NFC", word).casefold())
    if word and (_hides(word) or any(map(str.isspace, word)) or not MIN_PARTY <= len(clean) <= MAX_PARTY):
        problem = f"`party` must have {MIN_PARTY} to {MAX_PARTY} visible characters and no spaces"
        return refusal(reasons.ERROR_REASON_INVALID_ARGUMENT, problem)
    return clean


def _hides(text: str) -> bool:
    return any(char in _BLANK or unicodedata.category(char).startswith(_HIDDEN) for char in text)


class PlayerEndpoint:
    """PlayerService."""

    descriptor = api.DESCRIPTOR.services_by_name["PlayerService"]
    open_methods = frozenset({"SignIn"})

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens

    async def sign_in(self, _: Seat, request: api.SignInRequest) -> api.SignInResponse | Refusal:
        """A new guest."""
        name = clean_name(request.name)
        if isinstance(name, Refusal):
            return name
        player = Seat(player_id=new_id("p"), name=name)
        return api.SignInResponse(player_id=player.player_id, token=self._tokens.sign(player), name=name)
