"""Every decision at a table as a pure function: from the table's state and a request to what follows from it.

Mostly these are events; for actions it is a Play, for a new table its charter, for a hint the query to a bot.

A request that is not allowed raises Refusal (or ActionRefused, for one of several actions) and changes nothing.
`seats` are the seats that the sender's key gives access to.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache

import msgspec

from threespan.bots.names import bot_names_of
from threespan.core.chance import MatchSeed
from threespan.core.errors import UserError
from threespan.core.game import Game, Material
from threespan.core.options import Options, option_values, read_options
from threespan.core.registry import find_game
from threespan.core.rules import CHANCE, WATCHER
from threespan.table.bot_query import BotQuery, observation_bytes, query_for
from threespan.table.drafts import play_own_actions
from threespan.table.events import (
    Acted,
    Charter,
    Ended,
    Joined,
    Rematched,
    Replaced,
    Resigned,
    SeatSetup,
    TableEvent,
    TimedOut,
    UndoAnswered,
    Undone,
    UndoRequested,
)
from threespan.table.match_setup import match_setup
from threespan.table.messages.client import AnswerUndo, End, Hint, Join, PlayMessage, RequestUndo, Resign, StandIn, Undo
from threespan.table.messages.lobby import NewTable
from threespan.table.plays import Play, play_action, trial_copy
from threespan.table.refusals import Refusal
from threespan.table.state import TableState

Seats = tuple[int, ...]

_HINT_LEVEL = "hard"
_MATERIALS_KEPT = 64


# Opening


def new_charter(wanted: NewTable, seed: MatchSeed) -> Charter:
    """The charter of a new table."""
    try:
        game = find_game(wanted.game)
        options = read_options(game.options, {"players": len(wanted.seats)} | wanted.options)
        material = _material_of(game, options)
    except UserError as error:
        raise Refusal("bad_table", reason=error) from None
    _check_seats(wanted, options)
    charter = Charter(
        game=wanted.game,
        options=option_values(options),
        material=material,
        seats=tuple(SeatSetup(s.kind, s.level if s.is_bot else "", clean_name(s.name)) for s in wanted.seats),
        is_public=wanted.is_public,
        clock=wanted.clock,
        secret=seed.secret.hex(),
        salt=seed.salt.hex(),
        rules_version=game.version,
    )
    try:
        match_setup(charter)
    except UserError as error:
        raise Refusal("bad_table", reason=error) from None
    return charter


def _check_seats(wanted: NewTable, options: Options) -> None:
    if options.players != len(wanted.seats):
        raise Refusal("wrong_seats", seats=len(wanted.seats), players=options.players)
    if all(seat.is_bot for seat in wanted.seats):
        raise Refusal("nobody_to_play")
    if not wanted.is_public and any(seat.kind == "open" for seat in wanted.seats):
        raise Refusal("open_is_public")
    if any(seat.is_bot and seat.level not in bot_names_of(wanted.game) for seat in wanted.seats):
        raise Refusal("unknown_bot")


@lru_cache(_MATERIALS_KEPT)
def _material_of(game: Game, options: Options) -> Material:
    """The material for some options, read from its files only once; raises UserError."""
    return game.material(options)


def clean_name(name: str) -> str:
    """A name without control characters or extra spaces."""
    return " ".join("".join(char for char in name if char.isprintable()).split())


def key_groups(charter: Charter) -> list[Seats]:
    """The seats of each key of a new table: one key for everybody at this device, one for each link."""
    here = tuple(seat for seat, setup in enumerate(charter.seats) if setup.kind == "here")
    links = [(seat,) for seat, setup in enumerate(charter.seats) if setup.kind == "link"]
    return [here, *links] if here else [*links]


# Joining


def find_open_seat(state: TableState, reserved: Collection[int]) -> int:
    """A seat of the kind "open" that nobody has joined; keys have been given out for the `reserved` ones."""
    for seat, setup in enumerate(state.charter.seats):
        if setup.kind == "open" and seat not in state.joined and seat not in reserved:
            return seat
    raise Refusal("no_open_seat")


def join(state: TableState, seats: Seats, message: Join) -> list[TableEvent]:
    """Somebody joins; the last one starts the match, and if chance acts first, it does so at once."""
    _check_has_seats(seats)
    if set(seats) & state.joined:
        raise Refusal("already_joined")
    joined = Joined(seats, clean_name(message.name), message.share)
    if len(state.joined | set(seats)) < len(state.seats):
        return [joined]
    # Those who join together have one share, kept under their first seat.
    trial = state.new_match(state.shares | {seats[0]: message.share})
    trial.let_chance_act()
    return [joined, *(Acted(event.seat, event.action_text) for event in trial.events)]


# Playing


def play(state: TableState, seats: Seats, message: PlayMessage) -> Play:
    """A seat plays some actions, all or none, provided that it knew everything that has happened so far."""
    check_may_act_for(state, seats, message.seat)
    if message.notices_seen != len(state.streams[message.seat].entries):
        raise Refusal("stale")
    return _try_out(state, message.seat, message.action_texts)


def bot_answer(state: TableState, query: BotQuery, action_texts: Sequence[str]) -> Play | list[TableEvent]:
    """A bot plays its answer to a query, unless what its seat sees has changed since the query was made."""
    if query.seat not in state.bots_to_move() or observation_bytes(state, query.seat) != query.observation:
        return []
    return _try_out(state, query.seat, action_texts)


def _try_out(state: TableState, seat: int, action_texts: Sequence[str]) -> Play:
    """A seat's actions and those of chance that follow them, on a copy of the match."""
    tried = Play(trial_copy(state.running_match()))
    trial = tried.match

    def act(action: int) -> None:
        tried.results.append(play_action(trial, seat, action, state.streams))

    play_own_actions(trial.position, seat, action_texts, act)
    while tried.results[-1].acting == [CHANCE]:
        tried.results.append(play_action(trial, CHANCE, trial.chance_action(), state.streams))
    return tried


