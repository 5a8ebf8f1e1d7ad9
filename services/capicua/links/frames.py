"""The frames of a link: steps of calls one way, steps of answers the other (ADR 7).

Each move has four of them, so their heads are structs and no protobuf messages; what they carry is.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct

CALL_ID_BYTES = 8
RESPONSE, END, REFUSED = 1, 2, 4
"""What a reply holds, added up: a response; the end of its calls; a refusal, with the end. Body is one of two."""

_REPLY = Struct(">BQI")


def call_frame(call_id: bytes, method: str, request: bytes = b"") -> bytes:
    """A call begins, or ends where `method` is "": its id, the length of the method's name in a byte, name, request."""
    name = method.encode()
    return call_id + bytes((len(name),)) + name + request


def read_call(frame: bytes) -> tuple[bytes, str, bytes]:
    """What `call_frame` was given."""
    end = CALL_ID_BYTES + 1 + frame[CALL_ID_BYTES]
    return frame[:CALL_ID_BYTES], frame[CALL_ID_BYTES + 1 : end].decode(), frame[end:]


def reply_frame(holds: int, call_ids: Sequence[bytes], body: bytes, seq: int = 0) -> bytes:
    """An answer to one call or, where many viewers are shown the same, to many.

    What it holds in a byte, seq of the last event in it (8 bytes, 0 for none), how many calls (4), their ids, body.
    """
    return b"".join((_REPLY.pack(holds, seq, len(call_ids)), *call_ids, body))


def read_reply(frame: bytes) -> tuple[int, list[bytes], bytes, int]:
    """What `reply_frame` was given."""
    holds, seq, count = _REPLY.unpack_from(frame)
    end = _REPLY.size + count * CALL_ID_BYTES
    call_ids = [frame[at : at + CALL_ID_BYTES] for at in range(_REPLY.size, end, CALL_ID_BYTES)]
    return holds, call_ids, frame[end:], seq
