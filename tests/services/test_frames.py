"""The frames of a link (ADR 7)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from capicua.links.frames import CALL_ID_BYTES, END, REFUSED, RESPONSE, call_frame, read_call, read_reply, reply_frame

CALL_IDS = st.binary(min_size=CALL_ID_BYTES, max_size=CALL_ID_BYTES)


@given(CALL_IDS, st.text(max_size=40), st.binary())
def test_a_call_is_read_as_it_was_written(call_id: bytes, method: str, request: bytes) -> None:
    """Also one that ends it, which has no method, and one without a request."""
    assert read_call(call_frame(call_id, method, request)) == (call_id, method, request)


@given(
    st.sampled_from((RESPONSE, END, RESPONSE | END, REFUSED | END)),
    st.lists(CALL_IDS, min_size=1, max_size=300),
    st.binary(),
    st.integers(0, 2**64 - 1),
)
def test_a_reply_is_read_as_it_was_written(holds: int, call_ids: list[bytes], body: bytes, seq: int) -> None:
    """However many calls get it, and with an empty response too."""
    assert read_reply(reply_frame(holds, call_ids, body, seq)) == (holds, call_ids, body, seq)
