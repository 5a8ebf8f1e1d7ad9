"""The boxes over the table can be read and pressed in every language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.screen import ModalScreen
from textual.widgets import Button

from capicua.api.v1.types_pb2 import Seat
from capicua.api.v1.update_pb2 import RematchOffered
from capicua.client import connect
from capicua.tui import words
from capicua.tui.game_end import GameEnd
from capicua.tui.leave import Leave
from capicua.tui.recording import Recording
from capicua.tui.rematch import RematchAsked
from capicua.tui.replay_help import ReplayHelp
from capicua.tui.replay_screen import ReplayScreen
from capicua.tui.round_end import RoundEnd
from capicua.tui.table_help import TableHelp
from capicua.tui.talk import TalkBox
from kit.gateway import ServerHere
from kit.tables import AppAt

OFFER = RematchOffered(game_id="g", table_id="t", agreed=[Seat(name="Maximiliane-Eleonore")] * 3)
RECORD = (Path(__file__).parents[1] / "engine" / "games" / "partners_200-domino.txt").read_text()


async def test_every_dialog_fits_the_smallest_window(quiet: ServerHere, tmp_path: Path) -> None:
    """At 80×24 every button is whole, and no line is wider than the window."""
    recording = Recording(RECORD)
    last = len(recording) - 1
    seen = recording.view(last, 0)
    ended = next(
        update.round_ended
        for update in (recording.update(moment, 0) for moment in range(last, 0, -1))
        if update.HasField("round_ended")
    )
    game_id = await quiet.actor.start()
    async with connect(quiet.address, name="Ana") as client:
        game = await client.watch(game_id)

        def dialogs() -> list[ModalScreen[Any]]:
            boxes = RoundEnd(seen, ended), Leave(game, quiet.address), RematchAsked(OFFER)
            ends = (GameEnd(client, seen, ended, quiet.address) for _ in "12")
            return [*ends, *boxes, TalkBox(game), TableHelp(), ReplayHelp()]

        async with AppAt(tmp_path, ReplayScreen(RECORD, tmp_path)).run_test(size=(80, 24)) as pilot:
            for language in words.LANGUAGES:
                words.speak(language)
                offered = False
                for dialog in dialogs():
                    await pilot.app.push_screen(dialog)
                    if isinstance(dialog, GameEnd) and not offered:
                        offered = True
                        dialog.tell(OFFER)
                    await pilot.pause()

                    for button in (button for button in dialog.query(Button) if button.display):
                        assert dialog.region.contains_region(button.region), (language, dialog, button.label)
                        assert len(str(button.label)) <= button.content_size.width
                    for row in dialog.query("Static"):
                        assert row.region.right <= 80
                    await pilot.app.pop_screen()
