"""Names are shown to others, so what cannot be seen is refused; the token says who a player is."""

import pytest

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.types_pb2 import Seat
from capicua.api.v1.update_pb2 import Refusal
from capicua.gateway.players import clean_name
from capicua.gateway.tokens import Tokens


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Ana", "Ana"),
        ("  Ana   María ", "Ana María"),
        ("שרה", "שרה"),
        ("Божидар", "Божидар"),
        ("e\u0301", "é"),
        ("x" * 20, "x" * 20),
    ],
)
def test_a_visible_name_is_kept(given: str, shown: str) -> None:
    """Any script is welcome; spaces are tidied and letters composed."""
    assert clean_name(given) == shown


@pytest.mark.parametrize(
    "name", ["", "   ", "x" * 21, "a\nb", "a\x00", "\u202eAna", "a\u200bb", "\ud800", "\u3164", "Ana\u2800"]
)
def test_what_cannot_be_seen_is_refused(name: str) -> None:
    """Empty, too long, controls, marks that reorder or hide text: INVALID_NAME, with the reason in words."""
    refused = clean_name(name)

    assert isinstance(refused, Refusal)
    assert refused.reason == reasons.ERROR_REASON_INVALID_NAME
    assert refused.message


def test_a_token_names_its_player_and_nobody_else_can_make_one() -> None:
    """Given a token of another key, of nobody, or bent, the answer is UNAUTHENTICATED."""
    tokens = Tokens(b"k" * 32)
    player = Seat(player_id="p-1", name="Ana", bot=False)
    token = tokens.sign(player)

    assert tokens.player(token) == player
    for bad in ("", "x", token[:-1], token + "x", Tokens(b"o" * 32).sign(player)):
        refused = tokens.player(bad)
        assert isinstance(refused, Refusal)
        assert refused.reason == reasons.ERROR_REASON_UNAUTHENTICATED
