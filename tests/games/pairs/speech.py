"""Pairs in plain words: its actions and its positions."""

from collections.abc import Sequence
from pathlib import Path

from pairs.state import Phase
from pairs.view import cards_of
from threespan.core.layout import State
from threespan.core.words import Language, load_words

WORDS = load_words(Path(__file__).parent)


def sentence(action_text: str, language: Language) -> str:
    """An action as a sentence."""
    verb, _, value = action_text.partition(" ")
    return WORDS.text(f"sentence.{verb}", language, value=value) if value else WORDS.text(f"sentence.{verb}", language)


def report(action_text: str, seat: int, names: Sequence[str], language: Language) -> str:
    """What a seat or chance did, as a sentence."""
    verb, _, value = action_text.partition(" ")
    if verb == "card":
        return WORDS.text("report.card", language, value=value)
    if verb == "keep":
        return WORDS.report("keep", language, names[seat])
    return WORDS.report(verb, language, names[seat], value=value)


def describe(state: State, seat: int, names: Sequence[str], language: Language) -> list[str]:
    """The piles, the pairs of each seat, and whose turn it is."""
    lines = [WORDS.text("describe.deck", language, count=int(state.deck_size))]
    lines.append(WORDS.text("describe.dropped", language, cards=_listed(cards_of(state.dropped.tolist()), language)))
    for other, name in enumerate(names):
        pairs = _listed(cards_of(state.pairs[other].tolist()), language)
        count = int(state.hand_size[other])
        lines.append(WORDS.text("describe.seat", language, name=name, count=count, pairs=pairs))
        if other == seat or state.phase == Phase.OVER:
            cards = _listed(cards_of(state.hand[other].tolist()), language)
            lines.append(WORDS.text("describe.hand", language, name=name, cards=cards))
    if state.phase == Phase.OVER:
        return [*lines, WORDS.text("describe.over", language)]
    if state.turn == seat:
        return [*lines, WORDS.text("describe.your_turn", language)]
    return [*lines, WORDS.text("describe.turn", language, name=names[state.turn])]


def _listed(cards: list[int], language: Language) -> str:
    return ", ".join(map(str, cards)) or WORDS.text("describe.none", language)
