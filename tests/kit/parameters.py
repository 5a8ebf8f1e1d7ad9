"""Every legal value of every parameter of a variant, found from the types of the parameters themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import inspect

from capicua.engine import Invalid, Variant, build, check, to_json

Data = dict[str, Any]
_TYPE = inspect.type_info(Variant)
NUMBERS = (0, 1, 2, 3, 5, 25)


def changes(data: Data) -> Iterator[Data]:
    """The parameters with one of them changed: each name to each other, each number to some, each list by one item."""
    assert isinstance(_TYPE, inspect.StructType)
    yield from (changed for changed in _others(_TYPE, data) if changed["key"] == data["key"])


def parameters(variant: Variant) -> Data:
    """A variant as the data that changes are made in."""
    data: Data = msgspec.json.decode(to_json(variant))
    return data


def playable(data: Data) -> tuple[Variant, tuple[int, ...]] | None:
    """The variant with these parameters and the seat counts that can play it; None if nobody can."""
    variant = build(data["key"], {name: value for name, value in data.items() if name != "key"})
    if isinstance(variant, Invalid):
        return None
    seats = tuple(seats for seats in variant.seats if check(variant, seats) is None)
    return (variant, seats) if seats else None


def _others(kind: inspect.Type, value: Any) -> Iterator[Any]:
    match kind:
        case inspect.StructType():
            for field in kind.fields:
                for other in _others(field.type, value[field.encode_name]):
                    yield {**value, field.encode_name: other}
        case inspect.LiteralType():
            yield from (other for other in kind.values if other != value)
        case inspect.IntType():
            yield from (number for number in NUMBERS if number != value)
        case inspect.DictType():
            for key in value:
                yield from ({**value, key: other} for other in _others(kind.value_type, value[key]))
        case inspect.VarTupleType():
            yield from (value[:at] + value[at + 1 :] for at in range(len(value)))
            yield from ([*value, number] for number in NUMBERS)
        case inspect.UnionType() if value is not None:
            for other in kind.types:
                yield from _others(other, value)
