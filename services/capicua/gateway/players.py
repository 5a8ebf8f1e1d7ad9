"""Signing in."""

from __future__ import annotations

import unicodedata

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1 import player_service_pb2 as api
from capicua.api.v1.types_pb2 import Seat
from capicua.api.v1.update_pb2 import Refusal
from capicua.gateway.tokens import Tokens
from capicua.runtime.ids import new_id
from capicua.runtime.names import clean_name
from capicua.runtime.refusals import refusal
from capicua.runtime.visible import MAX_UNTIDY, hides

MIN_PARTY, MAX_PARTY = 4, 32
"""Characters of the word that two friends share."""


def clean_party(word: str) -> str | Refusal:
    """The word of a party as friends may type it, in NFC and of any case, or INVALID_ARGUMENT; "" is none."""
    clean = unicodedata.normalize("NFC", unicodedata.normalize("NFC", word[:MAX_UNTIDY]).casefold())
    if word and (not MIN_PARTY <= len(clean) <= MAX_PARTY or hides(word) or any(map(str.isspace, word))):
        problem = f"`party` must have {MIN_PARTY} to {MAX_PARTY} visible characters and no spaces"
        return refusal(reasons.ERROR_REASON_INVALID_ARGUMENT, problem)
    return clean


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
