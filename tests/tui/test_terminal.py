"""`capicua` in a real terminal against a real server, by keys alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from capicua.tui.profile import Profile
from kit.server import ServerProcess
from kit.terminal import capicua
from kit.tmux import Tmux, terminal


def to_home(tmux: Tmux) -> None:
    """Sign in as somebody new."""
    tmux.wait("Your name", "Twoje imie")
    tmux.type("Ana", "Enter")
    tmux.wait("1  Quick match", "1  Szybka gra")


@pytest.mark.timeout(120)
def test_a_whole_game_is_played_by_keys(tmp_path: Path, server: ServerProcess) -> None:
    """Sign in, quick match with a bot, every turn by one or two keys, the result, home again, quit."""
    Profile(server=server.address, variant="draw_lowest").save(tmp_path / "capicua" / "profile.json")
    with terminal(tmp_path) as tmux:
        to_home(tmux)
        tmux.type("1")
        tmux.wait("Find a game")
        tmux.type("Enter")
        shown = ""
        while "Your turn" in (shown := tmux.wait("Your turn", "You win", "You lose", other_than=shown)):
            tmux.type("1" if "where?" in shown else "Enter")
        tmux.wait("Leave")
        tmux.type("q")
        tmux.wait("1  Quick match")
        tmux.type("5")
        tmux.wait("won", "lost")
        tmux.type("Enter")
        tmux.wait("Step ")
        tmux.type("q")
        tmux.wait("Result")
        tmux.type("Escape")
        tmux.wait("1  Quick match")
        tmux.type("9")
        tmux.wait("ended with 0")


def test_a_terminal_without_colours_and_letters_still_works(tmp_path: Path, server: ServerProcess) -> None:
    """NO_COLOR and a locale without UTF-8: no colour is set, all that is shown is ASCII."""
    with terminal(tmp_path, "--server", server.address, NO_COLOR="1", LANG="pl_PL.ISO-8859-2") as tmux:
        to_home(tmux)
        shown = tmux.run("capture-pane", "-p", "-e")

        assert shown.isascii()
        assert "\x1b[38;" not in shown
        assert "\x1b[48;" not in shown
        # The chosen line of the menu is seen without colour.
        assert "\x1b[1;4m" in shown


def test_without_a_terminal_there_is_help_instead() -> None:
    """`capicua` in a pipe tells what it can do; `capicua open` says what it needs, and what to use there."""
    alone, opened = capicua(), capicua("open")

    assert (alone.returncode, "full-screen client" in alone.stdout) == (0, True)
    assert (opened.returncode, opened.stdout) == (2, "")
    assert "capicua play" in opened.stderr
