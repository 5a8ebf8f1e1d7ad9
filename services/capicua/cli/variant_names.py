"""What the sixteen variants are called, and each in one line."""

from __future__ import annotations

import gettext

from capicua.engine import VARIANTS


def N_(message: str) -> str:
    """Mark a message that is translated later."""
    return message


_NAMES = {
    "block_rounds": (N_("Block by rounds"), N_("No drawing; each round won is one point.")),
    "block": (N_("Block"), N_("No drawing; the winner of a round scores the pips of the others.")),
    "draw": (N_("Draw"), N_("Whoever cannot play draws until a tile fits.")),
    "draw_hoyle": (N_("Draw for two"), N_("Two tiles of the boneyard are never drawn.")),
    "all_fives": (N_("All fives"), N_("Open ends that add up to a multiple of five score; with a spinner.")),
    "muggins": (N_("Muggins"), N_("Open ends that add up to a multiple of five score; without a spinner.")),
    "fives_four_way": (N_("Four-way fives"), N_("For two: all four sides of the first double open at once.")),
    "fives_and_threes": (N_("Fives and threes"), N_("Multiples of five and of three score; exactly 61 wins.")),
    "draw_lowest": (N_("Draw, lightest hand"), N_("One round decides; a blocked one goes to the fewest pips.")),
    "draw_last_mover": (N_("Draw, last play"), N_("One round decides; a blocked one goes to whoever played last.")),
    "draw_100": (N_("Draw to 100"), N_("The winner of a round scores all pips of the others.")),
    "partners_100": (N_("Partners to 100"), N_("Two pairs, all tiles dealt; the opponents' pips score.")),
    "partners_200": (N_("Partners to 200"), N_("Two pairs, all tiles dealt; all pips left score.")),
    "jamaican_partner": (N_("Jamaican partners"), N_("Two pairs; six rounds won in a row win the game.")),
    "cuban_double_nine": (N_("Cuban double nine"), N_("Two pairs, ten tiles each of a set up to 9-9.")),
    "mexican_train": (N_("Mexican train"), N_("Everybody builds a train; thirteen rounds, the fewest pips win.")),
}
assert _NAMES.keys() == VARIANTS.keys()


def name(key: str, words: gettext.NullTranslations) -> str:
    """The name of a variant."""
    return words.gettext(_NAMES[key][0])


def description(key: str, words: gettext.NullTranslations) -> str:
    """A variant in one line, as it stands."""
    return words.gettext(_NAMES[key][1])
