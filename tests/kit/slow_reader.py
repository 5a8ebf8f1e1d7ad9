"""A client that asks and asks, and does not read what it is told."""

from __future__ import annotations

import grpc
from grpc.aio import EOF

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1 import game_service_pb2 as games
from kit.eventually import eventually
from kit.gateway import reason_of
from kit.installation import Player, Session

# Without probing for bandwidth the wire holds 64 KiB, the rest waits at the server.
_OPTIONS = (("grpc.use_local_subchannel_pool", 1), ("grpc.http2.bdp_probe", 0))
VIEWS = 4000
"""Far more than may wait for one connection."""


class SlowReader:
    """A session of `player`, who is a spectator of the game."""

    def __init__(self, address: str, player: Player, game_id: str) -> None:
        self._channel = grpc.aio.insecure_channel(address, options=_OPTIONS)
        self._player = player.at(self._channel)
        self._game_id = game_id
        self._call = self._player.call("Session", timeout=120)

    async def ask(self) -> None:
        """Ask for the whole picture VIEWS times, without reading."""
        for _ in range(VIEWS):
            await self._call.write(games.SessionRequest(watch=games.Watch(game_id=self._game_id)))

    async def resume(self, newest: int) -> bool:
        """Read to the end, and come back; whether that was RESYNC, and all that was missed comes up to `newest`."""
        seen = await self._last_seen()
        session = Session(self._player)
        await session.say(watch=games.Watch(game_id=self._game_id, last_seen_seq=seen))
        missed = list(range(seen + 1, newest + 1))
        await eventually(lambda: session.seqs() == missed, within=30)
        session.close()
        await self._channel.close()
        return seen > 0

    async def _last_seen(self) -> int:
        """The last seq that is read before the end; 0 where the end is not RESYNC."""
        seen = 0
        try:
            while (message := await self._call.read()) is not EOF:
                for frame in message.frames:
                    seen = max(seen, frame.reset.view.seq)
        except grpc.aio.AioRpcError as failure:
            return seen if reason_of(failure)[1] == reasons.ERROR_REASON_RESYNC else 0
        return 0
