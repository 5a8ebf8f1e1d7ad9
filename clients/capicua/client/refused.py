"""What can go wrong with a request: the server says no, or cannot be reached."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import grpc
from google.rpc import error_details_pb2, status_pb2

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.error_reason_pb2 import ErrorReason
from capicua.api.v1.update_pb2 import Refusal

DOMAIN = "capicua"
_PREFIX = "ERROR_REASON_"


class Refused(Exception):
    """The server refused, and nothing was changed.

    `reason` is a value of `ErrorReason`, for programs; `message` is for developers and may change;
    `current_seq` is the game's newest event at that time, 0 if unknown; `retry_seconds` is how long to wait before
    the same is asked again, 0 if the server did not say.
    """

    def __init__(
        self, reason: ErrorReason.ValueType, message: str, current_seq: int = 0, retry_seconds: float = 0.0
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.current_seq = current_seq
        self.retry_seconds = retry_seconds

    def __str__(self) -> str:
        return f"{self.message} ({self.name})"

    @property
    def name(self) -> str:
        """The reason in words, for example "STALE_SEQ"; a reason newer than this client is a number."""
        if self.reason in ErrorReason.values():
            return ErrorReason.Name(self.reason).removeprefix(_PREFIX)
        return str(self.reason)


class Superseded(Refused):
    """A newer session of the same player took over; this one is over for good."""


class Unauthenticated(Refused):
    """The token is missing, not of this server, or has run out: sign in again."""


class RateLimited(Refused):
    """Asked too often: the same will be heard again after `retry_seconds`."""


class Stale(Refused):
    """The game has gone on since the view that a play was chosen by: take the updates, then choose again."""


class Unreachable(ConnectionError):
    """The server does not answer, or what answers is no Capicua server. What was asked may have been done or not."""


_OWN_CLASS: dict[int, type[Refused]] = {
    reasons.ERROR_REASON_SUPERSEDED: Superseded,
    reasons.ERROR_REASON_UNAUTHENTICATED: Unauthenticated,
    reasons.ERROR_REASON_RATE_LIMITED: RateLimited,
    reasons.ERROR_REASON_STALE_SEQ: Stale,
}


def refused(refusal: Refusal) -> Refused:
    """The error for a refusal."""
    kind = _OWN_CLASS.get(refusal.reason, Refused)
    return kind(refusal.reason, refusal.message, refusal.current_seq, refusal.retry_ms / 1000)


def error_of(error: grpc.aio.AioRpcError) -> Refused | Unreachable:
    """The error for a failed call: Refused if it carries our ErrorInfo (AIP-193), else Unreachable."""
    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            for detail in status_pb2.Status.FromString(value).details:
                detail.Unpack(info)
                detail.Unpack(retry)
    if info.domain != DOMAIN:
        return Unreachable(f"{error.code().name}: {error.details()}")
    reason = dict(ErrorReason.items()).get(_PREFIX + info.reason, reasons.ERROR_REASON_UNSPECIFIED)
    refusal = Refusal(
        reason=reason,
        message=error.details() or "",
        current_seq=int(info.metadata.get("current_seq", "0")),
        retry_ms=retry.retry_delay.ToMilliseconds(),
    )
    return refused(refusal)


@contextmanager
def typed_errors() -> Iterator[None]:
    """Raise what goes wrong with a call as Refused or Unreachable."""
    try:
        yield
    except grpc.aio.AioRpcError as error:
        raise error_of(error) from None
    except grpc.aio.UsageError:
        raise Unreachable("the client was closed") from None
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        # Closing a channel cancels its calls, which is no wish to end the task that waits for one.
        raise Unreachable("the client was closed") from None
