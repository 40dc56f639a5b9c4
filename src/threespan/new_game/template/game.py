"""The game Nim: its options, its setup and its action texts."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from nim import position, rules, speech
from nim.state import ACTIONS, HEAP, HEAPS, LARGEST, LAYOUT, TAKE
from nim.view import Scene, View, scene_of, view_of
from threespan.core.game import Game, Material, NotationError
from threespan.core.layout import State
from threespan.core.options import Options
from threespan.core.rules import RuleKernels, register_kernels
from threespan.core.words import Language


class NimOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of Nim."""

    players: Annotated[int, msgspec.Meta(ge=2, le=4)] = 2
    largest: Annotated[int, msgspec.Meta(ge=1, le=LARGEST)] = 5


class Nim(Game):
    """Nim."""

    code = "nim"
    folder = Path(__file__).parent
    layout = LAYOUT
    rule_enum = rules.Rule
    kernels = RuleKernels.of(rules)
    action_count = ACTIONS
    options = NimOptions
    minutes = 5

    def material(self, options: Options) -> Material:  # noqa: ARG002
        """Nim has no boards and no cards."""
        return {}

    def setup(self, options: Options, material: Material) -> State:  # noqa: ARG002
        """Empty heaps."""
        assert isinstance(options, NimOptions)
        state = LAYOUT.new()
        state.players, state.limit, state.last = options.players, options.largest, -1
        return state

    def refresh(self, state: State) -> None:
        """Refuse contradictory positions."""
        position.refresh(state)

    def action_text(self, state: State, action: int) -> str:  # noqa: ARG002
        """`take 2 from 1` or, for chance, `heap 5`."""
        if action >= HEAP:
            return f"heap {action - HEAP + 1}"
        return f"take {action % LARGEST + 1} from {action // LARGEST + 1}"

    def parse_action(self, state: State, action_text: str) -> int:  # noqa: ARG002
        """The action that a text stands for."""
        words = " ".join(action_text.split())
        if found := re.fullmatch(rf"take ([1-{LARGEST}]) from ([1-{HEAPS}])", words):
            return TAKE + (int(found[2]) - 1) * LARGEST + int(found[1]) - 1
        if found := re.fullmatch(rf"heap ([1-{LARGEST}])", words):
            return HEAP + int(found[1]) - 1
        raise NotationError.unknown(action_text, "take 2 from 1")

    def sentence(self, state: State, action_text: str, language: Language) -> str:
        """An action as a sentence."""
        return speech.sentence(state, action_text, language)

    def report(self, state: State, action_text: str, seat: int, names: Sequence[str], language: Language) -> str:  # noqa: ARG002
        """What a seat or chance did."""
        return speech.report(action_text, seat, names, language)

    def describe(self, state: State, seat: int, names: Sequence[str], language: Language) -> list[str]:
        """The heaps, and whose turn it is."""
        return speech.describe(state, seat, names, language)

    def prompt(self, state: State, seat: int, language: Language) -> str:  # noqa: ARG002
        """What to do now."""
        return self.words.text("prompt.take", language)

    def scene(self, state: State, material: Material) -> Scene:  # noqa: ARG002
        """The number of players, heaps and stones."""
        return scene_of(state)

    def view(self, state: State, seat: int) -> View:  # noqa: ARG002
        """The heaps and whose turn it is."""
        return view_of(state)


GAME = Nim()
register_kernels(LAYOUT, GAME.kernels)
