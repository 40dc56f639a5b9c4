"""Positions of Stege that come from a text: what is wrong with them, and working out their sets."""

from collections.abc import Iterator

from threespan.core.layout import State, refuse
from threespan.games.stege import rules
from threespan.games.stege.fields import has
from threespan.games.stege.jetties import fits_elsewhere, gives_jetty, has_jetty, jetty_field
from threespan.games.stege.notation import STONE_NAMES, place_text, spot_text
from threespan.games.stege.state import (
    ALONE,
    FIELDS,
    HOME,
    ISLAND,
    JETTY,
    MAX_TURNS,
    NONE,
    PASSING_ROUNDS,
    PLACES,
    STONES,
    UNEVEN_PLAYERS,
    WIDTH,
    TurnStep,
)
from threespan.games.stege.stones import stones_home

_BEFORE_MOVING = (TurnStep.START, TurnStep.LAY)
_ROLLED = (TurnStep.JETTY, TurnStep.PLACE, TurnStep.STONE, TurnStep.AGAIN)


def refresh(state: State) -> None:
    """Work out the derived fields; raises PositionError where the played ones contradict each other."""
    refuse(complaints(state))
    rules.refresh(state)
    refuse(_complaints_about_room(state))


def complaints(state: State) -> Iterator[str]:
    """Every reason why the played fields contradict each other."""
    players = sum(int(corner != NONE) for corner in state.corner)
    if state.players != players:
        yield f"{state.players} players, but the match has {players}"
    if state.turn >= players:
        yield f"turn: there is no seat {state.turn}"
    for seat in range(players, len(state.corner)):
        if state.in_hand[seat] or any(state.stone[seat]):
            yield f"seat {seat} is empty but has jetties or stones"
    yield from _jetty_complaints(state, players)
    yield from _stone_complaints(state, players)
    yield from _moment_complaints(state, players)


def _jetty_complaints(state: State, players: int) -> Iterator[str]:
    places = [place for place in range(PLACES) if has_jetty(state, place)]
    covered: set[int] = set()
    in_the_air = [] if state.taken == NONE else [int(state.taken)]
    for place in places + in_the_air:
        is_down = place >= FIELDS
        fields = {jetty_field(place, index) for index in range(JETTY)}
        is_over_edge = place % FIELDS // WIDTH > WIDTH - JETTY if is_down else place % WIDTH > WIDTH - JETTY
        if is_over_edge or not all(has(state.water, field) for field in fields):
            yield f"the jetty {place_text(place)} does not lie in the water"
        if covered & fields:
            yield f"the jetty {place_text(place)} lies on another one"
        covered |= fields
    in_hand = [int(count) for count in state.in_hand[:players]]
    if len(places) + len(in_the_air) + sum(in_hand) > players * state.jetties_each:
        yield f"more than {players * state.jetties_each} jetties"
    if max(in_hand) > state.jetties_each:
        yield f"in_hand: nobody has more than {state.jetties_each} jetties"
    if state.step == TurnStep.START and min(in_hand) < state.jetties_each:
        yield "before the start everybody has all jetties in hand"
    if state.step == TurnStep.LAY:
        # In turn: those who are still to lay in this round have one more than those who have laid.
        order = [in_hand[(state.turn + offset) % players] for offset in range(players)]
        if order[0] == 0 or order != sorted(order, reverse=True) or order[0] - order[-1] > 1:
            yield "in_hand: the jetties are not laid in turn"
    if state.step > TurnStep.LAY and any(in_hand):
        yield "in_hand: nobody moves before all jetties lie"


def _stone_complaints(state: State, players: int) -> Iterator[str]:
    covered = {
        jetty_field(place, index) for place in range(PLACES) if has_jetty(state, place) for index in range(JETTY)
    }
    seen: set[int] = set()
    for seat in range(players):
        for stone in range(STONES):
            spot = int(state.stone[seat, stone])
            if spot in (ISLAND, HOME):
                continue
            name = f"stone {STONE_NAMES[stone]} of seat {seat}"
            if spot not in covered:
                yield f"{name} stands at {spot_text(spot)}, where no jetty lies"
            if spot in seen:
                yield f"{name} stands on another stone at {spot_text(spot)}"
            seen.add(spot)
    moved = [(seat, stone) for seat in range(players) for stone in range(STONES) if state.stone[seat, stone] != ISLAND]
    has_head_start = players == UNEVEN_PLAYERS and moved == [(ALONE, 0)] and state.stone[ALONE, 0] == HOME
    if state.step in _BEFORE_MOVING and moved and not has_head_start:
        yield "stones leave their island only when all jetties lie"


def _moment_complaints(state: State, players: int) -> Iterator[str]:
    step = TurnStep(state.step)
    is_won = any(stones_home(state, seat) == STONES for seat in range(players))
    is_stopped = state.turns >= MAX_TURNS * players or state.passes >= PASSING_ROUNDS * players
    if (step is TurnStep.OVER) != (is_won or is_stopped):
        yield "the match is over exactly when somebody has all stones home or the turns are used up"
    if step in _BEFORE_MOVING and state.turns:
        yield "turns: nobody has moved yet"
    if (step in _ROLLED) != (state.die > 0):
        yield "die: there is a roll exactly when a player is to use it"
    if not (state.rolls < state.max_rolls if step is TurnStep.ROLL else (state.rolls > 0) == (state.die > 0)):
        yield "rolls: their number does not fit the step"
    if step in (TurnStep.JETTY, TurnStep.PLACE) and not gives_jetty(state.die):
        yield "step: only a 1 or a 6 moves a jetty"
    if step is TurnStep.STONE and state.rolls > 1 and not gives_jetty(state.die):
        yield "step: of the extra rolls only a 1 or a 6 counts"
    if step is TurnStep.AGAIN and (state.rolls < 2 or gives_jetty(state.die)):
        yield "step: a roll that counts cannot be rolled again"
    if state.rolls > state.max_rolls:
        yield f"rolls: a turn has {state.max_rolls} at most"
    if state.passes and not state.may_pass:
        yield "passes: nobody may pass who can move"
    if state.passes > state.turns:
        yield "passes: there were not so many turns"
    if state.passes == NONE and not (step is TurnStep.STONE and gives_jetty(state.die)):
        yield "passes: this turn cannot have moved a jetty"
    if (step is TurnStep.PLACE) != (state.taken != NONE):
        yield "taken: a jetty is taken and then laid"


def _complaints_about_room(state: State) -> Iterator[str]:
    """What can be told only once the derived sets are there."""
    if state.step == TurnStep.PLACE and not fits_elsewhere(state, state.taken):
        yield f"taken: the jetty {place_text(int(state.taken))} fits nowhere else"
