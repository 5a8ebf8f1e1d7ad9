"""A player on the SDK, as most clients are: it plays any legal tile after a moment's thought."""

from __future__ import annotations

import asyncio
import random

from capicua.api.v1.update_pb2 import Presence, Reset
from capicua.cli.torture.figures import Figures
from capicua.cli.torture.transcript import Sent, Transcript
from capicua.client import Client, Game, Refused

ACTS_ON = (None, "turn_started", "clock_restored")
"""Kinds of news after which a seat may be to play; None is a view."""
ASLEEP = 0.01
"""Share of the turns that are left to expire, where they are short."""
SHORT_TURN_SECONDS = 5


async def play(client: Client, game_id: str, figures: Figures, chance: random.Random, pause: float) -> None:
    """Play the own seat to the end of the game, thinking for up to `pause` seconds."""
    transcript = Transcript(game_id, client.player_id)
    figures.transcripts.append(transcript)
    game = await client.watch(game_id)
    async for item in game:
        if isinstance(item, Presence):
            continue
        transcript.show(item)
        kind = None if isinstance(item, Reset) else item.WhichOneof("event")
        asleep = chance.random() < ASLEEP and game.view.options.turn_seconds <= SHORT_TURN_SECONDS
        if game.my_turn and kind in ACTS_ON and not asleep:
            await asyncio.sleep(chance.uniform(0, pause))
            await _move(game, transcript, figures, chance)
    transcript.followed = True
    figures.games += 1


async def spectate(client: Client, game_id: str, figures: Figures) -> None:
    """Look on to the end of the game."""
    transcript = Transcript(game_id)
    figures.transcripts.append(transcript)
    async for item in await client.spectate(game_id):
        if not isinstance(item, Presence):
            transcript.show(item)
    transcript.followed = True


async def _move(game: Game, transcript: Transcript, figures: Figures, chance: random.Random) -> None:
    move = chance.choice(game.view.legal)
    sent = Sent("", game.view.seq, move)
    transcript.sent.append(sent)
    try:
        sent.accepted.append(await game.play(move.tile, move.end))
        figures.moves += 1
    except Refused as refused:
        sent.refused.append(refused.reason)
        figures.refusals[refused.name] += 1
