"""Plays whole matches of all games at tables, without loading anything that a browser could not load.

Run in a separate process with linked rules; it prints the matches that were played and any forbidden modules.
"""

import random
import sys

LOADED_AT_START = set(sys.modules)  # by Python itself and its environment

# ruff: noqa: E402
from table.tables import Table
from threespan.core.registry import codes, find_game
from threespan.core.rules import WATCHER
from threespan.core.turns import ActionRefused
from threespan.core.words import LANGUAGES
from threespan.table import plans
from threespan.table.drafts import draft
from threespan.table.history import last_event_seen, replay_of
from threespan.table.messages.client import AnswerUndo, Draft, RequestUndo, Undo
from threespan.table.messages.shared import encode_message
from threespan.table.state import TableState
from threespan.table.viewing import Reader, past_for, preview_for, snapshot, table_info, update_for, welcome_for

RESIGNATIONS = 0.005  # probability at each move
# Besides the standard library; msgspec takes typing_extensions only where it finds them.
ALLOWED = {"threespan", "msgspec", "typing_extensions", "numpy", "table", *codes()}
FORBIDDEN = {"asyncio", "sqlite3", "subprocess"}  # of the standard library, but not available in a browser


class Players:
    """The people and bots of one table, who play, draft, undo and watch at random."""

    def __init__(self, code: str, players: int, pick: random.Random) -> None:
        seats = ["here"] * max(1, players - 1) + ["easy"] * (players > 1)
        self.table = Table(code, *seats, clock=60, seed=str(pick.random())).join_all()
        self.pick = pick
        self.language = pick.choice(LANGUAGES)
        self.messages = 0

    def play_to_the_end(self) -> TableState:
        state = self.table.state
        while state.acting():
            self.table.now += 500
            self.send_updates()
            if bots := state.bots_to_move():
                self.table.let_bot_play(bots[0], self.pick)
            elif self.pick.random() < RESIGNATIONS:
                self.table.resign(self.pick.choice(state.people()))
            else:
                self.let_person_play(self.pick.choice(state.acting()))
        self.send_updates()
        return state

    def send_updates(self) -> None:
        state = self.table.state
        for viewer in state.streams:
            reader = Reader(viewer, self.language, text_mode=self.pick.random() < 0.2)
            update = update_for(
                state, snapshot(state, viewer), reader, len(state.streams[viewer].entries), self.table.now
            )
            self.messages += bool(encode_message(update))
        if self.pick.random() < 0.05:
            info = table_info(state, "id", 0, {0})
            encode_message(welcome_for(state, info, Reader(WATCHER, self.language), (), 0, self.table.now))

    def let_person_play(self, seat: int) -> None:
        state = self.table.state
        if self.pick.random() < 0.3:
            self.draft(seat)
        self.table.play(seat, self.pick.choice(self.table.legal(seat)))
        rights = state.undo_rights(seat)
        if self.pick.random() < 0.05 and rights.may_undo:
            self.table.ask(plans.undo, Undo(id="undo", seat=seat))
        elif self.pick.random() < 0.1 and rights.may_request:
            self.table.ask(plans.request_undo, RequestUndo(id="request", seat=seat))
            for other in state.people():
                if other != seat and state.undo_request is not None:
                    self.table.ask(
                        plans.answer_undo, AnswerUndo(id="answer", seat=other, accepts=self.pick.random() < 0.7)
                    )

    def draft(self, seat: int) -> None:
        action_texts = [self.pick.choice(self.table.legal(seat)) for _ in range(2)]
        try:
            seen = draft(self.table.state, seat, action_texts)
        except ActionRefused:
            action_texts = action_texts[:1]
            seen = draft(self.table.state, seat, action_texts)
        message = Draft(id="id", seat=seat, action_texts=action_texts)
        encode_message(preview_for(self.table.state, message, seen, Reader(seat, self.language)))


def check_past(players: Players) -> None:
    state, rows = players.table.state, players.table.rows
    reader = Reader(0, players.language, text_mode=True)
    last = last_event_seen(state, 0, len(state.streams[0].entries) // 2)
    encode_message(past_for(TableState.from_rows(state.charter, rows[: last + 1]), "id", 0, reader))
    encode_message(
        replay_of(state.finished_match(), 0, 10, reader._replace(viewer=WATCHER), state.names_in(reader.language))
    )


def main() -> None:
    for code in codes():
        for number in find_game(code).seat_counts:
            players = Players(code, number, random.Random(number))
            players.play_to_the_end()
            check_past(players)
            print(code, number, players.messages)
    print("loaded:", *sorted(forbidden_modules()))


def forbidden_modules() -> set[str]:
    """Loaded modules that are neither allowed nor part of the standard library, and forbidden ones."""
    loaded = {name.partition(".")[0] for name in sys.modules.keys() - LOADED_AT_START}
    third_party = {name for name in loaded - sys.stdlib_module_names if "cython" not in name}  # NumPy's own
    return third_party - ALLOWED | loaded & FORBIDDEN


if __name__ == "__main__":
    main()
