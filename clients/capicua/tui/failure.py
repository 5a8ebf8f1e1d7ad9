"""What went wrong, as a sentence that says what happened and what to do."""

from __future__ import annotations

import math

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.client import Refused, Unreachable
from capicua.tui.words import N_, _, counted, isolated

_STALE = N_("The game went on before your play arrived. Look at it again, then play.")
_NOT_NOW = N_("That cannot be played now. The lit tiles are the ones that can.")
_OUR_MISTAKE = N_("This client asked for something the server does not understand. Update the client or the server.")
_SEED = N_("The next deal is made without a seed of yours. The game goes on.")
SENTENCES = {
    reasons.ERROR_REASON_UNSPECIFIED: N_("The server refused for a reason unknown to this client. Update the client."),
    reasons.ERROR_REASON_GAME_OVER: N_("The game is over. Leave the table to begin another."),
    reasons.ERROR_REASON_ROUND_OVER: N_("The round is over. The next one begins in a moment."),
    reasons.ERROR_REASON_NOT_YOUR_TURN: N_("It is not your turn. Wait until your tiles are lit."),
    reasons.ERROR_REASON_NO_DRAW_IN_VARIANT: N_("In this game nobody draws. Play a tile, or wait."),
    reasons.ERROR_REASON_MUST_PLAY: N_("You have a tile that fits, so play it."),
    reasons.ERROR_REASON_BONEYARD_RESERVED: N_("The tiles left in the boneyard are never drawn. You pass."),
    reasons.ERROR_REASON_TILE_NOT_IN_HAND: _STALE,
    reasons.ERROR_REASON_MUST_LEAD_TILE: N_("This round begins with another tile. Play the one that is lit."),
    reasons.ERROR_REASON_MUST_COVER_DOUBLE: N_("An open double must be covered first. Play on the double."),
    reasons.ERROR_REASON_TRAIN_PRIVATE: N_("That train is not open to you. Choose another one."),
    reasons.ERROR_REASON_END_NOT_OPEN: _NOT_NOW,
    reasons.ERROR_REASON_NO_MATCH: N_("The tile does not fit there. Choose another end or tile."),
    reasons.ERROR_REASON_STALE_SEQ: _STALE,
    reasons.ERROR_REASON_GAME_NOT_FOUND: N_("The server knows no such game, or keeps it no more. Choose another."),
    reasons.ERROR_REASON_NOT_SEATED: N_("You have no seat in this game. You may watch it from the lobby."),
    reasons.ERROR_REASON_INVALID_ARGUMENT: _OUR_MISTAKE,
    reasons.ERROR_REASON_INVALID_NAME: N_("This name cannot be used. Choose one of 1 to 20 letters or digits."),
    reasons.ERROR_REASON_UNKNOWN_VARIANT: N_("This server does not know that game. Choose another one."),
    reasons.ERROR_REASON_INVALID_OPTIONS: N_(
        "This game cannot be played so. Change the number of seats or the target."
    ),
    reasons.ERROR_REASON_UNAUTHENTICATED: N_("The server does not know you any more. Sign in again."),
    reasons.ERROR_REASON_TABLE_NOT_FOUND: N_("No table waits with this code. Check the code, or ask for a new one."),
    reasons.ERROR_REASON_TABLE_FULL: N_("Every seat of this table is taken. Choose another table."),
    reasons.ERROR_REASON_NOT_HOST: N_("Only the host may do this. Wait for the host."),
    reasons.ERROR_REASON_TOO_FEW_PLAYERS: N_("Too few people sit at the table. Wait for more."),
    reasons.ERROR_REASON_SUPERSEDED: N_("You have signed in somewhere else. Sign in here again to go on here."),
    reasons.ERROR_REASON_RESYNC: N_("The connection was too slow for a moment. It is being made again."),
    reasons.ERROR_REASON_UNAVAILABLE: N_("The server cannot do this at the moment. Try again in a few seconds."),
    reasons.ERROR_REASON_GAME_RUNNING: N_("The game is still being played. Its record can be had when it is over."),
    reasons.ERROR_REASON_INTERNAL: N_("The server made a mistake. Nothing was changed; try again."),
    reasons.ERROR_REASON_RATE_LIMITED: N_("That was too often. Wait a little, then try again."),
    reasons.ERROR_REASON_SPECTATORS_NOT_ALLOWED: N_("Nobody may watch this game while it is played. Choose another."),
    reasons.ERROR_REASON_TABLE_STARTED: N_("The game of this table has begun without you. Choose another table."),
    reasons.ERROR_REASON_SEED_NOT_DUE: _SEED,
    reasons.ERROR_REASON_SEED_GIVEN: _SEED,
    reasons.ERROR_REASON_SEED_USED: _SEED,
    reasons.ERROR_REASON_NOT_FOR_BOTS: N_("A bot plays for you now. Take your seat back first."),
    reasons.ERROR_REASON_PARTY_FULL: N_("Two others wait with this word already. Agree on another word."),
    reasons.ERROR_REASON_PARTY_NOT_POSSIBLE: N_("Nobody has a partner in this game. Choose one with partners."),
    reasons.ERROR_REASON_TEXT_NOT_ALLOWED: N_("At this table only what is in the list can be said. Choose from it."),
    reasons.ERROR_REASON_INVALID_TEXT: N_("This cannot be said as it is. Write 200 visible characters at most."),
    reasons.ERROR_REASON_TALK_NOT_ALLOWED: N_("At this table nobody talks. The host wanted it so."),
}
"""One for each reason of `error_reason.proto`."""


def sentence(failure: Refused | Unreachable, server: str) -> str:
    """`failure` for the player of a client of `server` ("host:port")."""
    if isinstance(failure, Refused):
        if failure.retry_seconds:
            wait = math.ceil(failure.retry_seconds)
            return counted(
                "That was too often. Try again in {n} second.", "That was too often. Try again in {n} seconds.", wait
            )
        return _(SENTENCES.get(failure.reason, SENTENCES[reasons.ERROR_REASON_UNSPECIFIED]))
    said = str(failure)
    told = N_("No server answers at {server}. Check the address, or start a server of your own.")
    if said.startswith("UNIMPLEMENTED"):
        told = N_("The server at {server} is older than this client, or no Capicua server. Ask for its update.")
    elif "errors resolving" in said:
        told = N_("There is no server called {server}. Check the address.")
    elif "CERTIFICATE_VERIFY_FAILED" in said:
        told = N_("The server at {server} cannot prove its name. Do not sign in there, or ask whoever runs it.")
    elif "handshake failed" in said:
        told = N_("No encrypted connection to {server} could be made. Switch encryption off, or check the address.")
    elif any(sign in said for sign in ("Socket closed", "Connection reset", "first frame")):
        told = N_("The server at {server} wants encryption, or is no Capicua server. Try it with encryption.")
    return _(told).format(server=isolated(server))
