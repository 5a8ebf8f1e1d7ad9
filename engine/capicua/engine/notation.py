"""Text notation: tiles, hands, layouts and whole games, printed and parsed (docs/notation.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from capicua.engine.commands import ExpireTurn, PlayTile, QuitSeat, StartGame, StartRound
from capicua.engine.deal import tile_order
from capicua.engine.decide import decide
from capicua.engine.events import (
    Bot,
    Event,
    GameEnded,
    GameStarted,
    RoundEnded,
    RoundStarted,
    Seal,
    SeatQuit,
    SeedGiven,
    TileDrawn,
    TilePlayed,
    TurnPassed,
    TurnStarted,
)
from capicua.engine.evolve import evolve
from capicua.engine.line import Line, new_line
from capicua.engine.rejections import Rejection
from capicua.engine.state import DEALING, GameState
from capicua.engine.tiles import FITTING, NAMES, tile, tile_count
from capicua.engine.trains import Trains, new_trains
from capicua.engine.variant import Invalid, Variant, check, from_mapping, to_json

Layout = Line | Trains


class NotationError(ValueError):
    """Text that is no notation; the message names the line and what is wrong with it."""


class Round(msgspec.Struct, frozen=True):
    """One round of a record. Of the boneyard only what was drawn is known; `undrawn` tiles stay unknown (R-142)."""

    opener: int
    opener_by: str
    lot: tuple[tuple[int, ...], ...]
    hands: tuple[tuple[int, ...], ...]
    drawn: tuple[int, ...]
    undrawn: int
    plays: tuple[tuple[int, int, str, bool], ...]
    """Seat, tile, end, and whether the turn had expired."""
    seal: Seal | None = None
    """The server's seed, and the commitment to it, for a deal that can be checked (docs/fair_deal.md)."""
    seat_seeds: tuple[bytes, ...] = ()
    quits: tuple[tuple[int, int, str], ...] = ()
    """After how many of the plays a seat was left for good, -1 for before the deal; the seat, and the bot's name."""


class Record(msgspec.Struct, frozen=True):
    """A whole game, finished or not, as far as it may be told."""

    variant: Variant
    seats: int
    turn_ms: int
    players: tuple[str, ...]
    rounds: tuple[Round, ...]
    game_id: str = ""


# Tiles, hands, layouts.


def print_tiles(tiles: Iterable[int]) -> str:
    """A hand: "6-4 5-5"."""
    return " ".join(NAMES[tile] for tile in tiles)


def parse_tiles(text: str) -> tuple[int, ...]:
    """The tiles of a hand. Raises NotationError."""
    try:
        return tuple(map(tile, text.split()))
    except KeyError as unknown:
        raise NotationError(f"{unknown.args[0]!r} is no tile; a tile is a-b with 12 ≥ a ≥ b") from None


def print_layout(layout: Layout) -> str:
    """The plays in order and the trains that carry a marker, "0:6-6@- 1:6-4@R" or "0:12-3@0 *1".

    Enough to lay every arm, spinner and train again.
    """
    words = [f"{seat}:{NAMES[tile]}@{end}" for seat, tile, end in layout.placements]
    return " ".join(words + [f"*{train}" for train in (layout.markers() if isinstance(layout, Trains) else ())])


def parse_layout(text: str, empty: Layout) -> Layout:
    """The layout that `text` makes of an `empty` one. Raises NotationError."""
    layout = empty
    for word in text.split():
        if isinstance(layout, Trains) and word.startswith("*") and word[1:].isdecimal():
            layout = layout.mark(int(word[1:]))
            continue
        seat, placed, end, _ = _play(word)
        # Whose train it was allowed on is the game's business; here the tile must only fit.
        pips = -1 if end == "-" else dict(layout.ends()).get(end, -1)
        fits = bool(FITTING[pips] >> placed & 1) if pips >= 0 else end == "-" and layout == empty
        if not fits or (end == "-" and isinstance(layout, Trains)):
            raise NotationError(f"{word!r} does not fit the layout before it")
        layout = layout.place(seat, placed, end)
    return layout


def empty_layout(variant: Variant, seats: int, engine_tile: int | None = None) -> Layout:
    """The layout before the first play."""
    if engine_tile is None:
        return new_line(variant.spinner)
    return new_trains(seats, engine_tile, tile_count(variant.set))


