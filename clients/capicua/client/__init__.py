"""The client SDK: sign in, find a game, play it, watch it. Knows the public API and no rule of the game."""

from capicua.client.client import Client, connect
from capicua.client.fold import UnknownUpdate, apply
from capicua.client.game import Game
from capicua.client.lobby import Added, Change, Changed, Removed
from capicua.client.refused import Refused, Superseded, Unauthenticated, Unreachable

__all__ = [
    "Added",
    "Change",
    "Changed",
    "Client",
    "Game",
    "Refused",
    "Removed",
    "Superseded",
    "Unauthenticated",
    "UnknownUpdate",
    "Unreachable",
    "apply",
    "connect",
]
