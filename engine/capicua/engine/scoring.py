"""What plays and ends of rounds are worth, who won, and whether the game is over (R-15, R-21 to R-30, R-61 to R-68)."""

from __future__ import annotations

from capicua.engine.events import Bonus, RoundEnded, TilePlayed
from capicua.engine.line import Line
from capicua.engine.state import GameState, added
from capicua.engine.tiles import DOUBLE, FITTING, TOTAL
from capicua.engine.variant import Award, InPlay, Variant

DOUBLE_BLANK = 0


def points_of(in_play: InPlay, count: int) -> int:
    """Points of a play that leaves `count` (R-24, R-55)."""
    if count == 0:
        return 0
    quotient = in_play.count == "quotient"
    return sum(count // divisor if quotient else count for divisor in in_play.divisors if count % divisor == 0)


def score_play(state: GameState, tile: int, end: str, count: int, expired: bool) -> TilePlayed:
    """The event of a legal play by the seat to act, which leaves `count`, with its points (R-61, R-63)."""
    variant, seat = state.standing.setup.variant, state.turn
    points = points_of(variant.in_play, count) if variant.in_play.divisors else 0
    out_point = 0
    if variant.target.kind == "exact":
        if state.hands[seat] == 1 << tile and variant.end_score.domino.value == "win":
            out_point = 1
        if state.scores[state.setup.side(seat)] + points + out_point > target_of(state):
            return TilePlayed(seat, tile, end, count, voided=points + out_point, expired=expired)
    return TilePlayed(seat, tile, end, count, points, 0, out_point, expired)


def target_of(state: GameState) -> int:
    """The target at this number of seats."""
    setup = state.standing.setup
    return setup.variant.target.value[setup.seats]


def meets_target(state: GameState, side: int) -> bool:
    """Whether a side's score ends the game at once (R-62, R-63)."""
    score, target = state.scores[side], target_of(state)
    return score == target if state.variant.target.kind == "exact" else score >= target


def pips_of(variant: Variant, tiles: tuple[int, ...]) -> int:
    """Pips left in a hand (R-11, R-78)."""
    pips = sum([TOTAL[tile] for tile in tiles]) if tiles else 0
    if variant.trains is not None and DOUBLE_BLANK in tiles:
        pips += variant.trains.double_blank_pips
    return pips


def fits_both_ends(state: GameState, tile: int) -> bool:
    """Whether a single fits L and R (capicúa, R-30)."""
    if not isinstance(state.layout, Line) or DOUBLE[tile] or not state.layout.placements:
        return False
    left, right = state.layout.open[:2]
    return bool(FITTING[left] >> tile & FITTING[right] >> tile & 1)


def end_round(before: GameState, state: GameState, reason: str, played: TilePlayed | None) -> RoundEnded:
    """The end of a round at `state`; `before` is the state that the last play `played` was made in."""
    standing = state.standing
    setup = standing.setup
    variant = setup.variant
    revealed = tuple(map(state.tiles_of, range(setup.seats)))
    pips = tuple([pips_of(variant, tiles) for tiles in revealed])
    winner = _winner(state, reason, pips)
    winner_side = None if winner is None else setup.side(winner)
    line = isinstance(state.layout, Line)
    raw: int | None = None
    awarded: int | None = 0 if line else None
    bonuses: tuple[Bonus, ...] = ()
    scores, reset = standing.scores, False
    award = variant.end_score.domino if reason == "domino" else variant.end_score.block
    if award.value == "own_pips_penalty":
        scores = tuple(score + own for score, own in zip(scores, pips, strict=True))
    elif winner_side is not None:
        raw = raw_award(award, _by_side(state, pips)[winner_side], sum(pips))
        points = rounded(award, raw)
        if variant.target.kind == "exact" and reason == "domino" and award.value == "win":
            # Already part of the last play, or void with it.
            awarded = played.out_point if played is not None else 0
        elif variant.target.kind == "shutout":
            reset = any(score for side, score in enumerate(scores) if side != winner_side)
            awarded = 0 if reset else points
            scores = (0,) * len(scores) if reset else added(scores, winner_side, points)
        else:
            if reason == "domino" and played is not None:
                bonuses = _bonuses(before, played.tile)
            total = points + sum([bonus.points for bonus in bonuses]) if bonuses else points
            if variant.target.kind == "exact" and scores[winner_side] + total > target_of(state):
                points, total, bonuses = 0, 0, ()
            awarded = points
            scores = added(scores, winner_side, total)
    next_seat, next_rule = next_opener(state, winner, reset)
    tie = line and reason == "block" and winner is None
    return RoundEnded(
        reason,
        tie,
        winner,
        winner_side,
        state.last_mover,
        revealed,
        pips,
        raw,
        awarded,
        bonuses,
        reset,
        scores,
        next_seat,
        next_rule,
    )


def game_winner(state: GameState, scores: tuple[int, ...]) -> int | None:
    """The side that has won the game once a round has ended with `scores`; None if it goes on (R-65 to R-68)."""
    target, kind = target_of(state), state.standing.setup.variant.target.kind
    if kind == "rounds_lowest":
        best = min(scores)
        over = state.round >= target and scores.count(best) == 1
    else:
        best = max(scores)
        over = (best == target if kind == "exact" else best >= target) and scores.count(best) == 1
    return scores.index(best) if over else None


def next_opener(state: GameState, winner: int | None, reset: bool) -> tuple[int | None, str | None]:
    """Who opens the next round: a seat, or the rule that will find one (R-20 to R-22)."""
    opener = state.standing.setup.variant.opener
    how = opener.next if winner is not None else opener.after_tie
    if reset or how == "first_rule":
        return None, opener.first
    if how == "winner":
        return winner, None
    return ((state.opener + 1) % state.seats if how == "rotate" else state.opener), None


def _winner(state: GameState, reason: str, pips: tuple[int, ...]) -> int | None:
    """The winning seat (R-21, R-25 to R-29); None if nobody won."""
    if reason == "domino":
        return state.last_mover
    if reason == "target":
        return None
    setup = state.standing.setup
    side: int
    match setup.variant.block_winner:
        case "none":
            return None
        case "last_mover":
            side = setup.side(state.last_mover)
        case "lowest_side":
            by_side = _by_side(state, pips)
            lowest = min(by_side)
            if by_side.count(lowest) > 1:
                return None
            side = by_side.index(lowest)
        case "lowest_hand":
            from_last = [(state.last_mover + step) % state.seats for step in range(state.seats)]
            low = [seat for seat in from_last if pips[seat] == min(pips)]
            return low[0] if len({setup.side(seat) for seat in low}) == 1 else None
        case "leader":
            side = _leader(state)
    if not setup.pairs:
        return side
    # Partners sit in turn, so either the last mover is of that side or the seat after it.
    last = state.last_mover
    return last if setup.side(last) == side else (last + 1) % state.seats


def _leader(state: GameState) -> int:
    """The side with the highest score, then with fewer tiles, then the one that moved last (R-28)."""
    setup = state.setup
    tiles = _by_side(state, state.hand_sizes)
    assert state.layout is not None
    moved = [0] * setup.sides
    for number, (seat, _, _) in enumerate(state.layout.placements, start=1):
        moved[setup.side(seat)] = number
    return max(range(setup.sides), key=lambda side: (state.scores[side], -tiles[side], moved[side]))


def _by_side(state: GameState, by_seat: tuple[int, ...]) -> tuple[int, ...]:
    """Sums of the partners' values; without pairs the values themselves (R-14)."""
    return (by_seat[0] + by_seat[2], by_seat[1] + by_seat[3]) if state.standing.setup.pairs else by_seat


def raw_award(award: Award, own: int, every: int) -> int:
    """What a won round is worth before it is rounded, from the pips left to the winning side and to all (R-15)."""
    match award.value:
        case "win":
            return 1
        case "others":
            return every - own
        case "others_minus_own":
            return every - 2 * own
        case "all":
            return every
        case _:
            return 0


def rounded(award: Award, points: int) -> int:
    """Points as the award rounds them (R-23)."""
    if award.round == "nearest5":
        return (points + 2) // 5 * 5
    return points // 5 * 5 if award.round == "down5" else points


def _bonuses(before: GameState, tile: int) -> tuple[Bonus, ...]:
    """R-30: 0-0 is chuchazo, never capicúa (R-132)."""
    worth = before.standing.setup.variant.bonus
    if tile == DOUBLE_BLANK:
        return (Bonus("chuchazo", worth.chuchazo),) if worth.chuchazo else ()
    return (Bonus("capicua", worth.capicua),) if worth.capicua and fits_both_ends(before, tile) else ()