def time_out(state: TableState, now: int) -> list[TableEvent]:
    """Time out the seats whose clocks have run out by `now` (in ms): bots finish their turns."""
    deadlines = [(seat, state.deadline(seat)) for seat in state.acting()]
    return [TimedOut(seat) for seat, deadline in deadlines if deadline is not None and deadline <= now]


# Undo


def undo(state: TableState, seats: Seats, message: Undo) -> list[TableEvent]:
    """A seat undoes what it has played since something new was revealed."""
    check_may_act_for(state, seats, message.seat)
    if not state.undo_rights(message.seat).may_undo:
        raise Refusal("nothing_to_undo")
    return [Undone(message.seat, state.undoable(message.seat))]


def request_undo(state: TableState, seats: Seats, message: RequestUndo) -> list[TableEvent]:
    """A seat asks the others to let it undo its last turn."""
    check_may_act_for(state, seats, message.seat)
    if not state.undo_rights(message.seat).may_request:
        raise Refusal("no_undo_request")
    return [UndoRequested(message.seat)] if state.undo_request != message.seat else []


def answer_undo(state: TableState, seats: Seats, message: AnswerUndo) -> list[TableEvent]:
    """Somebody answers such a request; once all other people agree, the turn is undone."""
    check_owns(seats, message.seat)
    asking = state.undo_request
    if asking is None or message.seat == asking or message.seat not in state.people():
        raise Refusal("no_request_to_answer")
    answered = UndoAnswered(message.seat, message.accepts)
    others = set(state.people()) - {asking}
    if message.accepts and state.accepted | {message.seat} >= others:
        return [answered, Undone(asking, state.undoable(asking))]
    return [answered]


# Bots playing for people


