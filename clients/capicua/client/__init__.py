"""The client SDK: sign in, find a game, play it, watch it. Knows the public API and no rule of the game."""

from capicua.client.client import Client, connect
from capicua.client.connection import Connection
from capicua.client.deal_record import NoRecord
from capicua.client.fair_deal import CheckedRound, Unfair, verify
from capicua.client.fold import UnknownUpdate, apply
from capicua.client.game import Game, Item
from capicua.client.lobby import Added, Change, Changed, Removed
from capicua.client.refused import RateLimited, Refused, Stale, Superseded, Unauthenticated, Unreachable
from capicua.client.talk import Talk
from capicua.client.witness import Witness

__all__ = [
    "Added",
    "Change",
    "Changed",
    "CheckedRound",
    "Client",
    "Connection",
    "Game",
    "Item",
    "NoRecord",
    "RateLimited",
    "Refused",
    "Removed",
    "Stale",
    "Superseded",
    "Talk",
    "Unauthenticated",
    "Unfair",
    "UnknownUpdate",
    "Unreachable",
    "Witness",
    "apply",
    "connect",
    "verify",
]
