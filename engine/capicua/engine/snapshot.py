"""A state written down whole, so that a long game need not be folded from its first event (I-5)."""

from __future__ import annotations

import msgspec

from capicua.engine.state import GameState


def write_state(state: GameState) -> bytes:
    """The state as JSON: masks of large tile sets are wider than the integers of other encodings."""
    return msgspec.json.encode(state)


def read_state(data: bytes) -> GameState:
    """The state that `write_state` wrote. Raises ValueError for anything else, another version's state included."""
    return msgspec.json.decode(data, type=GameState)
