"""Plays a public game, always the first legal play, and prints how it ended."""

import asyncio
import sys

from capicua.client import Stale, connect


async def main(server: str) -> None:
    async with connect(server, name="Ana") as client:
        seat = await client.quick_match("block")
        game = await client.watch(seat.game_id)
        async for _ in game:
            if not game.my_turn:
                continue
            first = game.view.legal[0]
            try:
                await game.play(first.tile, first.end)
            except Stale:
                # The turn had just expired: the server has played for us, the next updates tell what.
                continue
        side = seat.seat % len(game.view.scores)
        print("won" if game.view.winner_side == side else "lost", list(game.view.scores))


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:7600"))
