"""Nim in plain words: its actions and its positions."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from nim.state import HEAPS
from threespan.core.layout import State
from threespan.core.words import Language, load_words

WORDS = load_words(Path(__file__).parent)


def sentence(state: State, action_text: str, language: Language) -> str:  # noqa: ARG001 - there is no board
    """An action as a sentence."""
    return _sentence(action_text, language)


@lru_cache
def _sentence(action_text: str, language: Language) -> str:
    match action_text.split():
        case ["take", count, "from", heap]:
            return WORDS.text("sentence.take", language, count=int(count), heap=heap)
        case ["heap", count]:
            return WORDS.text("sentence.heap", language, count=int(count))
    return action_text


def report(action_text: str, seat: int, names: Sequence[str], language: Language) -> str:
    """What a seat or chance did, as a sentence."""
    match action_text.split():
        case ["take", count, "from", heap]:
            return WORDS.report("take", language, names[seat], count=int(count), heap=heap)
        case ["heap", count]:
            return WORDS.text("report.heap", language, count=int(count))
    return action_text


def describe(state: State, seat: int, names: Sequence[str], language: Language) -> list[str]:
    """The heaps, and whose turn it is."""
    lines = [WORDS.text("describe.heap", language, heap=heap + 1, count=int(state.heap[heap])) for heap in range(HEAPS)]
    if state.filled < HEAPS:
        return lines
    if not state.heap.any():
        return [*lines, WORDS.text("describe.over", language, name=names[state.last])]
    if state.turn == seat:
        return [*lines, WORDS.text("describe.your_turn", language)]
    return [*lines, WORDS.text("describe.turn", language, name=names[state.turn])]
