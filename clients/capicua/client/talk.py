"""What the players of one game say to each other, as a client says and hears it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from capicua.api.v1.game_service_pb2 import Say
from capicua.api.v1.types_pb2 import Emote, Phrase
from capicua.api.v1.update_pb2 import Said
from capicua.client.refused import Refused

KEPT = 100
"""What nobody iterates over is forgotten beyond this, the oldest first."""


class Talk:
    """Iterate over it to hear the others: each Said as it comes, and a Refused for each of one's own that was.

    One's own words come back only where they are refused, so a client shows them by itself. Nothing is kept: what was
    said while the connection was lost is never heard. Iteration ends with the game. One task may iterate; whoever
    does not care need not.
    """

    def __init__(self, game_id: str, send: Callable[[Say], None] | None) -> None:
        self.muted: set[int] = set()
        """Seats that are not heard; nobody else knows."""
        self._game_id = game_id
        self._send = send
        self._heard: deque[Said | Refused] = deque(maxlen=KEPT)
        self._news = asyncio.Event()
        self._ended = False

    def say(
        self,
        *,
        phrase: Phrase.ValueType = Phrase.PHRASE_UNSPECIFIED,
        emote: Emote.ValueType = Emote.EMOTE_UNSPECIFIED,
        text: str = "",
    ) -> None:
        """Say one phrase, emote or text of 1 to 200 characters to the others of the game, from one's own seat.

        It does not wait. If it is refused the iteration says so: TALK_NOT_ALLOWED, TEXT_NOT_ALLOWED, INVALID_TEXT,
        NOT_SEATED; RateLimited for more than three at once and then one every two seconds.
        """
        if self._send is None:
            raise TypeError("a spectator only listens: watch the game from a seat to talk")
        said = {"phrase": phrase, "emote": emote, "text": text}
        what = {kind: value for kind, value in said.items() if value}
        if len(what) != 1:
            raise TypeError("say one of `phrase`, `emote` and `text`")
        self._send(Say(game_id=self._game_id, **what))  # type: ignore[arg-type]

    def mute(self, seat: int) -> None:
        """Hear nothing of a seat any more, what has arrived included."""
        self.muted.add(seat)

    def unmute(self, seat: int) -> None:
        """Hear a seat again, from now on."""
        self.muted.discard(seat)

    def __aiter__(self) -> Talk:
        return self

    async def __anext__(self) -> Said | Refused:
        while True:
            while self._heard:
                heard = self._heard.popleft()
                if isinstance(heard, Refused) or heard.seat not in self.muted:
                    return heard
            if self._ended:
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()

    def take(self, heard: Said | Refused) -> None:
        """Take what came from the server; of kinds and phrases newer than this client nothing is shown."""
        if isinstance(heard, Said) and (not _known(heard) or heard.seat in self.muted):
            return
        self._heard.append(heard)
        self._news.set()

    def end(self) -> None:
        """Nothing more will come."""
        self._ended = True
        self._news.set()


def _known(said: Said) -> bool:
    match said.WhichOneof("what"):
        case "phrase":
            return said.phrase in Phrase.values()
        case "emote":
            return said.emote in Emote.values()
        case kind:
            return kind == "text"
