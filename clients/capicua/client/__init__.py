"""The client SDK: sign in, find a game, play it, watch it. Knows the public API and no rule of the game."""

from capicua.client.client import Client, connect
from capicua.client.fold import UnknownUpdate, apply
from capicua.client.game import Game
from capicua.client.refused import Refused, Superseded, Unauthenticated, Unreachable

__all__ = [
    "Client",
    "Game",
    "Refused",
    "Superseded",
    "Unauthenticated",
    "UnknownUpdate",
    "Unreachable",
    "apply",
    "connect",
]
