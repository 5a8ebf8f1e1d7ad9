"""Refusals: a closed set of reasons, each mapped once to a gRPC status (I-10)."""

from __future__ import annotations

import grpc
from google.rpc import code_pb2, error_details_pb2, status_pb2

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.error_reason_pb2 import ErrorReason
from capicua.api.v1.update_pb2 import Refusal

DOMAIN = "capicua"
PREFIX = "ERROR_REASON_"
MAX_MESSAGE = 400
"""Characters, however much of a request is echoed: gRPC drops a status of more than 8 KiB with all it says."""

_STATUS = {
    grpc.StatusCode.FAILED_PRECONDITION: (
        reasons.ERROR_REASON_GAME_OVER,
        reasons.ERROR_REASON_ROUND_OVER,
        reasons.ERROR_REASON_NOT_YOUR_TURN,
        reasons.ERROR_REASON_NO_DRAW_IN_VARIANT,
        reasons.ERROR_REASON_MUST_PLAY,
        reasons.ERROR_REASON_BONEYARD_RESERVED,
        reasons.ERROR_REASON_TILE_NOT_IN_HAND,
        reasons.ERROR_REASON_MUST_LEAD_TILE,
        reasons.ERROR_REASON_MUST_COVER_DOUBLE,
        reasons.ERROR_REASON_TRAIN_PRIVATE,
        reasons.ERROR_REASON_END_NOT_OPEN,
        reasons.ERROR_REASON_NO_MATCH,
        reasons.ERROR_REASON_TABLE_FULL,
        reasons.ERROR_REASON_TOO_FEW_PLAYERS,
        reasons.ERROR_REASON_GAME_RUNNING,
        reasons.ERROR_REASON_SEED_NOT_DUE,
        reasons.ERROR_REASON_SEED_GIVEN,
        reasons.ERROR_REASON_SEED_USED,
        reasons.ERROR_REASON_TABLE_STARTED,
        reasons.ERROR_REASON_PARTY_FULL,
    ),
    grpc.StatusCode.ABORTED: (reasons.ERROR_REASON_STALE_SEQ, reasons.ERROR_REASON_SUPERSEDED),
    grpc.StatusCode.NOT_FOUND: (reasons.ERROR_REASON_GAME_NOT_FOUND, reasons.ERROR_REASON_TABLE_NOT_FOUND),
    grpc.StatusCode.PERMISSION_DENIED: (
        reasons.ERROR_REASON_NOT_SEATED,
        reasons.ERROR_REASON_NOT_HOST,
        reasons.ERROR_REASON_SPECTATORS_NOT_ALLOWED,
        reasons.ERROR_REASON_NOT_FOR_BOTS,
        reasons.ERROR_REASON_TEXT_NOT_ALLOWED,
        reasons.ERROR_REASON_TALK_NOT_ALLOWED,
    ),
    grpc.StatusCode.INVALID_ARGUMENT: (
        reasons.ERROR_REASON_INVALID_ARGUMENT,
        reasons.ERROR_REASON_INVALID_NAME,
        reasons.ERROR_REASON_UNKNOWN_VARIANT,
        reasons.ERROR_REASON_INVALID_OPTIONS,
        reasons.ERROR_REASON_PARTY_NOT_POSSIBLE,
        reasons.ERROR_REASON_INVALID_TEXT,
    ),
    grpc.StatusCode.UNAUTHENTICATED: (reasons.ERROR_REASON_UNAUTHENTICATED,),
    grpc.StatusCode.RESOURCE_EXHAUSTED: (reasons.ERROR_REASON_RESYNC, reasons.ERROR_REASON_RATE_LIMITED),
    grpc.StatusCode.UNAVAILABLE: (reasons.ERROR_REASON_UNAVAILABLE,),
    grpc.StatusCode.INTERNAL: (reasons.ERROR_REASON_INTERNAL,),
}
STATUS: dict[int, grpc.StatusCode] = {reason: code for code, listed in _STATUS.items() for reason in listed}
"""The gRPC status of every reason."""


def refusal(reason: ErrorReason.ValueType, message: str, current_seq: int = 0) -> Refusal:
    """A refusal with `reason`; `message` says what is wrong and what to do."""
    # What is echoed from a request may hold half a character, which no message can carry.
    clean = message.encode(errors="backslashreplace").decode()
    short = clean if len(clean) <= MAX_MESSAGE else f"{clean[: MAX_MESSAGE - 1]}…"
    return Refusal(reason=reason, message=short, current_seq=current_seq)


def store_away() -> Refusal:
    """The refusal while the store does not answer, or did not say what became of a command."""
    again = "the store does not answer now: send the same again, it is carried out once"
    return refusal(reasons.ERROR_REASON_UNAVAILABLE, again)


def short_name(reason: ErrorReason.ValueType) -> str:
    """The reason as ErrorInfo and the logs spell it, for example "STALE_SEQ"."""
    return ErrorReason.Name(reason).removeprefix(PREFIX)


def rich_status(refused: Refusal) -> tuple[grpc.StatusCode, bytes]:
    """The gRPC status of a refusal and its `google.rpc.Status` bytes: ErrorInfo, and RetryInfo for a wait (AIP-193)."""
    code = STATUS[refused.reason]
    info = error_details_pb2.ErrorInfo(reason=short_name(refused.reason), domain=DOMAIN)
    if refused.current_seq:
        info.metadata["current_seq"] = str(refused.current_seq)
    status = status_pb2.Status(code=code_pb2.Code.Value(code.name), message=refused.message)
    status.details.add().Pack(info)
    if refused.retry_ms:
        retry = error_details_pb2.RetryInfo()
        retry.retry_delay.FromMilliseconds(refused.retry_ms)
        status.details.add().Pack(retry)
    return code, status.SerializeToString()
