"""Prints everything that a table says in a language, as JSON; run in the copy that speaks the made-up one."""

import json
import sys

from threespan.bots.cast import character, level_name
from threespan.bots.names import bot_names
from threespan.core.chance import MatchSeed
from threespan.core.errors import UserError
from threespan.core.options import read_options
from threespan.core.registry import codes, find_game
from threespan.core.words import LANGUAGES
from threespan.table import plans
from threespan.table.events import SeatSetup, TableEvent
from threespan.table.messages.client import Join, PlayMessage
from threespan.table.messages.lobby import NewTable
from threespan.table.refusals import Refusal, phrases
from threespan.table.state import TableState
from threespan.table.viewing import Reader, snapshot, update_for

LANGUAGE = sys.argv[1]
_STEPS = 12


def played(code: str) -> list[str]:
    """What is said in the first steps of a match."""
    game = find_game(code)
    seats = [SeatSetup("here", name="Ω"), SeatSetup("here", name="Ψ")]
    charter = plans.new_charter(NewTable(game=code, seats=seats), MatchSeed.of(code))
    state = TableState(charter)
    said = refusals(code)
    happens(state, plans.join(state, (0, 1), Join(id="1", share="0" * 64)))
    for number in range(_STEPS):
        if not state.acting():
            break
        seat = state.acting()[0]
        update = update_for(state, snapshot(state, seat), Reader(seat, LANGUAGE, text_mode=True), 0, 0)
        now = update.now
        said += [now.prompt, *now.lines, *now.labels, *(button.label for button in now.buttons)]
        said += [notice.sentence for notice in update.notices]
        step = now.legal[number % len(now.legal)]
        play = plans.play(
            state, (0, 1), PlayMessage(id=str(number), seat=seat, notices_seen=update.notice_count, action_texts=[step])
        )
        happens(state, play.events())
    said += [game.words.text("game.name", LANGUAGE), game.words.text("game.pitch", LANGUAGE)]
    said += [game.option_title(spec.name, LANGUAGE) for spec in game.option_specs() if spec.name != "players"]
    said += [part for level in bot_names() for part in character(code, level, LANGUAGE) if part]
    return said


def happens(state: TableState, events: list[TableEvent]) -> None:
    """Go on by some events."""
    for row, event in zip(state.rows_for(events, 0), events, strict=True):
        state.apply_row(row, event)


def refusals(code: str) -> list[str]:
    """What is said to nonsense."""
    game = find_game(code)
    said = [game.rule_book.refusal(rule, LANGUAGE) for rule in game.rule_book.of_kind("refusal")]
    try:
        game.parse_action(game.start(read_options(game.options, {})).state, "nonsense")
    except UserError as error:
        said.append(error.text(LANGUAGE))
    return said


def everything() -> dict[str, list[str]]:
    """By who says it."""
    own = [Refusal(code).text(LANGUAGE) for code in ("stale", "not_your_seat", "is_over")]
    own += [*phrases(LANGUAGE).values(), *(level_name(level, LANGUAGE) for level in bot_names())]
    try:
        plans.new_charter(NewTable(game=codes()[0], seats=[SeatSetup("here")] * 2, options={"x": 1}), MatchSeed.of(""))
    except Refusal as refusal:
        own.append(refusal.text(LANGUAGE))
    return {"table": own} | {code: played(code) for code in codes()}


print(json.dumps({"languages": LANGUAGES, "said": everything()}))
