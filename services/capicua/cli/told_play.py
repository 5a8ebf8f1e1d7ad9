"""How tiles are played and how a round ends, as sentences for players (R-25 to R-29, R-47 to R-60, R-69 to R-77)."""

from __future__ import annotations

from capicua.cli.teller import Teller


def playing(t: Teller) -> list[str]:
    """Where tiles may go, and what those do who cannot play."""
    return _play_trains(t) if t.trains else _play_line(t)


def _play_line(t: Teller) -> list[str]:
    told = [
        t.say(
            "In your turn you put one tile at an open end of the layout, so that touching halves show the same "
            "number. Whoever can play must play."
        )
    ]
    match t.variant.spinner:
        case "none":
            told.append(t.say("The layout is a line with two open ends; doubles do not branch it."))
        case "first_double_sides_first":
            told.append(
                t.say(
                    "The first double played is the spinner: once both its long sides are covered, its two short "
                    "sides are open too. Later doubles do not branch."
                )
            )
        case "first_double_all":
            told.append(
                t.say(
                    "The first double played is the spinner: all its four sides are open at once. Later doubles "
                    "do not branch."
                )
            )
    return [*told, *_drawing(t)]


def _drawing(t: Teller) -> list[str]:
    told = []
    draw = t.variant.draw
    match draw.policy:
        case "none":
            told.append(t.say("Whoever cannot play passes."))
        case "until_playable":
            told.append(
                t.say(
                    "Whoever cannot play draws from the boneyard until a tile fits, and plays it; with nothing "
                    "left to draw they pass."
                )
            )
        case "one":
            told.append(
                t.say(
                    "Whoever cannot play draws one tile from the boneyard; if it fits it is played, otherwise "
                    "they pass."
                )
            )
    if draw.reserve:
        told.append(
            t.say_counted(
                "The last {n} tile of the boneyard is never drawn.",
                "The last {n} tiles of the boneyard are never drawn.",
                draw.reserve,
            )
        )
    told.append(t.say("Draws and passes happen by themselves."))
    return told


def _play_trains(t: Teller) -> list[str]:
    return [
        t.say(
            "In the middle lies the engine tile: {double} in the first round, in each later one the next lower "
            "double, and after 0-0 again {double}.",
            double=t.double,
        ),
        t.say(
            "From it every player builds a train of their own, and all build the Mexican train. In your turn you "
            "put one tile on your own train, on the Mexican train or on one that carries a marker, so that "
            "touching halves show the same number. Whoever can play must play."
        ),
        *_drawing(t),
        t.say("When you pass, your train gets a marker, and everyone may play on it until you play on it again."),
        t.say(
            "Whoever plays a double must cover it at once, and draws for that if need be. If they cannot, they "
            "pass, and whoever comes next must cover it before anything else."
        ),
        t.say("A double that no remaining tile fits need not be covered."),
    ]


def round_end(t: Teller) -> list[str]:
    """How a round ends, and who wins it."""
    told = [
        t.say("Whoever plays their last tile goes domino out: that ends the round and wins it."),
        t.say("A round is blocked when nobody can play and nothing can be drawn; that ends it as well."),
    ]
    match t.variant.block_winner:
        case "none":
            told.append(t.say("Nobody wins a blocked round."))
        case "lowest_side" | "lowest_hand" if not t.pairs:
            told.append(t.say("The fewest pips left in hand win a blocked round; if several have as few, nobody wins."))
        case "lowest_side":
            told.append(
                t.say(
                    "The pair with the fewest pips left in both hands together wins a blocked round; if both "
                    "pairs have as many, nobody wins."
                )
            )
        case "lowest_hand":
            told.append(
                t.say(
                    "The pair of the player with the fewest pips left in hand wins a blocked round; if somebody "
                    "of the other pair has as few, nobody wins."
                )
            )
        case "last_mover":
            told.append(t.say("Whoever made the last play wins a blocked round."))
        case "leader":
            told.append(
                t.say(
                    "Whoever has the highest score at that moment wins a blocked round; of equal ones those with "
                    "fewer tiles, and then the one who played last."
                )
            )
    return told
