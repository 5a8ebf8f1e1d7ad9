"""The naive rule writer is itself held to every vector."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.naive import naive_round

VECTORS: dict[str, dict[str, Any]] = {
    path.stem: json.loads(path.read_text()) for path in sorted((Path(__file__).parent / "data/vectors").glob("*.json"))
}


@pytest.mark.parametrize("name", VECTORS)
def test_the_naive_writer_writes_the_vector(name: str) -> None:
    """R-1 to R-85: given setup and choices of a vector, it writes that vector, the split of each count included."""
    vector = VECTORS[name]
    setup = {key: vector[key] for key in vector if key not in ("opener", "steps", "result")}
    plays = [step for step in vector["steps"] if step["action"] == "play"]
    choices = iter(f"{play['tile']}@{play.get('end') or play['train']}" for play in plays)

    written = naive_round(setup, lambda _: next(choices))

    assert written == vector
