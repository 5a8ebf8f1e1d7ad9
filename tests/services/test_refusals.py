"""I-10: a closed set of reasons, each with one gRPC status, the same everywhere."""

from __future__ import annotations

import re
from pathlib import Path

import grpc
import pytest
from google.rpc import code_pb2, error_details_pb2, status_pb2

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.error_reason_pb2 import ErrorReason
from capicua.game_actor.api_codec import REASON_OF
from capicua.runtime.refusals import _STATUS, STATUS, refusal, rich_status

SENT = [reason for reason in ErrorReason.values() if reason != reasons.ERROR_REASON_UNSPECIFIED]
PROTO = Path(__file__).parents[2] / "protos" / "capicua" / "api" / "v1" / "error_reason.proto"


def test_every_reason_has_exactly_one_status() -> None:
    """None is forgotten, none is listed twice; a refusal is never a success, and never an unknown fault."""
    listed = [reason for listed in _STATUS.values() for reason in listed]

    assert sorted(listed) == sorted(SENT)
    assert not {grpc.StatusCode.OK, grpc.StatusCode.UNKNOWN} & set(STATUS.values())


def test_the_protos_name_the_same_status() -> None:
    """The comment of a reason ends with its status: what clients read is what they get."""
    told = re.findall(r"([A-Z_]+)\.(?: [^\n]*)?\n  (ERROR_REASON_[A-Z_]+) =", PROTO.read_text())

    assert {name: code for code, name in told} == {ErrorReason.Name(reason): STATUS[reason].name for reason in SENT}


@pytest.mark.parametrize("reason", SENT, ids=ErrorReason.Name)
def test_a_refusal_travels_as_status_and_error_info(reason: ErrorReason.ValueType) -> None:
    """AIP-193: the same code in both places, the reason without its prefix, the seq where there is one."""
    code, details = rich_status(refusal(reason, "what to do", current_seq=7))
    status = status_pb2.Status.FromString(details)
    info = error_details_pb2.ErrorInfo()

    assert code_pb2.Code.Name(status.code) == code.name
    assert status.message == "what to do"
    assert len(status.details) == 1
    assert status.details[0].Unpack(info)
    assert (f"ERROR_REASON_{info.reason}", info.domain) == (ErrorReason.Name(reason), "capicua")
    assert dict(info.metadata) == {"current_seq": "7"}


def test_the_engine_s_reasons_are_all_public() -> None:
    """Each rejection of the engine has a public reason of its own, and all say that the rules forbid it."""
    assert len(set(REASON_OF.values())) == len(REASON_OF)
    assert {STATUS[reason] for reason in REASON_OF.values()} == {grpc.StatusCode.FAILED_PRECONDITION}
