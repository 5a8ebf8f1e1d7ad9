"""Session tokens: who a player is, signed so that no store need be asked."""

from __future__ import annotations

from itsdangerous import BadSignature, URLSafeTimedSerializer

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.types_pb2 import Seat
from capicua.api.v1.update_pb2 import Refusal
from capicua.runtime.refusals import refusal

VALID_SECONDS = 90 * 24 * 3600


class Tokens:
    """Signs and reads tokens with a key that outlives the process."""

    def __init__(self, key: bytes) -> None:
        self._signer = URLSafeTimedSerializer(key, salt="capicua/session/v1")

    def sign(self, player: Seat) -> str:
        """A token for a player: id, name and whether it is a bot."""
        return self._signer.dumps([player.player_id, player.name, player.bot])

    def player(self, token: str) -> Seat | Refusal:
        """The player behind `token`, or UNAUTHENTICATED."""
        try:
            player_id, name, bot = self._signer.loads(token, max_age=VALID_SECONDS)
        except BadSignature:
            problem = "the token is not one of ours or has run out" if token else "no token"
            return refusal(
                reasons.ERROR_REASON_UNAUTHENTICATED,
                f"{problem}: call PlayerService.SignIn and send `authorization: Bearer <token>`",
            )
        return Seat(player_id=player_id, name=name, bot=bot)
