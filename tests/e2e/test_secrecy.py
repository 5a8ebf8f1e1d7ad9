"""I-7: the bytes each viewer gets are scanned for tiles it may not know (R-143 to R-157)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import grpc
import pytest

from capicua.api.v1 import game_service_pb2 as api
from capicua.api.v1.types_pb2 import GameOptions, TableOptions, Tile
from capicua.api.v1.update_pb2 import Frame
from capicua.client import connect
from kit.server import ServerProcess


class Known:
    """What one viewer may know, kept from the public parts and its own; everything else is a leak."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self.may_know: set[tuple[int, int]] = set()
        self.frames = 0
        self._told = b""

    def check(self, frame: Frame) -> None:
        self.frames += 1
        if frame.HasField("reset"):
            view = frame.reset.view
            if self.seat is None:
                assert not view.hand
                assert not view.legal
                assert not view.HasField("forced_lead")
            self._learn([placed.play.tile for placed in view.layout])
            self._learn([view.engine_tile] if view.HasField("engine_tile") else [])
            self._learn(view.hand)
        elif frame.HasField("update"):
            self._check_event(frame.update.WhichOneof("event"), frame)
            for seed in frame.update.game_ended.server_seeds:
                assert len(seed) == 32
                assert seed not in self._told
        self._told += frame.SerializeToString()
        self._scan(frame)

    def _check_event(self, kind: str | None, frame: Frame) -> None:
        update = frame.update
        if kind == "round_started":
            self.may_know = set()
            assert bool(update.round_started.hand) == (self.seat is not None)
            dealt = update.round_started
            self._learn(dealt.hand)
            self._learn([dealt.engine_tile] if dealt.HasField("engine_tile") else [])
            for draw in update.round_started.lot:
                self._learn(draw.tiles)
        elif kind == "tile_played":
            self._learn([update.tile_played.play.tile])
        elif kind == "tile_drawn":
            own = update.tile_drawn.seat == self.seat
            assert update.tile_drawn.HasField("tile") == own
            assert update.tile_drawn.HasField("playable") == own
            if own:
                self._learn([update.tile_drawn.tile])
        elif kind == "turn_started":
            assert update.turn_started.seat == self.seat or not update.turn_started.legal
        elif kind == "round_ended":
            for hand in update.round_ended.hands:
                self._learn(hand.tiles)

    def _learn(self, tiles: object) -> None:
        self.may_know |= {(tile.high, tile.low) for tile in tiles}  # type: ignore[attr-defined]

    def _scan(self, message: object) -> None:
        """Walk through every field of the message, whatever it is called."""
        for field, value in message.ListFields():  # type: ignore[attr-defined]
            if field.message_type is None:
                continue
            for part in value if field.is_repeated else [value]:
                if isinstance(part, Tile):
                    assert (part.high, part.low) in self.may_know, (self.seat, message)
                else:
                    self._scan(part)


@pytest.mark.parametrize(
    ("variant", "seats", "delay"), [("draw", 3, 0), ("block_rounds", 4, 0), ("mexican_train", 3, 0), ("draw", 2, 3)]
)
async def test_no_frame_holds_a_tile_its_viewer_may_not_know(
    tmp_path: Path, variant: str, seats: int, delay: int
) -> None:
    """Given a whole game over real sockets, every frame of every seat and of a spectator is clean."""
    with ServerProcess(tmp_path) as server:
        async with asyncio.timeout(50):
            knowns = await _play_raw(server.address, variant, seats, delay)
        log = server.log_path.read_text()

    assert all(known.frames > 10 for known in knowns)
    assert '"hand"' not in log
    assert "Bearer" not in log


async def _play_raw(address: str, variant: str, seats: int, delay: int) -> list[Known]:
    """Play on bare gRPC, so that nothing stands between the bytes and the scan."""
    options = GameOptions(variant=variant, seats=seats, target=1)
    async with grpc.aio.insecure_channel(address) as channel:
        session = channel.stream_stream(
            "/capicua.api.v1.GameService/Session",
            request_serializer=api.SessionRequest.SerializeToString,
            response_deserializer=api.SessionResponse.FromString,
        )
        watch = channel.unary_stream(
            "/capicua.api.v1.GameService/WatchGame",
            request_serializer=api.WatchGameRequest.SerializeToString,
            response_deserializer=api.WatchGameResponse.FromString,
        )
        tokens, game_id = await _sit_down(address, options, seats, TableOptions(delay_moves=delay))

        async def sit(seat: int) -> Known:
            known, number = Known(seat), 0
            call = session(metadata=(("authorization", f"Bearer {tokens[seat]}"),))
            await call.write(api.SessionRequest(watch=api.Watch(game_id=game_id)))
            from capicua.api.v1.update_pb2 import View
            from capicua.client import apply

            view = View()
            async for response in call:
                for frame in response.frames:
                    known.check(frame)
                    if frame.HasField("reset"):
                        view = frame.reset.view
                    elif frame.HasField("update"):
                        apply(view, frame.update)
                        if frame.update.HasField("game_ended"):
                            call.cancel()
                            return known
                    if view.legal and view.turn == seat and not frame.HasField("answer"):
                        number += 1
                        command = api.Command(
                            game_id=game_id,
                            request_id=f"{seat}-{number}",
                            expected_seq=view.seq,
                            play_tile=api.PlayTile(play=view.legal[0]),
                        )
                        await call.write(api.SessionRequest(command=command))
            raise AssertionError("the stream ended before the game")

        async def look() -> Known:
            known = Known(None)
            request = api.WatchGameRequest(game_id=game_id)
            async for response in watch(request, metadata=(("authorization", f"Bearer {tokens[0]}"),)):
                for frame in response.frames:
                    known.check(frame)
            return known

        return await asyncio.gather(look(), *(sit(seat) for seat in range(seats)))


async def _sit_down(
    address: str, options: GameOptions, seats: int, table_options: TableOptions
) -> tuple[list[str], str]:
    tokens = []
    game_id = ""
    table = None
    for seat in range(seats):
        async with connect(address, name=f"Player {seat}") as client:
            tokens.append(client.token)
            if table is None:
                host = client.token
                table = await client.create_table(options, table_options)
            else:
                await client.join_table(table.code)
    assert table is not None
    async with connect(address, token=host) as client:
        game_id = (await client.start_table(table.table_id)).game_id
    return tokens, game_id
