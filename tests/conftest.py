"""Settings for all tests: the same examples on every run."""

import pytest
from hypothesis import settings

settings.register_profile("ci", derandomize=True, deadline=None)
settings.load_profile("ci")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--record` is for a change of the rules on purpose: look at what differs before it is committed."""
    parser.addoption("--record", action="store_true", help="write the recorded games of tests/engine/games again")
