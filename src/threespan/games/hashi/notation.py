"""Text forms of Hashi: actions as they stand in records."""

import re
from functools import lru_cache
from itertools import combinations

from threespan.core.game import NotationError
from threespan.core.layout import State
from threespan.core.words import load_words
from threespan.games.hashi.material import FOLDER, card_kind, pair_index
from threespan.games.hashi.state import (
    BRIDGE,
    CARD,
    CARD_KINDS,
    DONE,
    ERASE_BRIDGE,
    ERASE_NUMBER,
    ISLANDS,
    MAX_CARD_BRIDGES,
    MAX_NUMBER,
    SKIP,
    WRITE,
)

WORDS = load_words(FOLDER)
_PAIRS = list(combinations(range(ISLANDS), 2))
_KEPT_BOARDS = 16
_EXAMPLES = ("write 21 5", "bridge 21-25", "skip", "erase 21", "erase 21-25", "done")


def action_text(state: State, action: int) -> str:
    """`write 21 5`, `bridge 21-25`, `skip`, `done`, `erase 21`, `erase 21-25` or, of chance, `card 5/3`."""
    return texts_of(state)[action]


def texts_of(state: State) -> list[str]:
    """The text forms of all actions on the board of a state, by action."""
    return _action_texts(tuple(state.place.tolist()))


@lru_cache(_KEPT_BOARDS)
def _action_texts(places: tuple[int, ...]) -> list[str]:
    """The text forms of all actions on a board."""
    writes = [f"write {place:02} {number}" for place in places for number in range(1, MAX_NUMBER + 1)]
    pairs = [f"{places[first]:02}-{places[second]:02}" for first, second in _PAIRS]
    erasing = [f"erase {mark}" for mark in (*(f"{place:02}" for place in places), *pairs)]
    cards = [f"card {card_text(kind)}" for kind in range(CARD_KINDS)]
    return [*writes, *(f"bridge {pair}" for pair in pairs), "skip", "done", *erasing, *cards]


@lru_cache(_KEPT_BOARDS)
def _actions(places: tuple[int, ...]) -> dict[str, int]:
    return {text: action for action, text in enumerate(_action_texts(places))}


def card_text(kind: int) -> str:
    """Number and bridges of a kind of card."""
    return f"{kind // MAX_CARD_BRIDGES + 1}/{kind % MAX_CARD_BRIDGES + 1}"


def parse_action(state: State, text: str) -> int:
    """The action of a text form; raises NotationError."""
    action = _actions(tuple(state.place.tolist())).get(text)
    return _read_loosely(state, text) if action is None else action


def _read_loosely(state: State, text: str) -> int:
    """An action with its islands the other way round or more blanks than need be; or what is wrong with it."""
    words = " ".join(text.split())
    if words == "skip":
        return SKIP
    if words == "done":
        return DONE
    if found := re.fullmatch(rf"write ([0-9][0-9]) ([1-{MAX_NUMBER}])", words):
        return WRITE + _island_at(state, found[1]) * MAX_NUMBER + int(found[2]) - 1
    if found := re.fullmatch(r"(bridge|erase) ([0-9][0-9])-([0-9][0-9])", words):
        first, second = sorted((_island_at(state, found[2]), _island_at(state, found[3])))
        if first == second:
            raise NotationError(WORDS, "notation.one_island", text=words)
        return (BRIDGE if found[1] == "bridge" else ERASE_BRIDGE) + pair_index(first, second)
    if found := re.fullmatch(r"erase ([0-9][0-9])", words):
        return ERASE_NUMBER + _island_at(state, found[1])
    if found := re.fullmatch(rf"card ([1-{MAX_NUMBER}])/([1-{MAX_CARD_BRIDGES}])", words):
        return CARD + card_kind(int(found[1]), int(found[2]))
    raise NotationError.unknown(text, *_EXAMPLES)


def _island_at(state: State, place: str) -> int:
    places: list[int] = state.place.tolist()
    if int(place) not in places:
        raise NotationError(WORDS, "notation.no_island", place=place, row=place[0], column=place[1])
    return places.index(int(place))
