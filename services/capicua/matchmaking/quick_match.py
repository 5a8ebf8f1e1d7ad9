"""Quick match: from everybody's wish to a seat."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import structlog

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.table_service_pb2 import Assignment, QuickMatchRequest, Waiting
from capicua.api.v1.types_pb2 import GameOptions, Seat, TableOptions
from capicua.api.v1.update_pb2 import Refusal
from capicua.internal.v1.game_actor_service_pb2 import CreateGameRequest
from capicua.matchmaking.friends import Friends, Word
from capicua.matchmaking.pairing import Kind, Party, Table, Ticket
from capicua.matchmaking.pools import Pools
from capicua.matchmaking.seating import game_of, in_order
from capicua.matchmaking.waits import Waits
from capicua.matchmaking.wish import Wishes, strengths
from capicua.runtime.clock import Clock
from capicua.runtime.ids import new_id
from capicua.runtime.ports import GameActor, TicketTold
from capicua.runtime.refusals import refusal, short_name
from capicua.store.ratings import Ratings

log = structlog.get_logger()

OPEN = TableOptions(public=True, spectators=True)
"""Whoever plays with strangers may be watched by strangers."""
TELL_SECONDS = 0.1
"""Those who wait are told how it stands no more often, and nothing if they are seated sooner."""
TOLD_AT_ONCE = 100
"""The more of them there are beyond this number, the more seldom."""
TAPS_SECONDS = 1.0
"""A player who asks again so soon after being seated has tapped twice, and gets the same seat."""
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.1, 2.0
"""Between asking again for a game of which nobody knows whether it was made."""
UNSURE_SECONDS = 0.1
"""Who is not sure to be the owner looks again after this time."""
AT_ONCE = 300
"""Players asked about, and games asked for, at the same time: thousands that come at once must not hold up the signs
of life of this process, or of game-actors, for so long that they are taken for dead."""
SETTLE_SECONDS = 2.0
"""Who gives the tickets away waits no longer for games that are about to begin."""
Seated = dict[str, Assignment] | Refusal


@dataclass(slots=True, eq=False)
class Waiter:
    """One who waits."""

    player: Seat
    told: TicketTold
    ticket: Ticket
    word: Word | None
    party: Party | None = None
    """None while the friend is missing."""


class QuickMatch:
    """The pools, and what each waiting player is told."""

    def __init__(self, actor: GameActor, ratings: Ratings, clock: Clock, bot_fill_seconds: float) -> None:
        self._actor = actor
        self._ratings = ratings
        self._clock = clock
        self._bot_fill_ms = round(bot_fill_seconds * 1000)
        self.sure: Callable[[], bool] = lambda: True
        """Whether nobody else can be the owner of the tickets now, or for a moment."""
        self._asking, self._making = asyncio.Semaphore(AT_ONCE), asyncio.Semaphore(AT_ONCE)
        self._wishes = Wishes(actor)
        self._ours = False
        self._pools = Pools(self._bot_fill_ms)
        self._friends = Friends()
        self._waits = Waits()
        self._waiting: dict[str, Waiter] = {}
        self._newest: dict[str, TicketTold] = {}
        self._starting: dict[str, asyncio.Task[Seated]] = {}
        self._alarms: dict[bytes, asyncio.TimerHandle] = {}
        self._stale: set[bytes] = set()
        """Keys of the pools whose people do not know how they stand."""
        self._friendless: set[Waiter] = set()
        """Those of parties that are not complete who do not know it."""
        self._telling: asyncio.TimerHandle | None = None
        self._told = 0.0
        """When they were told last (loop time)."""

    def __len__(self) -> int:
        return len(self._waiting)

    async def enqueue(
        self,
        player: Seat,
        request: QuickMatchRequest,
        told: TicketTold,
        waited_ms: int = 0,
        decided: CreateGameRequest | None = None,
    ) -> Callable[[], None] | Refusal:
        """Queue the player, whose older ticket ends with SUPERSEDED, or make the game that was decided elsewhere.

        The result cancels. UNAVAILABLE before `take`.
        """
        player_id, queued_ms = player.player_id, self._clock() - waited_ms
        if decided is not None:
            async with self._making:
                told(await self._make(decided) or _seat_in(decided, player_id))
            return lambda: None
        self._newest[player_id] = told
        try:
            async with self._asking:
                games = await self._wishes.games(request)
                if isinstance(games, Refusal):
                    return games
                mu = await strengths(self._ratings, player_id, games)
            if same := await self._seat_of_before(player_id):
                told(same)
                return lambda: None
            if self._newest.get(player_id) is not told:
                return _superseded()
            if not self._ours:
                # Who is told so asks again at the next owner; whoever were seated here now would be seated there too.
                return _moved()
        finally:
            if self._newest.get(player_id) is told:
                del self._newest[player_id]
        ticket = Ticket(player_id, queued_ms, tuple(game.kind for game in games), request.any_target, mu)
        word = Word(request.party, ticket.kinds, ticket.any_target) if request.party else None
        waiter = Waiter(player, told, ticket, word)
        return self._admit(waiter) or partial(self._cancel, waiter)

    def take(self) -> None:
        """Be the owner of all tickets."""
        self._ours = True

    def drop(self) -> None:
        """Send everybody who waits, and who comes, to the next owner of the tickets."""
        self._ours, waiting = False, self._waiting
        for alarm in (*self._alarms.values(), *filter(None, [self._telling])):
            alarm.cancel()
        self._pools, self._friends, self._waiting = Pools(self._bot_fill_ms), Friends(), {}
        self._alarms, self._stale, self._friendless, self._telling = {}, set(), set(), None
        for waiter in waiting.values():
            waiter.told(_moved())

    async def settled(self) -> None:
        """Wait until every game that was about to begin has begun, or cannot be made now."""
        if starting := set(self._starting.values()):
            await asyncio.wait(starting, timeout=SETTLE_SECONDS)

    # Coming and going.

    def _admit(self, waiter: Waiter) -> Refusal | None:
        ticket, word = waiter.ticket, waiter.word
        extra = self._friends.one_too_many(word, ticket) if word else None
        if extra is ticket:
            return _party_full()
        if older := self._waiting.get(ticket.player_id):
            self._leave(older)
            older.told(_superseded())
        if extra:
            left_over = self._waiting[extra.player_id]
            self._leave(left_over)
            left_over.told(_party_full())
        self._waiting[ticket.player_id] = waiter
        if word:
            self._friends.add(word, ticket)
        together = self._friends.of(word) if word else (ticket,)
        if word is None or len(together) == 2:
            party = Party(together)
            for each in together:
                self._waiting[each.player_id].party = party
            self._pools.add(party)
        else:
            self._friendless.add(waiter)
        self._pair()
        return None

    def _cancel(self, waiter: Waiter) -> None:
        if self._waiting.get(waiter.ticket.player_id) is waiter:
            self._leave(waiter)
            self._pair()

    def _leave(self, waiter: Waiter) -> None:
        del self._waiting[waiter.ticket.player_id]
        if waiter.word:
            self._friends.remove(waiter.word, waiter.ticket)
        if waiter.party:
            self._pools.remove(waiter.party)
            for friend in (self._waiting[each.player_id] for each in waiter.party.tickets if each is not waiter.ticket):
                friend.party = None
                self._friendless.add(friend)

    async def _seat_of_before(self, player_id: str) -> Assignment | None:
        task = self._starting.get(player_id)
        seated = await asyncio.shield(task) if task else {}
        if isinstance(seated, Refusal) or player_id not in seated:
            return None
        held = {seat.game_id for seat in await self._actor.seats_of(player_id)}
        return seated[player_id] if seated[player_id].game_id in held else None

    # Pairing.

    def _pair(self) -> None:
        """Seat whoever may sit down in the pools that have changed, and look at them again when it is time."""
        loop = asyncio.get_running_loop()
        while self._pools.changed:
            # Who is slow may have been taken for dead, and others may be seating the same people.
            key, sure = self._pools.next_changed(), self.sure()
            while sure and (tables := self._pools.pop_tables(key, self._clock())):
                for table in tables:
                    self._seat(table)
            if alarm := self._alarms.pop(key, None):
                alarm.cancel()
            if pool := self._pools.get(key):
                # Rung again as long as somebody waits: the loop's clock and ours may differ by a little.
                wait = max(1, (pool.due_ms() or 0) - self._clock()) / 1000 if sure else UNSURE_SECONDS
                self._alarms[key] = loop.call_later(wait, self._look, key)
                self._stale.add(key)
        if (self._stale or self._friendless) and self._telling is None:
            pause = TELL_SECONDS * (1 + len(self) // TOLD_AT_ONCE)
            self._telling = loop.call_later(max(0.0, self._told + pause - loop.time()), self._tell)

    def _look(self, key: bytes) -> None:
        self._pools.touch(key)
        self._pair()

    def _seat(self, table: Table) -> None:
        now = self._clock()
        people = [self._waiting.pop(player_id) if player_id else None for player_id in in_order(table)]
        waiters = [waiter for waiter in people if waiter]
        for waiter in waiters:
            if waiter.word:
                self._friends.remove(waiter.word, waiter.ticket)
        self._waits.seated(table.kind.key, (now - party.queued_ms for party in table.parties), now)
        task = asyncio.ensure_future(self._start(table.kind, people))
        ids = [waiter.ticket.player_id for waiter in waiters]
        self._starting |= dict.fromkeys(ids, task)
        later = asyncio.get_running_loop().call_later
        task.add_done_callback(lambda started: later(TAPS_SECONDS, self._forget, ids, started))

    def _forget(self, player_ids: list[str], task: asyncio.Task[Seated]) -> None:
        for player_id in player_ids:
            if self._starting.get(player_id) is task:
                del self._starting[player_id]

    async def _start(self, kind: Kind, people: Sequence[Waiter | None]) -> Seated:
        players = [waiter.player if waiter else None for waiter in people]
        game = game_of(new_id("g"), new_id("t"), players, GameOptions.FromString(kind.key), OPEN)
        waiters = [waiter for waiter in people if waiter]
        async with self._making:
            refused = await self._decide(game, waiters)
        if refused is not None:
            log.warning("pairing_failed", reason=short_name(refused.reason), players=len(waiters))
        for waiter in waiters:
            waiter.told(refused or _seat_in(game, waiter.ticket.player_id))
        return refused or {waiter.ticket.player_id: _seat_in(game, waiter.ticket.player_id) for waiter in waiters}

    async def _decide(self, game: CreateGameRequest, waiters: list[Waiter]) -> Refusal | None:
        if not (self._ours and self.sure()):
            return _moved()
        for waiter in waiters:
            # Whoever gets the ticket again after our death makes this game, and no other.
            waiter.told(game)
        # What is told leaves in the next turn of the loop, so it is out before the game is asked for.
        await asyncio.sleep(0)
        return await self._make(game)

    async def _make(self, game: CreateGameRequest) -> Refusal | None:
        """Ask for the game until it is known what became of it: in another one its players would sit twice."""
        pause = FIRST_PAUSE_SECONDS
        while refused := await self._actor.create_game(game):
            if refused.reason != reasons.ERROR_REASON_UNAVAILABLE or not self._ours:
                break
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
        return refused

    # Telling.

    def _tell(self) -> None:
        self._telling = None
        pools = [pool for key in self._stale if (pool := self._pools.get(key))]
        parties = dict.fromkeys(party for pool in pools for party in pool)
        waiters = [self._waiting[ticket.player_id] for party in parties for ticket in party.tickets]
        for waiter in dict.fromkeys((*waiters, *self._friendless)):
            if self._waiting.get(waiter.ticket.player_id) is waiter:
                waiter.told(self._news(waiter))
                self._told = asyncio.get_running_loop().time()
        self._stale.clear()
        self._friendless.clear()

    def _news(self, waiter: Waiter) -> Waiting:
        now, party = self._clock(), waiter.party
        if party is None:
            seats, left = max(kind.seats for kind in waiter.ticket.kinds), self._bot_fill_ms
            return Waiting(waiting=1, seats=seats, bot_fill_ms=left, party=1, estimate_ms=left)
        pool = min(self._pools.of(party), key=lambda pool: pool.kind.seats - len(pool))
        fill_ms = pool.fill_ms() if len(pool) <= pool.kind.seats else None
        left = max(0, (fill_ms or party.queued_ms + self._bot_fill_ms) - now)
        likely = self._waits.estimate_ms(pool.kind.key, now - party.queued_ms, now)
        return Waiting(
            waiting=len(pool),
            seats=pool.kind.seats,
            bot_fill_ms=left,
            party=party.size if waiter.word else 0,
            estimate_ms=left if likely is None else min(left, likely),
        )


def _seat_in(game: CreateGameRequest, player_id: str) -> Assignment:
    seat = next(each.seat for each in game.seats if each.player_id == player_id)
    return Assignment(game_id=game.game_id, seat=seat, table_id=game.table_id)


def _superseded() -> Refusal:
    return refusal(reasons.ERROR_REASON_SUPERSEDED, "a newer quick match of yours took over")


def _moved() -> Refusal:
    return refusal(reasons.ERROR_REASON_UNAVAILABLE, "the queue has moved: ask again")


def _party_full() -> Refusal:
    return refusal(reasons.ERROR_REASON_PARTY_FULL, "two others wait with this party word: choose another one")
