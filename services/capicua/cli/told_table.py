"""The table, the deal and who begins, as sentences for players (R-14 to R-22, R-31)."""

from __future__ import annotations

from msgspec.structs import replace

from capicua.cli.teller import Teller
from capicua.engine import check, tile_count


def table(t: Teller) -> list[str]:
    """The tiles, the players, who plays with whom, turns and their length."""
    variant = t.variant
    tiles, double = tile_count(variant.set), t.double
    return [
        t.say_counted(
            "The tiles go up to {double}: {n} tile.",
            "The tiles go up to {double}: {n} tiles.",
            tiles,
            double=double,
        ),
        t.say("Number of players: {seats}.", seats=", ".join(map(str, t.seats))),
        _sides(t),
        t.say("Turns go round clockwise.") if variant.direction == "cw" else t.say("Turns go round counter-clockwise."),
        t.say_counted(
            "You have {n} second for a turn; after that your fitting tile with the most pips is played for you.",
            "You have {n} seconds for a turn; after that your fitting tile with the most pips is played for you.",
            variant.turn_seconds,
        ),
    ]


def _sides(t: Teller) -> str:
    if t.pairs:
        return t.say("Two pairs play against each other: partners sit opposite, and win and score together.")
    if t.variant.teams == "optional" and 4 in t.seats and check(replace(t.variant, teams="pairs"), 4) is None:
        return t.say("Everyone plays alone; a table of four may choose to play as two pairs.")
    return t.say("Everyone plays alone.")


def deal(t: Teller) -> list[str]:
    """The hands, and what becomes of the other tiles."""
    variant = t.variant
    sizes = {variant.hand_size[seats] for seats in t.seats}
    if len(sizes) == 1:
        told = [t.say_counted("Everyone gets {n} tile.", "Everyone gets {n} tiles.", sizes.pop())]
    else:
        told = [
            t.say_counted(
                "With {seats} players everyone gets {n} tile.",
                "With {seats} players everyone gets {n} tiles.",
                variant.hand_size[seats],
                seats=seats,
            )
            for seats in t.seats
        ]
    in_hands = (seats * variant.hand_size[seats] + t.trains for seats in t.seats)
    if all(tiles == tile_count(variant.set) for tiles in in_hands):
        told.append(t.say("So all tiles are dealt."))
    elif variant.draw.policy == "none":
        told.append(t.say("The tiles that are not dealt stay face down and out of play."))
    else:
        told.append(t.say("The tiles that are not dealt lie face down: they are the boneyard."))
    return told


def opening(t: Teller) -> list[str]:
    """Who opens the first round, with which tile, and who opens the later rounds."""
    later = t.variant.opener.next
    if later != "winner" and (later == t.variant.opener.after_tie or not t.may_lack_winner):
        every = (
            t.say("Each later round is opened by the player after the last opener.")
            if later == "rotate"
            else t.say("Each later round is opened by the same rule.")
        )
        return [*_first_opener(t), *_lead(t, always_found_so=later == "first_rule"), every]
    return [*_first_opener(t), *_lead(t, always_found_so=False), *_after_win(t), *_after_tie(t)]


def _first_opener(t: Teller) -> list[str]:
    match t.variant.opener.first:
        case "high_double":
            return [
                t.say("The first round is opened by the player with the highest double."),
                t.say(
                    "If nobody has a double, the player with the tile of most pips opens; of equal ones the tile with "
                    "the larger half counts more."
                ),
            ]
        case "lot":
            return [t.say("Who opens the first round is drawn by lot.")]
        case "lot_by_tile":
            return [
                t.say("Before the deal everyone takes a tile, and whoever has the most pips opens the first round."),
                t.say("Those who tie take again. Then these tiles go back, and all are shuffled."),
            ]


def _lead(t: Teller, *, always_found_so: bool) -> list[str]:
    if t.trains:
        return []
    if t.variant.opener.lead == "any":
        return [t.say("The opener may lead any tile.")]
    if always_found_so:
        return [t.say("The opener must lead that tile.")]
    return [t.say("An opener found in this way must lead that tile; any other opener may lead any tile.")]


def _after_win(t: Teller) -> list[str]:
    match t.variant.opener.next:
        case "winner" if t.pairs and t.variant.block_winner == "lowest_hand":
            return [
                t.say("The winner of a round opens the next."),
                t.say("After a blocked round it is the one of the winners with the lightest hand."),
            ]
        case "winner" if t.pairs and t.variant.block_winner != "none":
            return [
                t.say("The winner of a round opens the next."),
                t.say(
                    "After a blocked round it is the one of the winners who made the last play, or whose turn came "
                    "first after it."
                ),
            ]
        case "winner":
            return [t.say("The winner of a round opens the next.")]
        case "rotate":
            return [t.say("After a round that somebody won, the player after its opener opens the next.")]
        case "first_rule":
            return [t.say("After a round that somebody won, the next opener is found as for the first round.")]


def _after_tie(t: Teller) -> list[str]:
    if not t.may_lack_winner:
        return []
    match t.variant.opener.after_tie:
        case "rotate":
            return [t.say("After a round without a winner, the player after its opener opens the next.")]
        case "first_rule":
            return [t.say("After a round without a winner, the next opener is found as for the first round.")]
        case "same":
            return [t.say("After a round without a winner, the same player opens again.")]
