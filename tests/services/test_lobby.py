"""The lobby: what was told at first and all changes since come to what is listed, for everybody who watches."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from capicua.api.v1.game_service_pb2 import GameSummary
from capicua.api.v1.table_service_pb2 import LobbyChange, LobbyEntry, Table, WatchLobbyResponse
from capicua.api.v1.types_pb2 import GameOptions
from capicua.client.lobby import Lobby as Seen
from capicua.gateway.lobby import Filter, Lobby, entry_id_of
from capicua.gateway.lobby_watchers import LobbyWatchers
from capicua.internal.v1.listed_pb2 import Listed
from capicua.runtime.listing import Listing
from kit.eventually import eventually

SOURCES = ("", "a:1", "b:1")
FILTERS = [Filter(), Filter("block"), Filter("", 3), Filter("draw", 2)]
WANTED = st.sampled_from(FILTERS)


@st.composite
def entries(draw: st.DrawFn) -> LobbyEntry:
    """A table or a game whose options follow from its id, and of which something else may change."""
    number, changing = draw(st.integers(0, 7)), draw(st.integers(0, 2))
    options = GameOptions(variant=("block", "draw")[number % 2], seats=2 + number % 3)
    if number < 4:
        return LobbyEntry(table=Table(table_id=f"t-{number}", options=options, host_seat=changing))
    return LobbyEntry(game=GameSummary(game_id=f"g-{number}", options=options, spectators=changing))


IDS = st.sampled_from([f"t-{n}" for n in range(4)] + [f"g-{n}" for n in range(4, 8)])
NEWS = st.builds(lambda put, gone: Listed(entries=put, gone=gone), st.lists(entries(), max_size=4), st.lists(IDS))
STEPS = st.one_of(
    st.tuples(st.just("hear"), st.sampled_from(SOURCES), st.none() | NEWS),
    st.tuples(st.just("tell"), st.none(), st.none()),
    st.tuples(st.just("watch"), st.none(), WANTED),
)


@given(st.lists(STEPS, max_size=40))
def test_snapshot_and_changes_come_to_what_is_listed(steps: list[tuple[str, str, object]]) -> None:
    """Given any order of news, losses and watchers, each watcher holds what its filter takes of the lobby."""
    lobby = Lobby()
    watchers: list[tuple[Filter, Seen]] = []
    for kind, source, what in [*steps, ("tell", "", None)]:
        if kind == "hear":
            lobby.hear(source, what)  # type: ignore[arg-type]
        elif kind == "watch":
            assert isinstance(what, Filter)
            seen = Seen()
            added = [LobbyChange(added=entry) for entry in lobby.told(what)]
            list(seen.take(WatchLobbyResponse(changes=added, complete=True)))
            watchers.append((what, seen))
        else:
            news = list(lobby.changes())
            for wanted, seen in watchers:
                mine = [change for change, entry in news if wanted.takes(entry)]
                told = list(seen.take(WatchLobbyResponse(changes=mine)))
                assert len(told) == len(mine)

    for wanted, seen in watchers:
        listed = {
            entry_id_of(entry): entry.table if entry.HasField("table") else entry.game for entry in lobby.listed(wanted)
        }
        assert seen.entries == listed


def test_an_entry_belongs_to_whoever_listed_it_last() -> None:
    """Given a game that moves: neither the late goodbye nor the loss of its old owner takes it away."""
    lobby = Lobby()
    game = LobbyEntry(game=GameSummary(game_id="g-1"))
    lobby.hear("old", Listed(entries=[game]))
    lobby.hear("new", Listed(entries=[game]))
    lobby.hear("old", Listed(gone=["g-1"]))
    lobby.hear("old", None)
    assert list(lobby.listed(Filter())) == [game]

    lobby.hear("new", None)
    assert list(lobby.listed(Filter())) == []


def test_a_listing_tells_what_changes_and_nothing_else() -> None:
    """Given an entry that is listed again as it was, or dropped twice: nothing is told."""
    listing = Listing()
    heard: list[Listed] = []
    one = LobbyEntry(table=Table(table_id="t-1"))
    listing.put("t-1", one)
    cancel = listing.follow(heard.append)
    listing.put("t-1", LobbyEntry(table=Table(table_id="t-1")))
    listing.drop("t-1")
    listing.drop("t-1")
    cancel()
    listing.put("t-1", one)

    assert heard == [Listed(entries=[one]), Listed(gone=["t-1"])]


def test_a_long_list_is_told_in_parts() -> None:
    """Given more than a link takes at once: everything comes, in order, once."""
    listing = Listing()
    listed = [LobbyEntry(table=Table(table_id=f"t-{number}")) for number in range(1_001)]
    for entry in listed:
        listing.put(entry.table.table_id, entry)
    heard: list[Listed] = []
    listing.follow(heard.append)

    assert [entry for news in heard for entry in news.entries] == listed
    assert max(len(news.entries) for news in heard) == 500


async def test_watchers_with_one_filter_are_sent_the_same_bytes() -> None:
    """Given two changes within one moment: each filter's watchers get one message, and it is one object."""
    watchers = LobbyWatchers()
    got: list[list[bytes]] = [[], [], []]
    cancels = []
    for wanted, into in zip([Filter(), Filter(), Filter("draw")], got, strict=True):
        first, cancel = watchers.watch(wanted, into.append)
        assert [WatchLobbyResponse.FromString(data) for data in first] == [WatchLobbyResponse(complete=True)]
        cancels.append(cancel)
    for name in ("t-1", "t-2"):
        table = Table(table_id=name, options=GameOptions(variant="block"))
        watchers.hear("", Listed(entries=[LobbyEntry(table=table)]))
    await eventually(lambda: bool(got[0]))

    assert len(got[0]) == len(got[1]) == 1
    assert got[0][0] is got[1][0]
    assert len(WatchLobbyResponse.FromString(got[0][0]).changes) == 2
    assert got[2] == []
    for cancel in cancels:
        cancel()
    assert len(watchers) == 0
