"""The chance of a deal, fixed beforehand so that anyone can check it afterwards (docs/fair_deal.md).

Pure, and without any rule of the game: server and clients make the same deal of the same seeds.
"""

from capicua.fair.chance import SEED_BYTES, Chance, commitment

__all__ = ["SEED_BYTES", "Chance", "commitment"]
