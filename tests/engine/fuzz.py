"""
Play random rounds against the naive rule writer for as long as asked: `python tests/engine/fuzz.py --seconds 600`.

On the first difference it writes the round to a file, says how to replay it, and exits with 1.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from itertools import cycle
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from capicua.cli.vectors import check_vector
from engine.naive import VARIANTS
from engine.naive_setup import random_vector

BETWEEN_REPORTS_S = 10.0


def fuzz(seconds: float, seed: int) -> int:
    """Play variants in turn for so many seconds; 0 if both writers always agreed, 1 at the first difference."""
    rng = random.Random(seed)
    rounds: Counter[str] = Counter()
    start = reported = time.monotonic()
    print(f"seed {seed}, {seconds:g} s", flush=True)
    for variant in cycle(VARIANTS):
        vector = random_vector(rng, variant)
        difference: object = None
        try:
            difference = check_vector(vector)
        except Exception as crash:  # found just as well
            difference = repr(crash)
        rounds[variant] += 1
        if difference is not None:
            path = Path(f"difference-{variant}-{seed}-{rounds[variant]}.json")
            path.write_text(json.dumps({**vector, "id": path.stem}))
            print(f"{difference}\nreplay: capicua replay --check {path}\nfind it again: --seed {seed}")
            return 1
        now = time.monotonic()
        if now - reported >= BETWEEN_REPORTS_S or now - start >= seconds:
            reported = now
            print(f"{rounds.total()} rounds, {rounds.total() / (now - start):.0f} rounds/s", flush=True)
        if now - start >= seconds:
            break
    print(", ".join(f"{variant} {count}" for variant, count in rounds.items()))
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Play random rounds with the engine and with the naive rule writer.")
    parser.add_argument("--seconds", type=float, default=60, help="how long to play (default 60)")
    parser.add_argument("--seed", type=int, default=None, help="for the same rounds again (default: a fresh one)")
    asked = parser.parse_args()
    sys.exit(fuzz(asked.seconds, random.SystemRandom().getrandbits(32) if asked.seed is None else asked.seed))
