"""A server for the tests of the full-screen client."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from capicua.store.memory_store import MemoryStore
from capicua.tui import words
from kit.gateway import ServerHere, server_here
from kit.server import ServerProcess


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One for all that do not break it; its bots are there at once."""
    options = ["--log-format", "json", "--bot-fill", "0.2", "--bot-pause", "0"]
    with ServerProcess(tmp_path_factory.mktemp("server"), options) as running:
        yield running


@pytest.fixture
async def quiet() -> AsyncIterator[ServerHere]:
    """A server for one test, without bots, where time stands still."""
    async with server_here(MemoryStore()) as here:
        yield here


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """The language is one for the whole process."""
    yield
    words.speak("en")
