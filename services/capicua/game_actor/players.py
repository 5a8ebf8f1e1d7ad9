"""Who sits where: those who began a game, and the bots of the seats that were left since."""

from __future__ import annotations

from capicua.engine import Bot, GameState
from capicua.log.v1 import entry_pb2 as log
from capicua.runtime.ids import BOTS


def players_at(facts: log.GameStarted, state: GameState) -> list[log.Player]:
    """The players at `state`, in seat order."""
    players = list(facts.players)
    for quit in state.standing.quits:
        players[quit.seat] = stored_bot(quit.bot)
    return players


def seats_at(facts: log.GameStarted, state: GameState) -> dict[str, int]:
    """The seat of each player at `state`."""
    return {player.player_id: seat for seat, player in enumerate(players_at(facts, state))}


def people_at(facts: log.GameStarted, state: GameState) -> frozenset[int]:
    """The seats of people at `state`."""
    return frozenset(seat for seat, player in enumerate(players_at(facts, state)) if not player.bot)


def seat_ever(facts: log.GameStarted, state: GameState, player_id: str) -> int | None:
    """The seat that a player holds at `state` or has left; None for everybody else."""
    began = {player.player_id: seat for seat, player in enumerate(facts.players)}
    return (began | seats_at(facts, state)).get(player_id)


def left_since(facts: log.GameStarted, state: GameState, player_id: str, seq: int) -> bool:
    """Whether a player has left a seat after `seq`: of what came between, only spectators' updates can be had."""
    quits = state.standing.quits
    return any(quit.seq > seq and facts.players[quit.seat].player_id == player_id for quit in quits)


def is_bot(facts: log.GameStarted, state: GameState, player_id: str) -> bool:
    """Whether a player holds a seat at `state` and is a bot."""
    return any(player.bot and player.player_id == player_id for player in players_at(facts, state))


def spare_bots(facts: log.GameStarted) -> tuple[Bot, ...]:
    """Bots that did not sit in the game when it began, at least as many as there are people in it."""
    began = {player.player_id for player in facts.players}
    return tuple([Bot(player_id, name) for player_id, name in BOTS if player_id not in began])


def stored_bot(bot: Bot) -> log.Player:
    """A bot as a player is stored."""
    return log.Player(player_id=bot.player_id, name=bot.name, bot=True)
