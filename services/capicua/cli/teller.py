"""What telling the rules of a variant needs: the variant, who can play it, and the words of a language."""

from __future__ import annotations

import gettext

from capicua.engine import Variant


class Teller:
    """Says sentences about one variant for the seat counts that can play it, of which there is at least one."""

    def __init__(self, variant: Variant, seats: tuple[int, ...], words: gettext.NullTranslations) -> None:
        self.variant = variant
        self.seats = seats
        # Where pairs are in force, four seats are the only ones that can play.
        self.pairs = variant.pairs(seats[0])
        self.trains = variant.topology == "trains"
        self.double = f"{variant.set}-{variant.set}"
        """The highest double."""
        always_won = not self.trains and variant.block_winner in ("last_mover", "leader")
        self.may_lack_winner = not always_won
        self._words = words

    def say(self, message: str, **facts: object) -> str:
        """A sentence with its facts filled in."""
        return self._words.gettext(message).format(**facts)

    def say_counted(self, one: str, many: str, n: int, **facts: object) -> str:
        """A sentence about `n` of something."""
        return self._words.ngettext(one, many, n).format(n=n, **facts)
