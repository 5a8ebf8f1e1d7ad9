"""The rules told to players: two variants with the same text are played the same, in every language."""

from __future__ import annotations

import gettext
import random
from itertools import islice

import pytest
from babel.messages.pofile import read_po
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from capicua.cli.language import DOMAIN, LANGUAGES, MESSAGES, messages_of
from capicua.cli.phrases import TAPS
from capicua.cli.rulebook import Section, rulebook
from capicua.engine import VARIANTS, Event, RoundEnded, Variant
from kit.games import random_game
from kit.parameters import Data, changes, parameters, playable

Rules = tuple[Variant, tuple[int, ...]]
NEAR_TARGET = 15


def told(rules: Rules, language: str = "en") -> list[Section]:
    """The text of a variant."""
    return rulebook(*rules, messages_of(language))


def played(rules: Rules, seats: int, seed: int) -> list[Event]:
    """A game of random plays to a target that is soon met, without the event that names the variant itself."""
    target = rules[0].target
    near = replace(target, value={seats: min(target.value[seats], NEAR_TARGET)})
    events = random_game(replace(rules[0], target=near), seats, seed, rounds=3)
    return [_without_next_opener(event) for event, _ in islice(events, 1, None)]


def _without_next_opener(event: Event) -> Event:
    # After the last round nobody opens, and before any other one its start says who does.
    if isinstance(event, RoundEnded):
        return replace(event, next_opener_seat=None, next_opener_rule=None)
    return event


def assert_told_or_without_effect(one: Rules, other: Rules) -> None:
    """Either the texts differ, or the games cannot."""
    if told(one) == told(other):
        assert one[1] == other[1]
        for seats in one[1]:
            for seed in range(2):
                assert played(one, seats, seed) == played(other, seats, seed)


@pytest.mark.parametrize("key", VARIANTS)
def test_every_change_of_a_parameter_that_changes_the_game_changes_the_text(key: str) -> None:
    """R-12, R-14 to R-31: each parameter takes each of its legal values in turn."""
    data = parameters(VARIANTS[key])
    rules = playable(data)
    others = [other for other in map(playable, changes(data)) if other is not None]

    assert rules is not None
    assert others
    for other in others:
        assert_told_or_without_effect(rules, other)


@given(st.sampled_from(list(VARIANTS)), st.integers(0, 2**32))
@settings(max_examples=30)
def test_changes_on_top_of_changes_are_told_too(key: str, seed: int) -> None:
    """The same for combinations that no variant has: a walk of legal changes, each compared with the one before."""
    chance = random.Random(seed)
    data = parameters(VARIANTS[key])
    for _ in range(6):
        chosen = _playable_change(data, chance)
        before, after = playable(data), playable(chosen)
        assert before is not None
        assert after is not None
        assert_told_or_without_effect(before, after)
        data = chosen


def _playable_change(data: Data, chance: random.Random) -> Data:
    tried = list(changes(data))
    chance.shuffle(tried)
    return next(changed for changed in tried if playable(changed) is not None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_one_language_tells_apart_every_language_tells_apart(language: str) -> None:
    """No two sentences have the same translation where a parameter chooses between them."""
    for variant in VARIANTS.values():
        data = parameters(variant)
        texts = [(told(rules), told(rules, language)) for rules in map(playable, changes(data)) if rules is not None]
        translations: dict[str, str] = {}
        for english, translated in texts:
            assert translations.setdefault(str(translated), str(english)) == str(english)


class _Listening(gettext.NullTranslations):
    """Remembers what is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.said: set[str] = set()

    def gettext(self, message: str) -> str:
        self.said.add(message)
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self.said.add(msgid1)
        return super().ngettext(msgid1, msgid2, n)


def test_every_sentence_is_said_of_some_variant() -> None:
    """No sentence lies about what cannot be: each is reached by one change of a variant of the sixteen."""
    listening = _Listening()
    for variant in VARIANTS.values():
        for rules in map(playable, changes(parameters(variant))):
            if rules is not None:
                rulebook(*rules, listening)
    with (MESSAGES / "pl" / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        sentences = {text[0] if isinstance(text := message.id, tuple) else text for message in read_po(file)} - {""}

    assert listening.said < sentences
    # The names and the lines of the sixteen variants are no part of their rules, nor is what players say.
    assert len(sentences - listening.said) == 2 * len(VARIANTS) + len(TAPS)
