"""Hashi in plain words: its actions and its positions."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from threespan.core.layout import State
from threespan.core.words import Language, load_words
from threespan.games.hashi.material import FOLDER
from threespan.games.hashi.scoring import FULL_PAY, POINTS_PER_ISLAND, SOLO_LIMIT
from threespan.games.hashi.state import GRID, ISLANDS, LAYOUT, MAX_ON_LINE, ROUNDS, Bonus, Flag
from threespan.games.hashi.view import Board, View, islands_asked_for, view_of

WORDS = load_words(FOLDER)
_KEPT_SENTENCES = 4096
_FLAGS = {Flag.RED: "label.red", Flag.BLUE: "label.blue"}
_WITH_FLAGS = {Flag.RED: "label.with_red", Flag.BLUE: "label.with_blue"}


# Actions


def sentence(state: State, text: str, language: Language) -> str:
    """An action in its text form as a sentence."""
    flag = _flag_at(state, text.split()[1]) if text.startswith("write ") else Flag.NO
    return _sentence(text, flag, language)


def _flag_at(state: State, place: str) -> int:
    """The flag of an island: all that a sentence needs to know of the board."""
    flag: int = state.flag.item(state.place.tolist().index(int(place)))
    return flag


@lru_cache(_KEPT_SENTENCES)
def _sentence(text: str, flag: int, language: Language) -> str:
    match text.split():
        case ["write", place, number]:
            values = {"number": number, "place": place_name(int(place), language)}
            if flag == Flag.NO:
                return WORDS.text("sentence.write", language, **values)
            return WORDS.text("sentence.write_flag", language, flag=WORDS.text(_FLAGS[Flag(flag)], language), **values)
        case ["bridge", ends]:
            return WORDS.text("sentence.bridge", language, way=way_name(ends, language))
        case ["card", card]:
            return WORDS.text("sentence.card", language, card=card_name(card, language))
        case ["erase", ends] if "-" in ends:
            return WORDS.text("sentence.erase_bridge", language, way=way_name(ends, language))
        case ["erase", place]:
            return WORDS.text("sentence.erase", language, place=place_name(int(place), language))
        case ["skip" | "done"]:
            return WORDS.text(f"sentence.{text}", language)
    return text


def report(state: State, text: str, seat: int, names: Sequence[str], language: Language) -> str:
    """What a seat or chance did, as a whole sentence."""
    match text.split():
        case ["card", card]:
            return WORDS.text("report.card", language, card=card_name(card, language))
        case ["write", place, number]:
            values = {"number": number, "place": place_name(int(place), language)}
            if flag := _flag_at(state, place):
                values["flag"] = WORDS.text(_WITH_FLAGS[Flag(flag)], language)
                return WORDS.report("write_flag", language, names[seat], **values)
            return WORDS.report("write", language, names[seat], **values)
        case ["bridge", ends]:
            return WORDS.report("bridge", language, names[seat], way=way_name(ends, language))
        case ["erase", ends] if "-" in ends:
            return WORDS.report("erase_bridge", language, names[seat], way=way_name(ends, language))
        case ["erase", place]:
            return WORDS.report("erase", language, names[seat], place=place_name(int(place), language))
        case ["skip" | "done"]:
            return WORDS.report(text, language, names[seat])
    return text


def way_name(ends: str, language: Language) -> str:
    """Where a bridge runs, given as `12-15`, whether or not a line joins its islands."""
    first, second = map(int, ends.split("-"))
    (row, column), (last_row, last_column) = divmod(first, GRID), divmod(second, GRID)
    if row == last_row:
        return WORDS.text("label.in_row", language, row=row + 1, first=column + 1, last=last_column + 1)
    if column == last_column:
        return WORDS.text("label.in_column", language, column=column + 1, first=row + 1, last=last_row + 1)
    return WORDS.text("label.askew", language, first=place_name(first, language), last=place_name(second, language))


def place_name(place: int, language: Language) -> str:
    """Where an island lies; rows and columns are counted from 1."""
    row, column = divmod(place, GRID)
    return WORDS.text("label.place", language, row=row + 1, column=column + 1)


def card_name(card: str, language: Language) -> str:
    """A card, given as `5/3`."""
    number, bridges = card.split("/")
    return WORDS.text("label.card", language, number=number, count=int(bridges))


# Positions


def describe(state: State, seat: int, names: Sequence[str], language: Language) -> list[str]:
    """The round, the own board island by island with its races, then the others' boards."""
    view = view_of(state)
    lines = describe_round(view, [card_name(card, language) for card in view.pile], language)
    for shown in sorted(range(len(view.boards)), key=lambda other: other != seat):
        lines.append(board_title(view, shown, seat, names, language))
        lines += _describe_board(state, view.boards[shown], shown, seat, names, language)
    return lines


