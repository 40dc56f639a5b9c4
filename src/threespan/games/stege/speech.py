"""Stege in plain words: its actions and its positions."""

from collections.abc import Sequence
from functools import lru_cache

from threespan.core.layout import State
from threespan.core.words import Language, load_words
from threespan.games.stege.material import FOLDER
from threespan.games.stege.notation import STONE_NAMES
from threespan.games.stege.state import JETTY, PASSING_ROUNDS, TurnStep
from threespan.games.stege.stones import target
from threespan.games.stege.view import View, view_of

WORDS = load_words(FOLDER)
_KEPT_SENTENCES = 8192


# Actions


def sentence(state: State, text: str, language: Language) -> str:  # noqa: ARG001 - places mean the same on all boards
    """An action in its text form as a sentence."""
    return _sentence(text, language)


@lru_cache(_KEPT_SENTENCES)
def _sentence(text: str, language: Language) -> str:
    match text.split():
        case ["lay", field, direction]:
            return WORDS.text("sentence.lay", language, place=place_name(f"{field} {direction}", language))
        case ["take", field, direction]:
            return WORDS.text("sentence.take", language, place=place_name(f"{field} {direction}", language))
        case ["move", stone, way]:
            begin, end = way.split(">")
            values = {"stone": stone, "begin": _begin_name(begin, language), "end": _end_name(end, language)}
            return WORDS.text("sentence.move", language, **values)
        case ["keep"]:
            return WORDS.text("sentence.keep", language)
        case ["roll", "again"]:
            return WORDS.text("sentence.again", language)
        case ["pass"]:
            return WORDS.text("sentence.pass", language)
        case ["start", seat]:
            return WORDS.text("sentence.start", language, number=int(seat) + 1)
        case ["roll", die]:
            return WORDS.text("sentence.roll", language, die=die)
    return text


def report(state: State, text: str, seat: int, names: Sequence[str], language: Language) -> str:  # noqa: ARG001
    """What a seat or chance did, as a whole sentence."""
    match text.split():
        case ["start", starter]:
            return WORDS.report("start", language, names[int(starter)])
        case ["roll", "again"]:
            return WORDS.report("again", language, names[seat])
        case ["roll", die]:
            return WORDS.text("report.roll", language, die=die)
        case ["lay" | "take" as verb, field, direction]:
            return WORDS.report(verb, language, names[seat], place=place_name(f"{field} {direction}", language))
        case ["move", stone, way]:
            begin, end = way.split(">")
            values = {"begin": _begin_name(begin, language), "end": _end_name(end, language)}
            return WORDS.report("move", language, names[seat], stone=stone, **values)
        case ["keep" | "pass" as plain]:
            return WORDS.report(plain, language, names[seat])
    return text


def _begin_name(spot: str, language: Language) -> str:
    if spot == "island":
        return WORDS.text("sentence.from_island", language)
    if spot == "home":
        return WORDS.text("sentence.from_home", language)
    return WORDS.text("sentence.from_field", language, field=field_name(spot, language))


def _end_name(spot: str, language: Language) -> str:
    if spot == "home":
        return WORDS.text("sentence.to_home", language)
    return WORDS.text("sentence.to_field", language, field=field_name(spot, language))


def field_name(field: str, language: Language) -> str:
    """A field, given as `3,7`."""
    row, column = field.split(",")
    return WORDS.text("label.field", language, row=row, column=column)


def place_name(place: str, language: Language) -> str:
    """Where a jetty lies, given as `3,7 down`."""
    field, direction = place.split()
    row, column = map(int, field.split(","))
    if direction == "down":
        return WORDS.text("label.down", language, column=column, first=row, last=row + JETTY - 1)
    return WORDS.text("label.across", language, row=row, first=column, last=column + JETTY - 1)


# Positions


def describe(state: State, seat: int, names: Sequence[str], language: Language) -> list[str]:
    """The sea, everybody's stones, the jetties, and whose turn it is."""
    view = view_of(state)
    lines = [WORDS.text("describe.sea", language, size=int(state.board_size))]
    for shown in range(len(view.stones)):
        mark = WORDS.text(f"mark.{shown}", language)
        who = f"{player_name(names, shown, seat, language)}, {mark}"
        parts = [describe_way(state, shown, who, language), _describe_stones(view, shown, language)]
        lines.append(" ".join(parts + describe_hand(view, shown, language)))
    lines.append(_describe_jetties(view, language))
    if view.taken:
        lines.append(WORDS.text("describe.taken", language, place=place_name(view.taken.place, language)))
    return lines + describe_moment(state, seat, names, language)


def player_name(names: Sequence[str], shown: int, seat: int, language: Language) -> str:
    """The name of a seat; whoever reads it is told which is theirs."""
    return WORDS.text("label.you", language, name=names[shown]) if shown == seat else names[shown]


def describe_way(state: State, shown: int, who: str, language: Language) -> str:
    """From where to where the stones of a seat go."""
    start = WORDS.text(f"corner.{int(state.corner[shown])}", language)
    goal = WORDS.text(f"corner.{int(target(state, shown))}", language)
    return WORDS.text("describe.way", language, who=who, start=start, target=goal)


def _describe_stones(view: View, shown: int, language: Language) -> str:
    spots = zip(STONE_NAMES, view.stones[shown], strict=True)
    stones = [f"{stone} {_spot_name(spot, language)}" for stone, spot in spots]
    return WORDS.text("describe.stones", language, stones="; ".join(stones))


def _spot_name(spot: str, language: Language) -> str:
    if spot in ("island", "home"):
        return WORDS.text(f"describe.at_{spot}", language)
    return WORDS.text("describe.at_field", language, field=field_name(spot, language))


def describe_hand(view: View, shown: int, language: Language) -> list[str]:
    """How many jetties a seat has yet to lay, if it has any."""
    count = view.in_hand[shown]
    return [WORDS.text("describe.in_hand", language, jetties=count)] if count else []


def _describe_jetties(view: View, language: Language) -> str:
    places = [place_name(jetty.place, language) for jetty in view.jetties]
    if places:
        return WORDS.text("describe.jetties", language, places="; ".join(places))
    return WORDS.text("describe.no_jetties", language)


def describe_moment(state: State, seat: int, names: Sequence[str], language: Language) -> list[str]:
    """Whose turn it is and what the die shows, and how many passed; nothing before the starting seat is drawn."""
    if state.step == TurnStep.OVER:
        return [WORDS.text("describe.over", language)]
    if state.step == TurnStep.START:
        return []
    moment = "die" if state.die else "turn"
    key = f"describe.your_{moment}" if state.turn == seat else f"describe.{moment}"
    rolls = {"die": int(state.die), "roll": int(state.rolls), "rolls": int(state.max_rolls)}
    lines = [WORDS.text(key, language, name=names[state.turn], **rolls)]
    if state.passes > 0:
        most = PASSING_ROUNDS * int(state.players)
        lines.append(WORDS.text("describe.passes", language, count=int(state.passes), most=most))
    return lines