# Games.


def record_of(events: Iterable[Event], players: Sequence[str], game_id: str = "") -> Record:
    """The record of a game's events from the first on; every player's name is put on one line.

    It holds the server's seeds, so none may be shown of a game that is not over (R-142).
    """
    started: GameStarted | None = None
    rounds: list[Round] = []
    dealt: RoundStarted | None = None
    seal: Seal | None = None
    next_seal: Seal | None = None
    drawn: list[int] = []
    plays: list[tuple[int, int, str, bool]] = []
    quits: list[tuple[int, int, str]] = []

    def close() -> None:
        if dealt is not None:
            rounds.append(
                Round(
                    dealt.opener,
                    dealt.opener_by,
                    dealt.lot,
                    dealt.hands,
                    tuple(drawn),
                    len(dealt.boneyard) - len(drawn),
                    tuple(plays),
                    seal,
                    dealt.seat_seeds,
                    tuple(quits),
                )
            )

    for event in events:
        match event:
            case GameStarted():
                started, next_seal = event, event.seal
            case RoundStarted():
                close()
                seal, next_seal = next_seal, event.next_seal
                # Who left before the first deal is told with it.
                dealt, drawn, plays, quits = event, [], [], [] if dealt else quits
            case TileDrawn():
                drawn.append(event.tile)
            case TilePlayed():
                plays.append((event.seat, event.tile, event.end, event.expired))
            case SeatQuit():
                quits.append((len(plays) if dealt else -1, event.seat, _one_line(event.bot.name)))
    close()
    if started is None:
        raise ValueError("a record begins with GameStarted")
    names = tuple(map(_one_line, players))
    return Record(started.variant, started.seats, started.turn_ms, names, tuple(rounds), game_id)


def _one_line(name: str) -> str:
    return " ".join(name.split())


def replay(record: Record) -> tuple[Event, ...]:
    """The events of a record, made by the rules again; times are 0. Raises NotationError if they forbid it."""
    state: GameState | None = None
    events: list[Event] = []

    def carry_out(made: tuple[Event, ...] | Rejection, what: str) -> None:
        nonlocal state
        if isinstance(made, Rejection):
            raise NotationError(f"{what}: the rules refuse it: {made.reason}")
        for event in made:
            events.append(event)
            state = evolve(state, event)

    def quit(played: Round, after: int) -> None:
        for at, seat, name in played.quits:
            if at != after:
                continue
            if seat not in staying:
                raise NotationError(f"quit {seat}: there is no such seat, or it was left before")
            staying.remove(seat)
            # Its id is not told. No two bots are the same one, whatever their names.
            carry_out(decide(state, QuitSeat(seat, (Bot(f"bot-{seat}", name),)), 0), f"quit {seat}")

    staying = set(range(record.seats))
    seals = [*(played.seal for played in record.rounds), None, None]
    carry_out(decide(None, StartGame(record.variant, record.seats, record.turn_ms, seals[0]), 0), "the start")
    for number, played in enumerate(record.rounds, start=1):
        assert state is not None
        if state.phase is not DEALING:
            raise NotationError(f"round {number}: no deal is due")
        quit(played, -1)
        known = [*(tile for hand in played.hands for tile in hand), *played.drawn]
        # What nobody ever drew cannot matter, so any order will do.
        order = (*known, *(tile for tile in tile_order(state) if tile not in known))
        lot_seat = played.opener if played.opener_by == "lot" else None
        try:
            start = StartRound(order, lot_seat, played.lot, played.seat_seeds, seals[number])
            carry_out(decide(state, start, 0), f"round {number}")
        except ValueError as wrong:
            raise NotationError(f"round {number}: {wrong}") from None
        for before, (seat, placed, end, expired) in enumerate(played.plays):
            quit(played, before)
            what = f"round {number}, {seat}:{NAMES[placed]}@{end}"
            carry_out(decide(state, ExpireTurn() if expired else PlayTile(seat, placed, end), 0), what)
        quit(played, len(played.plays))
    made_again = record_of(events, record.players).rounds
    for number, (told, made) in enumerate(zip(record.rounds, made_again, strict=True), start=1):
        for fact in Round.__struct_fields__:
            if getattr(told, fact) != getattr(made, fact):
                raise NotationError(f"round {number}: its `{fact}` does not follow from the rest by the rules")
    return tuple(events)


