"""Tables for tests: opened, joined and played at by plain calls."""

import random
from collections.abc import Callable
from typing import Any

import msgspec

from threespan.core.chance import MatchSeed
from threespan.table import plans
from threespan.table.bot_query import query_for, turn_texts
from threespan.table.events import Charter, SeatSetup, TableEvent, request_key
from threespan.table.messages.client import Join, PlayMessage, Resign
from threespan.table.messages.lobby import NewTable
from threespan.table.plays import Play
from threespan.table.state import TableState

SHARE = "5" * 64


def seat_setup(word: str) -> SeatSetup:
    """The plan of a seat: here, link, open or the level of a bot."""
    return SeatSetup(word) if word in ("here", "link", "open") else SeatSetup("bot", word)  # type: ignore[arg-type]


def wanted(game: str, *seats: str, **values: Any) -> NewTable:
    return NewTable(game=game, seats=[seat_setup(word) for word in seats], **values)


def charter(game: str, *seats: str, seed: str = "1", **values: Any) -> Charter:
    return plans.new_charter(wanted(game, *seats, **values), MatchSeed.of(seed))


class Table:
    """A table without a server: plans are applied at once, at any given time."""

    def __init__(self, game: str, *seats: str, seed: str = "1", **values: Any) -> None:
        self.state = TableState(charter(game, *seats, seed=seed, **values))
        self.now = 1000
        self.rows: list[Any] = []

    def happen(self, planned: Play | list[TableEvent], request: str | None = None) -> None:
        """Store and apply events as a server does; `apply_play` must give the same state as a fold."""
        events = planned.events() if isinstance(planned, Play) else planned
        if not events:
            return
        rows = self.state.rows_for(events, self.now, request)
        self.rows += rows
        if isinstance(planned, Play):
            self.state.apply_play(rows, planned)
        else:
            for row, event in zip(rows, events, strict=True):
                self.state.apply_row(row, event)

    def reloaded(self) -> TableState:
        """The same table from what is stored."""
        return TableState.from_rows(self.state.charter, self.rows)

    def ask(self, plan: Callable[..., Any], message: msgspec.Struct, *arguments: Any, seats: Any = None) -> None:
        """Call a plan with a message of the owner of its seat, and apply the result."""
        own = (message.seat,) if seats is None else seats  # type: ignore[attr-defined]
        key = request_key(own, message.id)  # type: ignore[attr-defined]
        self.happen(plan(self.state, own, message, *arguments), key)

    def join(self, *seats: int, name: str = "", share: str = SHARE) -> None:
        self.happen(plans.join(self.state, seats, Join(id="join", name=name, share=share)))

    def join_all(self) -> "Table":
        for seat in self.state.seats:
            if seat not in self.state.joined:
                self.join(seat, name=f"Seat {seat}")
        return self

    def legal(self, seat: int) -> list[str]:
        position = self.state.running_match().position
        return self.state.game.action_texts(position.state, position.legal(seat))

    def message(self, seat: int, *action_texts: str, message_id: str = "play") -> PlayMessage:
        notices_seen = len(self.state.streams[seat].entries)
        return PlayMessage(id=message_id, seat=seat, notices_seen=notices_seen, action_texts=list(action_texts))

    def play(self, seat: int, *action_texts: str) -> None:
        self.ask(plans.play, self.message(seat, *action_texts))

    def play_any(self, pick: random.Random) -> int:
        """Play a random legal action of a random acting seat; returns the seat."""
        seat = pick.choice(self.state.acting())
        if self.state.bot_for(seat) is None:
            self.play(seat, pick.choice(self.legal(seat)))
        else:
            self.let_bot_play(seat, pick)
        return seat

    def let_bot_play(self, seat: int, pick: random.Random) -> None:
        """Play a random answer of a bot."""
        query = query_for(self.state, seat, self.state.bot_for(seat) or "")
        seen = query.position()
        self.happen(plans.bot_answer(self.state, query, turn_texts([pick.choice(seen.legal(seat))], seen, seat)))

    def resign(self, seat: int) -> None:
        self.ask(plans.resign, Resign(id=f"r{seat}", seat=seat))
