"""Frames of a made-up game, and how a server ends a call."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
from google.rpc import code_pb2, error_details_pb2, status_pb2

from capicua.api.v1.types_pb2 import GAME_STATE_RUNNING, Play, Tile
from capicua.api.v1.update_pb2 import (
    Accepted,
    CommandAnswer,
    Frame,
    GameEnded,
    Presence,
    Reset,
    TurnStarted,
    Update,
    View,
)
from capicua.client import Item

GAME = "g1"
SIX_FOUR = Tile(high=6, low=4)


def reset(seq: int) -> Frame:
    view = View(
        game_id=GAME,
        seq=seq,
        state=GAME_STATE_RUNNING,
        own_seat=0,
        turn=0,
        legal=[Play(tile=SIX_FOUR, end="L")],
    )
    return Frame(reset=Reset(view=view))


def turn(seq: int) -> Frame:
    return Frame(update=Update(game_id=GAME, seq=seq, turn_started=TurnStarted(seat=seq % 2)))


def end(seq: int) -> Frame:
    return Frame(update=Update(game_id=GAME, seq=seq, game_ended=GameEnded(winner_side=1)))


def accepted(request_id: str, seq: int) -> Frame:
    return Frame(answer=CommandAnswer(game_id=GAME, request_id=request_id, accepted=Accepted(seq=seq)))


async def refuse(context: Any, code: grpc.StatusCode, reason: str, retry_ms: int = 0) -> None:
    """End a call as the server does: a status with one ErrorInfo (AIP-193), and RetryInfo for a wait."""
    status = status_pb2.Status(code=code_pb2.Code.Value(code.name), message=f"because {reason}")
    info = error_details_pb2.ErrorInfo(reason=reason, domain="capicua")
    status.details.add().Pack(info)
    if retry_ms:
        retry = error_details_pb2.RetryInfo()
        retry.retry_delay.FromMilliseconds(retry_ms)
        status.details.add().Pack(retry)
    details = (("grpc-status-details-bin", status.SerializeToString()),)
    await context.abort(code, status.message, details)


async def idle(connection: Any) -> None:
    await asyncio.Event().wait()


async def seqs(game: AsyncIterator[Item]) -> list[int]:
    return [
        item.view.seq if isinstance(item, Reset) else item.seq async for item in game if not isinstance(item, Presence)
    ]