def print_record(record: Record) -> str:
    """The record as text, one fact a line."""
    lines = [
        f"variant {to_json(record.variant).decode()}",
        f"seats {record.seats}",
        f"turn-ms {record.turn_ms}",
        *([f"game {record.game_id}"] if record.game_id else []),
        *(f"player {seat} {name}" for seat, name in enumerate(record.players)),
    ]
    events = iter(replay(record))
    state: GameState | None = None
    moves: list[str] = []
    for event in events:
        state = evolve(state, event)
        match event:
            case RoundStarted():
                played = record.rounds[event.round - 1]
                lines += ["", f"round {event.round}", *_sealed(played, event.engine_tile)]
                lines += [f"opener {event.opener} {event.opener_by}"]
                lines += [f"lot {print_tiles(draw)}" for draw in event.lot]
                lines += [f"hand {seat} {print_tiles(hand)}" for seat, hand in enumerate(event.hands)]
                drawn = " ".join(filter(None, [print_tiles(played.drawn), f"?x{played.undrawn}"]))
                lines += [f"boneyard {drawn}"]
                moves = []
            case TilePlayed():
                moves.append(f"{event.seat}:{NAMES[event.tile]}@{event.end}{'!' * event.expired}")
            case TileDrawn():
                moves.append(f"{event.seat}+{NAMES[event.tile]}")
            case TurnPassed():
                moves.append(f"{event.seat}-")
            case SeatQuit():
                lines += [*_wrapped("moves", moves), f"quit {event.seat} {event.bot.name}"]
                moves = []
            case RoundEnded():
                lines += _wrapped("moves", moves)
                moves = []
                lines += [f"end {event.reason} scores {' '.join(map(str, event.scores))}"]
            case GameEnded():
                lines += ["", f"winner {event.winner_side}"]
            case TurnStarted() | SeedGiven():
                pass
    return "\n".join(lines + _wrapped("moves", moves)) + "\n"


def parse_record(text: str) -> Record:
    """The record that `text` holds. Raises NotationError, which names the line."""
    return _Parser().parse(text)


def _sealed(played: Round, engine_tile: int | None) -> list[str]:
    """What is needed to check a deal without the rules."""
    if played.seal is None:
        return []
    lines = [f"commitment {played.seal.commitment.hex()}", f"server-seed {played.seal.seed.hex()}"]
    lines += [f"seat-seeds {' '.join(seed.hex() or '-' for seed in played.seat_seeds)}"]
    return lines + ([f"engine-tile {NAMES[engine_tile]}"] if engine_tile is not None else [])


def _wrapped(word: str, moves: list[str], per_line: int = 12) -> list[str]:
    return [f"{word} {' '.join(moves[at : at + per_line])}" for at in range(0, len(moves), per_line)]


_PLAY = re.compile(r"(\d):(\d+-\d+)@([-LRUDM0-7])(!?)")
_AUTOMATIC = re.compile(r"\d(\+\d+-\d+|-)")


def _play(word: str) -> tuple[int, int, str, bool]:
    match = _PLAY.fullmatch(word)
    if match is None:
        raise NotationError(f"{word!r} is no play; a play is seat:a-b@end")
    return int(match[1]), parse_tiles(match[2])[0], match[3], bool(match[4])


def _numbered(rest: str, expected: int) -> str:
    """What follows the number of a player, round or hand; they are counted without gaps."""
    number, _, rest = rest.partition(" ")
    if number != str(expected):
        raise NotationError(f"{number!r} is not the number that is due, {expected}")
    return rest


