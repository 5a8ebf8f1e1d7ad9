"""Race: which of several plays does best over many worlds, with little time lost on hopeless ones."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

Option = TypeVar("Option")

_STAGE = 10
"""After so many worlds, and again and again, hopeless options are left out."""
_HOPELESS = 2.5
"""So many deviations behind the best one."""


def race(
    ahead: Mapping[Option, float],
    worlds: Iterable[tuple[float, Callable[[Option], float]]],
    deviation: float,
    seconds: float,
) -> dict[Option, float]:
    """What the options that stay in the race come to in all, over as many worlds as time allows.

    `ahead` is what each option has in advance for every world. A world gives how much it counts, and what an option
    comes to in it, where `deviation` is common.
    """
    until = time.thread_time() + seconds
    total = dict.fromkeys(ahead, 0.0)
    squares = 0.0
    for number, (weight, outcome) in enumerate(worlds, start=1):
        squares += weight * weight
        for option in total:
            total[option] += weight * (outcome(option) + ahead[option])
        if number % _STAGE == 0:
            enough = max(total.values()) - _HOPELESS * deviation * math.sqrt(squares)
            total = {option: value for option, value in total.items() if value >= enough}
        if len(total) == 1 or time.thread_time() > until:
            break
    return total
