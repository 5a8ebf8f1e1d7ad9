"""The languages in which rules are told, and which of them somebody wants."""

from __future__ import annotations

import gettext
from collections.abc import Mapping
from pathlib import Path

LANGUAGES = ("en", "he", "bg", "pl", "lt")
"""The messages in the code are English; every other language has a catalogue."""
MESSAGES = Path(__file__).parent / "messages"
DOMAIN = "capicua"


def wanted(environment: Mapping[str, str]) -> str:
    """The language of `LC_ALL`, else of `LANG`; English where it is none of LANGUAGES."""
    locale = environment.get("LC_ALL") or environment.get("LANG") or ""
    language = locale.partition(".")[0].partition("_")[0].lower()
    return language if language in LANGUAGES else "en"


def messages_of(language: str) -> gettext.NullTranslations:
    """The catalogue of one of LANGUAGES."""
    if language == "en":
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, MESSAGES, [language])
