"""Load the rules of all games before the first player arrives, by playing a few moves at temporary tables.

`python -m threespan.server.loading` does the same and reports a fault of a game in one line.
"""

import sys

from threespan.bots.cast import cast_of
from threespan.core.chance import MatchSeed
from threespan.core.errors import EXIT_CODE, UserError
from threespan.core.options import read_options
from threespan.core.registry import codes, find_game
from threespan.core.words import DEFAULT_LANGUAGE, LANGUAGES
from threespan.table import plans
from threespan.table.events import SeatSetup, TableEvent
from threespan.table.messages.client import Join, PlayMessage
from threespan.table.messages.lobby import NewTable
from threespan.table.messages.shared import encode_message
from threespan.table.plays import Play
from threespan.table.state import TableState
from threespan.table.viewing import Reader, snapshot, update_for

_MOVES = 40
_SHARE = "0" * 64


def check_games() -> None:
    """Read the rule books, the words and the casts of all games; raises UserError for what is missing in one."""
    for code in codes():
        game = find_game(code)
        for language in LANGUAGES:
            game.rule_book.markdown(language)
            for key in ("game.name", "game.pitch"):
                game.words.text(key, language)
            for spec in game.option_specs():
                if spec.name != "players":
                    game.option_title(spec.name, language)
        cast_of(code)


def load_rules() -> None:
    """Load the kernels of all games, or compile them the first time on a machine."""
    for code in codes():
        state = first_decision(code)
        for number in range(_MOVES):
            if not state.acting():
                break
            seat = state.acting()[0]
            reader = Reader(seat, DEFAULT_LANGUAGE)
            update = update_for(state, snapshot(state, seat), reader, 0, 0)
            encode_message(update)
            message = PlayMessage(
                id=str(number), seat=seat, notices_seen=update.notice_count, action_texts=[update.now.legal[0]]
            )
            _apply(state, plans.play(state, tuple(state.seats), message))


def load_rules_or_exit() -> None:
    """Load the rules; a fault in a game ends the process with one line."""
    try:
        load_rules()
    except UserError as fault:
        print(f"threespan: {fault}", file=sys.stderr)
        sys.exit(EXIT_CODE)


def first_decision(code: str) -> TableState:
    """A table of a game with default options, at the first decision of a player."""
    players = read_options(find_game(code).options, {}).players
    wanted = NewTable(game=code, seats=[SeatSetup("here")] * players)
    state = TableState(plans.new_charter(wanted, MatchSeed.of(code)))
    _apply(state, plans.join(state, tuple(state.seats), Join(id="join", share=_SHARE)))
    return state


def _apply(state: TableState, planned: Play | list[TableEvent]) -> None:
    events = planned.events() if isinstance(planned, Play) else planned
    for row, event in zip(state.rows_for(events, 0), events, strict=True):
        state.apply_row(row, event)


if __name__ == "__main__":
    load_rules_or_exit()