def describe_round(view: View, cards_out: Sequence[str], language: Language) -> list[str]:
    """How far the match is, the card of the round, and which cards have not come yet."""
    if view.phase == "start":
        return [WORDS.text("describe.start", language)]
    if view.phase == "over":
        lines = [WORDS.text("describe.over", language)]
    else:
        lines = [WORDS.text("describe.round", language, round=view.round, rounds=ROUNDS)]
    if view.card and view.phase == "round":
        lines.append(WORDS.text("describe.card", language, card=card_name(view.card.text, language)))
    if cards_out:
        return [*lines, WORDS.text("describe.cards_out", language, cards=", ".join(cards_out))]
    return [*lines, WORDS.text("describe.no_cards_out", language)]


def board_title(view: View, shown: int, seat: int, names: Sequence[str], language: Language) -> str:
    """Whose board it is; of the others' also whether they have finished the round."""
    if shown == seat:
        return WORDS.text("describe.own_board", language)
    if view.phase != "round":
        return WORDS.text("describe.board", language, name=names[shown])
    key = "describe.board_finished" if view.boards[shown].step == "done" else "describe.board_thinking"
    return WORDS.text(key, language, name=names[shown])


def _describe_board(
    state: State, board: Board, shown: int, seat: int, names: Sequence[str], language: Language
) -> list[str]:
    """A board, line by line; of others' boards only the islands on which there is something."""
    values = LAYOUT.read(state)
    lines = []
    if board.start:
        place = place_name(values.place.item(board.start.island), language)
        start = {"number": board.start.number, "place": place}
        if len(names) == 1:
            lines.append(WORDS.text("describe.start_number_alone", language, **start))
        else:
            lines.append(WORDS.text("describe.start_number", language, name=names[(shown + 1) % len(names)], **start))
    is_marked = [bool(number or degree) for number, degree in zip(board.numbers, values.degree[shown], strict=True)]
    islands = [island for island in range(ISLANDS) if shown == seat or is_marked[island]]
    lines += [_describe_island(values, board, island, language) for island in islands]
    finished = len(board.finished)
    lines += [describe_race(state, board, bonus, language) for bonus in Bonus]
    lines.append(WORDS.text("describe.islands", language, count=finished, points=finished * POINTS_PER_ISLAND))
    return lines


def _describe_island(values: Any, board: Board, island: int, language: Language) -> str:
    """An island, what is on it, and where its bridges lead."""
    joined = _joined_to(values, board, island)
    bridges = sum(count for _, count in joined)
    number = board.numbers[island]
    flag = Flag(values.flag.item(island))
    marks = [WORDS.text(_FLAGS[flag], language)] if flag is not Flag.NO else []
    if number:
        marks.append(WORDS.text("describe.number", language, number=number, bridges=bridges))
    else:
        marks.append(WORDS.text("describe.no_number", language))
        marks += [WORDS.text("describe.bridges", language, count=bridges)] if bridges else []
    if island in board.finished:
        marks.append(WORDS.text("describe.finished", language))
    for struck in board.struck:
        if struck.island == island:
            clause = WORDS.text(f"clauses.{struck.rule}.title", language)
            marks.append(WORDS.text("describe.struck", language, clause=clause))
    place = place_name(values.place.item(island), language)
    parts = {"place": place, "marks": ", ".join(marks)}
    if not joined:
        return WORDS.text("describe.island", language, **parts)
    ends = [
        place_name(values.place.item(end), language) + (f" ({count})" if count == MAX_ON_LINE else "")
        for end, count in joined
    ]
    return WORDS.text("describe.island_joined", language, places="; ".join(ends), **parts)


def _joined_to(values: Any, board: Board, island: int) -> list[tuple[int, int]]:
    """The islands that bridges join to one, each with how many do."""
    found = []
    for line, count in enumerate(board.bridges):
        ends = [values.line_from.item(line), values.line_to.item(line)]
        if count and island in ends:
            found.append((ends[0] if ends[1] == island else ends[1], count))
    return found


def describe_race(state: State, board: Board, bonus: Bonus, language: Language) -> str:
    """How a race stands on a board."""
    race = WORDS.text(f"clauses.{bonus.name}.title", language)
    won_in, pays = board.won_in[bonus], board.pays[bonus]
    if won_in:
        return WORDS.text("describe.race_won", language, race=race, points=pays, round=won_in)
    islands = islands_asked_for(state, bonus)
    values = {"race": race, "progress": min(board.progress[bonus], islands), "islands": islands, "points": pays}
    if pays < FULL_PAY[bonus]:
        return WORDS.text("describe.race_late", language, full=FULL_PAY[bonus], **values)
    if state.players == 1:
        return WORDS.text("describe.race_alone", language, round=SOLO_LIMIT[bonus], **values)
    return WORDS.text("describe.race", language, **values)
