"""Worlds: ways in which the hidden tiles may lie, each as likely as any other that agrees with all that was seen."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from capicua.bots.knowledge import Knowledge, Stuck
from capicua.engine.tiles import tiles_in

_BONEYARD = -1
_TRIES = 2
"""Swaps tried between one world and the next, for each tile that may lie elsewhere."""


class World(NamedTuple):
    """Hands by seat, the own one included, as masks; the boneyard with the first drawn first."""

    hands: tuple[int, ...]
    boneyard: tuple[int, ...]


class _Place(NamedTuple):
    """Where tiles came to lie together: in the deal or in one turn of draws of a seat, or in the boneyard."""

    seat: int
    capacity: int
    since: int
    """Index of the seat's moment in which they came; -1 for the deal."""


def worlds(knowledge: Knowledge, chance: Random) -> Iterator[World]:
    """Worlds without end, drawn with chance.

    A walk from one world to the next by swaps that are tried at random: each world is met as often as any other,
    and neighbours are alike.
    """
    others = [seat for seat in range(knowledge.seats) if seat != knowledge.seat]
    moments = {seat: [stuck for stuck in knowledge.stuck if stuck.seat == seat] for seat in others}
    places = [place for seat in others for place in _places(knowledge, seat, moments[seat])]
    places.append(_Place(_BONEYARD, knowledge.boneyard_size, -1))
    # A tile that was played counts as well: which draw it came from says how many of that draw are still held.
    played = {tile: (seat, number) for number, (seat, tile, _) in enumerate(knowledge.placements) if seat in moments}
    tiles = tiles_in(knowledge.hidden) + list(played)
    allowed = [_allowed(tile, played.get(tile), places, moments) for tile in tiles]
    dealt = {number for number, place in enumerate(places) if place.since < 0 and place.seat != _BONEYARD}
    undealt = knowledge.undealt
    allowed = [
        [place for place in may if not (undealt >> tile & 1 and place in dealt)]
        for tile, may in zip(tiles, allowed, strict=True)
    ]
    lies = _settle(allowed, [place.capacity for place in places], chance)
    movable = [item for item, may in enumerate(allowed) if len(may) > 1]
    in_hand = [(item, 1 << tile) for item, tile in enumerate(tiles) if tile not in played]
    seat_of = [place.seat for place in places]
    masks = [sum(1 << place for place in may) for may in allowed]
    draw, count = chance.random, len(movable)
    while True:
        for _ in range(_TRIES * count):
            one, two = movable[int(draw() * count)], movable[int(draw() * count)]
            here, there = lies[one], lies[two]
            if here != there and masks[one] >> there & 1 and masks[two] >> here & 1:
                lies[one], lies[two] = there, here
        hands = [0] * (knowledge.seats + 1)
        for item, bit in in_hand:
            hands[seat_of[lies[item]]] |= bit
        boneyard = tiles_in(hands.pop())
        chance.shuffle(boneyard)
        hands[knowledge.seat] = knowledge.hand
        yield World(tuple(hands), tuple(boneyard))


def _places(knowledge: Knowledge, seat: int, moments: list[Stuck]) -> list[_Place]:
    dealt = knowledge.variant.hand_size[knowledge.seats]
    played = sum(placed == seat for placed, _, _ in knowledge.placements)
    found = [_Place(seat, dealt, -1)]
    found += [_Place(seat, stuck.drawn, number) for number, stuck in enumerate(moments) if stuck.drawn]
    # Draws of which only the sum is known, because nobody looked on: they may have been the last thing.
    unseen = played + knowledge.sizes[seat] - sum(place.capacity for place in found)
    return [*found, _Place(seat, unseen, len(moments))] if unseen else found


def _allowed(
    tile: int, played: tuple[int, int] | None, places: list[_Place], moments: dict[int, list[Stuck]]
) -> list[int]:
    """The places where a tile may have come to lie: it fitted at none of the seat's moments while it was there."""
    if played is None:
        return [
            number
            for number, place in enumerate(places)
            if place.seat == _BONEYARD
            or not any(stuck.fits >> tile & 1 for stuck in moments[place.seat][max(place.since, 0) :])
        ]
    seat, when = played
    before = [stuck for stuck in moments[seat] if stuck.after <= when]
    if before and before[-1].after == when and before[-1].drawn:
        # The last drawn of that turn.
        return [places.index(_Place(seat, before[-1].drawn, len(before) - 1))]
    return [
        number
        for number, place in enumerate(places)
        if place.seat == seat
        and (place.since < len(before) or place.since == len(moments[seat]))
        and not any(stuck.fits >> tile & 1 for stuck in before[max(place.since, 0) :])
    ]


def _settle(allowed: list[list[int]], free: list[int], chance: Random) -> list[int]:
    """One way to lay every tile where it may lie, within the capacities: augmenting paths, the tightest first."""
    lies = [-1] * len(allowed)

    def settle(item: int, asked: set[int]) -> bool:
        for place in chance.sample(allowed[item], len(allowed[item])):
            if place in asked:
                continue
            asked.add(place)
            if free[place]:
                free[place] -= 1
                lies[item] = place
                return True
            for other in [other for other, lying in enumerate(lies) if lying == place]:
                if settle(other, asked):
                    lies[item] = place
                    return True
        return False

    for item in sorted(range(len(allowed)), key=lambda item: len(allowed[item])):
        settled = settle(item, set())
        assert settled, "no world agrees with what was seen"
    return lies
