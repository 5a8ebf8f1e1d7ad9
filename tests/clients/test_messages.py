"""The catalogues are complete, fit the code, and are compiled from what a translator sees."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from gettext import c2py
from pathlib import Path

import pytest
from babel.messages import Catalog, Message
from babel.messages.pofile import read_po

from capicua.cli.language import DOMAIN, LANGUAGES, MESSAGES, messages_of
from capicua.tui import words

TRANSLATED = [language for language in LANGUAGES if language != "en"]
SCRIPT = Path(__file__).parents[2] / "services" / "messages.py"
SCRIPTS = {"he": "א-ת", "bg": "а-я", "pl": "a-ząćęłńóśźż", "lt": "a-ząčęėįšųūž"}
"""The letters of each language."""
NUMBERS = range(201)


@pytest.fixture(params=[(MESSAGES, DOMAIN), (words.MESSAGES, words.DOMAIN)], ids=["rules", "client"])
def catalogue(request: pytest.FixtureRequest, language: str) -> Catalog:
    """A catalogue as a translator sees it."""
    folder, domain = request.param
    with (folder / language / "LC_MESSAGES" / f"{domain}.po").open("rb") as file:
        return read_po(file, locale=language)


def messages(catalogue: Catalog) -> list[Message]:
    """All messages; the first of a catalogue is its header."""
    return [message for message in catalogue if message.id]


def forms(text: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    """One text, or one for each plural form."""
    return (text,) if isinstance(text, str) else tuple(text or ())


def placeholders(text: str) -> set[str]:
    """The facts that a sentence tells."""
    return set(re.findall(r"{(\w+)}", text))


def test_every_language_has_a_catalogue() -> None:
    """English is the language of the code; there is no folder that nobody can choose."""
    for folder in (MESSAGES, words.MESSAGES):
        assert sorted(path.name for path in folder.iterdir()) == sorted(TRANSLATED)
    assert tuple(words.LANGUAGES) == LANGUAGES


def test_catalogues_are_up_to_date() -> None:
    """`make messages` would change nothing: all messages of the code and no others, compiled from the text."""
    done = subprocess.run([sys.executable, str(SCRIPT), "--check"], capture_output=True, text=True, check=False)

    assert (done.stdout, done.returncode) == ("", 0), done.stderr


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_message_is_translated(catalogue: Catalog, language: str) -> None:
    """In every plural form, in the letters of the language, and with the full stop of a sentence."""
    plural_forms = catalogue.num_plurals
    for message in messages(catalogue):
        english, translated = forms(message.id), forms(message.string)

        assert len(translated) == (plural_forms if len(english) == 2 else 1), message.id
        for text in translated:
            assert text == text.strip()
            # An order of facts alone has no letters.
            wordless = not re.search("[a-z]", re.sub(r"{\w+}", "", english[0].lower()))
            assert wordless or re.search(f"[{SCRIPTS[language]}]", text.lower()), message.id
            # Only a name may be the same in both.
            assert text not in english or not text.endswith("."), text
            assert text.endswith(".") == english[0].endswith("."), text


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_tell_the_same_facts(catalogue: Catalog, language: str) -> None:
    """The same placeholders; a number may be a word where its plural form stands for that number alone."""
    form_of = c2py(catalogue.plural_expr)
    uses = Counter(map(form_of, NUMBERS))
    for message in messages(catalogue):
        facts = placeholders(forms(message.id)[-1])
        for form, text in enumerate(forms(message.string)):
            spelled_out = {"n"} if "n" in facts and uses[form] == 1 else set()
            assert facts - spelled_out <= placeholders(text) <= facts, text


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", {1: "1 tile.", 2: "2 tiles.", 5: "5 tiles."}),
        ("he", {1: "אבן אחת.", 2: "שתי אבנים.", 7: "7 אבנים.", 12: "12 אבנים."}),
        ("bg", {1: "1 плочка.", 2: "2 плочки.", 5: "5 плочки.", 21: "21 плочки."}),
        ("pl", {1: "1 kamień.", 3: "3 kamienie.", 5: "5 kamieni.", 12: "12 kamieni.", 22: "22 kamienie."}),
        ("lt", {1: "1 kauliuką.", 7: "7 kauliukus.", 10: "10 kauliukų.", 15: "15 kauliukų.", 21: "21 kauliuką."}),
    ],
)
def test_numbers_agree_with_their_nouns(language: str, told: dict[int, str]) -> None:
    """Each language counts tiles in its own plural forms."""
    words = messages_of(language)
    for n, ending in told.items():
        assert words.ngettext("Everyone gets {n} tile.", "Everyone gets {n} tiles.", n).format(n=n).endswith(ending)
