"""Nim as a game."""

import re
from pathlib import Path
from typing import Annotated

import msgspec
from rich.text import Text as Picture

from nim import rules
from nim.state import ACTIONS, HEAP, HEAPS, LARGEST, LAYOUT, TAKE
from nim.view import Scene, View, scene_of, view_of
from threespan.core.game import Game, Material, NotationError
from threespan.core.layout import State
from threespan.core.options import Options
from threespan.core.rulebook import Language
from threespan.core.rules import Rules, provide


class NimOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be chosen before a match of Nim."""

    players: Annotated[int, msgspec.Meta(ge=2, le=4)] = 2
    largest: Annotated[int, msgspec.Meta(ge=1, le=LARGEST)] = 5


class Nim(Game):
    """Nim."""

    code = "nim"
    folder = Path(__file__).parent
    layout = LAYOUT
    rule = rules.Rule
    rules = Rules.of(rules)
    actions = ACTIONS
    options = NimOptions

    def material(self, options: Options) -> Material:  # noqa: ARG002
        """No boards, no cards."""
        return {}

    def setup(self, options: Options, material: Material) -> State:  # noqa: ARG002
        """Empty heaps."""
        assert isinstance(options, NimOptions)
        state = LAYOUT.new()
        state.players, state.limit, state.last = options.players, options.largest, -1
        return state

    def refresh(self, state: State) -> None:
        """Nothing is derived."""

    def action_text(self, state: State, action: int) -> str:  # noqa: ARG002
        """`take 2 from 1` or, of chance, `heap 5`."""
        if action >= HEAP:
            return f"heap {action - HEAP + 1}"
        return f"take {action % LARGEST + 1} from {action // LARGEST + 1}"

    def parse_action(self, state: State, text: str) -> int:  # noqa: ARG002
        """The action of a text form."""
        words = " ".join(text.split())
        if found := re.fullmatch(rf"take ([1-{LARGEST}]) from ([1-{HEAPS}])", words):
            return TAKE + (int(found[2]) - 1) * LARGEST + int(found[1]) - 1
        if found := re.fullmatch(rf"heap ([1-{LARGEST}])", words):
            return HEAP + int(found[1]) - 1
        raise NotationError(f"'{text}' is not an action; write for example 'take 2 from 1'")

    def picture(self, state: State, seat: int, language: Language) -> Picture:  # noqa: ARG002
        """The heaps as rows of stones."""
        return Picture("\n".join(f"{heap + 1}: {'o' * int(state.heap[heap])}" for heap in range(HEAPS)))

    def prompt(self, state: State, seat: int, language: Language) -> str:  # noqa: ARG002
        """What to do now."""
        return self.book.word("prompt", language)

    def scene(self, state: State, material: Material) -> Scene:  # noqa: ARG002
        """How many players, heaps and stones there are."""
        return scene_of(state)

    def view(self, state: State, seat: int) -> View:  # noqa: ARG002
        """The heaps and whose turn it is."""
        return view_of(state)


GAME = Nim()
provide(LAYOUT, GAME.rules)
