"""What gives points and how a game ends, as sentences for players (R-15, R-23, R-24, R-30, R-52 to R-68)."""

from __future__ import annotations

from capicua.cli.teller import Teller


def points(t: Teller) -> list[str]:
    """What plays and ends of rounds are worth."""
    return [*_points_in_play(t), *_points_of_rounds(t), *_bonuses(t)]


def _points_in_play(t: Teller) -> list[str]:
    in_play = t.variant.in_play
    if not in_play.divisors:
        return []
    told = [
        t.say("After each play the tiles at the open ends are counted: their outer halves, of doubles both."),
        t.say("A tile that lies alone counts all its pips."),
    ]
    if t.variant.spinner != "none":
        told.append(t.say("The spinner counts both halves until tiles touch two of its sides, and then nothing."))
    for divisor in in_play.divisors:
        if in_play.count == "sum":
            told.append(
                t.say("If the count is a multiple of {divisor}, the play scores the whole count.", divisor=divisor)
            )
        else:
            told.append(
                t.say(
                    "If the count is a multiple of {divisor}, the play scores one point for each {divisor} in it.",
                    divisor=divisor,
                )
            )
    if len(in_play.divisors) > 1:
        told.append(t.say("If the count is a multiple of several of these numbers, their points are added up."))
    return told


def _points_of_rounds(t: Teller) -> list[str]:
    if t.variant.block_winner == "none" and t.variant.end_score.block.value != "own_pips_penalty":
        return _domino_points(t)
    return [*_domino_points(t), *_block_points(t)]


def _domino_points(t: Teller) -> list[str]:
    award = t.variant.end_score.domino
    value = award.value
    if value in ("others_minus_own", "all") and not t.pairs:
        # Whoever goes domino out has no pips of their own.
        value = "others"
    match value:
        case "win":
            told = [t.say("A domino out gives the winner one point.")]
        case "zero":
            told = [t.say("A domino out gives no points.")]
        case "own_pips_penalty":
            return [t.say("After a domino out everyone adds the pips left in their own hand to their score.")]
        case "others":
            told = [t.say("A domino out gives the winner the pips left in the opponents' hands.")]
        case "others_minus_own":
            told = [
                t.say(
                    "A domino out gives the winner the pips left in the opponents' hands less those in the partner's."
                ),
                t.say("If the partner's are more, the score goes down."),
            ]
        case "all":
            told = [t.say("A domino out gives the winner all pips left, those in the partner's hand as well.")]
    match award.round:
        case "nearest5":
            told.append(t.say("Points for a domino out are rounded to the nearest five: 12 is 10, and 13 is 15."))
        case "down5":
            told.append(t.say("Points for a domino out are rounded down to a multiple of five: 14 is 10."))
    return told


def _block_points(t: Teller) -> list[str]:
    award = t.variant.end_score.block
    match award.value:
        case "win":
            told = [t.say("A blocked round gives the winner one point.")]
        case "zero":
            told = [t.say("A blocked round gives no points.")]
        case "own_pips_penalty":
            return [t.say("After a blocked round everyone adds the pips left in their own hand to their score.")]
        case "others":
            told = [
                t.say(
                    "A blocked round gives the winner the pips left in the opponents' hands; the winner's own are not "
                    "taken off."
                )
            ]
        case "others_minus_own":
            told = [
                t.say("A blocked round gives the winner the pips left in the opponents' hands less the winner's own.")
            ]
            if t.variant.block_winner != "lowest_side":
                # Only then can they be more.
                told.append(t.say("If the winner's own are more, the score goes down."))
        case "all":
            told = [t.say("A blocked round gives the winner all pips left, the winner's own as well.")]
    match award.round:
        case "nearest5":
            told.append(t.say("Points for a blocked round are rounded to the nearest five: 12 is 10, and 13 is 15."))
        case "down5":
            told.append(t.say("Points for a blocked round are rounded down to a multiple of five: 14 is 10."))
    return told


def _bonuses(t: Teller) -> list[str]:
    told = []
    variant, bonus = t.variant, t.variant.bonus
    if bonus.capicua:
        told.append(
            t.say_counted(
                "Capicúa: a domino out with a tile that is no double and fits both ends gives {n} point more.",
                "Capicúa: a domino out with a tile that is no double and fits both ends gives {n} points more.",
                bonus.capicua,
            )
        )
    if bonus.chuchazo:
        told.append(
            t.say_counted(
                "Chuchazo: a domino out with 0-0 gives {n} point more.",
                "Chuchazo: a domino out with 0-0 gives {n} points more.",
                bonus.chuchazo,
            )
        )
    if variant.trains is not None:
        told.append(
            t.say_counted(
                "0-0 left in a hand counts {n} pip.",
                "0-0 left in a hand counts {n} pips.",
                variant.trains.double_blank_pips,
            )
        )
    return told


def game_end(t: Teller) -> list[str]:
    """What ends the game, and who wins it."""
    target = t.variant.target
    match target.kind:
        case "at_least":
            told = _target_points(t)
            if target.check == "round_end":
                told.append(t.say("The game is over after a round that somebody ends with the target or more."))
            else:
                told.append(
                    t.say(
                        "The game is over as soon as somebody has the target or more. If a play brings them there, the "
                        "end of that round gives no points."
                    )
                )
            told.append(t.say("The highest score wins. If it is shared, another round is played."))
            return told
        case "exact":
            told = _target_points(t)
            told.append(
                t.say(
                    "Whoever has exactly the target wins the game at once. Points that would go past it do not "
                    "count, but the tile stays played."
                )
            )
            if t.variant.end_score.domino.value == "win":
                told.append(
                    t.say(
                        "The point for a domino out and the points of its last tile are one sum, which counts as a "
                        "whole or not at all."
                    )
                )
            return told
        case "shutout":
            return [
                t.say_counted(
                    "{n} round won wins the game.",
                    "{n} rounds won in a row win the game.",
                    target.value[t.seats[0]],
                ),
                t.say(
                    "A win against a side that has points takes these away and gives none itself; then the opener "
                    "is found as for the first round."
                ),
            ]
        case "rounds_lowest":
            told = _target_rounds(t)
            told.append(t.say("The lowest score wins. If it is shared, another round is played."))
            return told


def _target_points(t: Teller) -> list[str]:
    value = t.variant.target.value
    if len({value[seats] for seats in t.seats}) == 1:
        return [t.say_counted("The target is {n} point.", "The target is {n} points.", value[t.seats[0]])]
    return [
        t.say_counted(
            "With {seats} players the target is {n} point.",
            "With {seats} players the target is {n} points.",
            value[seats],
            seats=seats,
        )
        for seats in t.seats
    ]


def _target_rounds(t: Teller) -> list[str]:
    value = t.variant.target.value
    if len({value[seats] for seats in t.seats}) == 1:
        return [t.say_counted("The game has {n} round.", "The game has {n} rounds.", value[t.seats[0]])]
    return [
        t.say_counted(
            "With {seats} players the game has {n} round.",
            "With {seats} players the game has {n} rounds.",
            value[seats],
            seats=seats,
        )
        for seats in t.seats
    ]