class _Parser:
    """Reads line by line; each word that may begin a line has a method."""

    def __init__(self) -> None:
        self._variant: Variant | None = None
        self._seats = 0
        self._turn_ms = 0
        self._players: list[str] = []
        self._game_id = ""
        self._rounds: list[dict[str, Any]] = []
        self._early_quits: list[tuple[int, int, str]] = []

    def parse(self, text: str) -> Record:
        number = 0
        for number, line in enumerate(text.splitlines(), start=1):
            word, _, rest = line.strip().partition(" ")
            if not word:
                continue
            read = getattr(self, f"_read_{word.replace('-', '_')}", None)
            try:
                if read is None:
                    raise NotationError(f"{word!r} begins no line of a record")
                read(rest)
            except ValueError as wrong:
                raise NotationError(f"line {number}: {wrong}") from None
        if self._variant is None:
            raise NotationError("line 1: a record begins with its variant")
        problem = check(self._variant, self._seats)
        if problem is not None:
            raise NotationError(f"line 1: {problem.message} ({problem.rule})")
        for at, one in enumerate(self._rounds, start=1):
            if "opener" not in one:
                raise NotationError(f"line {number}: round {at} ends without its opener")
        rounds = tuple(msgspec.convert(one, Round) for one in self._rounds)
        return Record(self._variant, self._seats, self._turn_ms, tuple(self._players), rounds, self._game_id)

    def _read_variant(self, rest: str) -> None:
        try:
            data = msgspec.json.decode(rest, type=dict[str, object])
        except msgspec.MsgspecError as wrong:
            raise NotationError(f"the variant is no JSON object: {wrong}") from None
        variant = from_mapping(str(data.pop("key", "")), data)
        if isinstance(variant, Invalid):
            raise NotationError(variant.message)
        self._variant = variant

    def _read_seats(self, rest: str) -> None:
        self._seats = int(rest)

    def _read_turn_ms(self, rest: str) -> None:
        self._turn_ms = int(rest)

    def _read_game(self, rest: str) -> None:
        self._game_id = rest

    def _read_player(self, rest: str) -> None:
        self._players.append(_numbered(rest, len(self._players)))

    def _read_round(self, rest: str) -> None:
        _numbered(rest, len(self._rounds) + 1)
        empty: dict[str, Any] = dict.fromkeys(("lot", "hands", "drawn", "plays", "seat_seeds", "quits"), ())
        self._rounds.append({**empty, "undrawn": 0})
        self._add("quits", *self._early_quits)
        self._early_quits = []

    def _round(self) -> dict[str, Any]:
        if not self._rounds:
            raise NotationError("no round has begun")
        return self._rounds[-1]

    def _read_opener(self, rest: str) -> None:
        seat, by = rest.split()
        self._round().update(opener=int(seat), opener_by=by)

    def _add(self, key: str, *values: object) -> None:
        self._round()[key] += values

    def _read_commitment(self, rest: str) -> None:
        self._round()["seal"] = Seal(b"", bytes.fromhex(rest))

    def _read_server_seed(self, rest: str) -> None:
        bound = self._round().get("seal") or Seal(b"", b"")
        self._round()["seal"] = Seal(bytes.fromhex(rest), bound.commitment)

    def _read_seat_seeds(self, rest: str) -> None:
        self._add("seat_seeds", *(bytes.fromhex(seed) if seed != "-" else b"" for seed in rest.split()))

    def _read_engine_tile(self, rest: str) -> None:
        """The engine tile follows from the round (R-69)."""

    def _read_lot(self, rest: str) -> None:
        self._add("lot", parse_tiles(rest))

    def _read_hand(self, rest: str) -> None:
        self._add("hands", parse_tiles(_numbered(rest, len(self._round()["hands"]))))

    def _read_boneyard(self, rest: str) -> None:
        drawn, _, undrawn = rest.rpartition("?x")
        self._add("drawn", *parse_tiles(drawn))
        self._round()["undrawn"] = int(undrawn)

    def _read_moves(self, rest: str) -> None:
        # Draws and passes follow from the plays; they are there for the reader.
        words = rest.split()
        self._add("plays", *(_play(word) for word in words if not _AUTOMATIC.fullmatch(word)))

    def _read_quit(self, rest: str) -> None:
        seat, _, name = rest.partition(" ")
        if self._rounds:
            self._add("quits", (len(self._round()["plays"]), int(seat), name))
        else:
            self._early_quits.append((-1, int(seat), name))

    def _read_end(self, rest: str) -> None:
        """The end of a round follows from its plays."""

    def _read_winner(self, rest: str) -> None:
        """So does the winner."""