def stand_in(
    state: TableState, seats: Seats, message: StandIn, away_ms: int | None, min_away_ms: int
) -> list[TableEvent]:
    """A bot plays for a person or, with an empty level, the person plays again.

    Others may ask for a bot if the person is away long enough: for `away_ms`, None if they are present.
    """
    _check_has_seats(seats)
    if message.level and message.level not in bot_names_of(state.charter.game):
        raise Refusal("unknown_bot")
    state.check_running()
    if message.seat not in state.seats:
        raise Refusal("no_such_seat")
    if state.charter.seats[message.seat].is_bot:
        raise Refusal("is_a_bot")
    if message.seat not in seats:
        wants_to_play_again = not message.level
        if wants_to_play_again:
            raise Refusal("not_your_seat")
        if away_ms is None or away_ms < min_away_ms:
            raise Refusal("is_present")
    if message.seat in state.resigned:
        raise Refusal("has_resigned")
    return [Replaced(message.seat, message.level)]


def hint(state: TableState, seats: Seats, message: Hint, has_bots: bool) -> BotQuery:
    """The query to a strong bot for a player's hint; only for matches without other people."""
    check_may_act_for(state, seats, message.seat)
    state.check_running()
    if message.seat not in state.acting():
        raise Refusal("not_now")
    if set(state.people()) - set(seats):
        raise Refusal("no_hint")
    if not has_bots:
        raise Refusal("no_bots")
    return query_for(state, message.seat, _HINT_LEVEL)


# Ending a match and rematches


def resign(state: TableState, seats: Seats, message: Resign) -> list[TableEvent]:
    """A person resigns for a seat."""
    check_owns(seats, message.seat)
    state.check_running()
    check_may_act_for(state, seats, message.seat)
    return [Resigned(message.seat)]


def end(state: TableState, seats: Seats, message: End) -> list[TableEvent]:  # noqa: ARG001
    """Stop the match without a result; only if no other people are still playing."""
    _check_may_end(state, seats)
    return [Ended()]


def _check_may_end(state: TableState, seats: Seats) -> None:
    _check_has_seats(seats)
    state.check_running()
    if set(state.people()) - set(seats):
        raise Refusal("others_play")


def rematch_charter(state: TableState, table_id: str, seats: Seats, seed: MatchSeed) -> Charter:
    """The charter of the table for a rematch; a match that is still running may be stopped for it, as by `end`."""
    _check_has_seats(seats)
    if state.status != "over":
        _check_may_end(state, seats)
    setups = zip(state.charter.seats, state.names, strict=True)
    return msgspec.structs.replace(
        state.charter,
        seats=tuple(msgspec.structs.replace(setup, name=name) for setup, name in setups),
        options=option_values(state.options),
        rules_version=state.game.version,
        secret=seed.secret.hex(),
        salt=seed.salt.hex(),
        rematch_of=table_id,
    )


def rematch(state: TableState, seats: Seats, new_table_id: str) -> list[TableEvent]:
    """The people move to a new table, unless they already have one; a match that is still running is ended."""
    if state.rematch:
        return []
    if state.status == "over":
        return [Rematched(new_table_id)]
    _check_may_end(state, seats)
    return [Ended(), Rematched(new_table_id)]


# Permissions


def check_may_view(state: TableState, seats: Seats, viewer: int) -> None:
    """Refuse unless the sender may see the table as `viewer` does: a seat's view is its own until the match is over."""
    is_allowed = viewer == WATCHER or viewer in seats or state.status == "over"
    if not is_allowed or viewer not in state.streams:
        raise Refusal("not_your_seat")


def check_owns(seats: Seats, seat: int) -> None:
    """Refuse anybody but the owner of a seat."""
    if seat not in seats:
        raise Refusal("not_your_seat")


def check_may_act_for(state: TableState, seats: Seats, seat: int) -> None:
    """Refuse unless the sender owns the seat and has not resigned there."""
    check_owns(seats, seat)
    if seat in state.resigned:
        raise Refusal("has_resigned")


def _check_has_seats(seats: Seats) -> None:
    if not seats:
        raise Refusal("not_your_seat")
