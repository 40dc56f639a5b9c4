"""The game Pairs: its options, its setup and its action texts."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from pairs import knowledge, position, rules, speech
from pairs.state import ACTIONS, CARD, CARDS, COPIES, DROP, KEEP, LAYOUT, MAX_DEALT, PAIR, VALUES, Phase
from pairs.view import Scene, View, scene_of, view_of
from threespan.core.game import Game, Hidden, Material, NotationError, Role
from threespan.core.layout import State
from threespan.core.options import Options
from threespan.core.rules import CHANCE, MAX_SEATS, RuleKernels, register_kernels
from threespan.core.words import Language

_FIRST = {"pair": PAIR, "drop": DROP, "card": CARD}


class PairsOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of Pairs."""

    players: Annotated[int, msgspec.Meta(ge=2, le=MAX_SEATS)] = 2
    dealt: Annotated[int, msgspec.Meta(ge=1, le=MAX_DEALT)] = 3


class Pairs(Game):
    """Pairs."""

    code = "pairs"
    folder = Path(__file__).parent
    layout = LAYOUT
    rule_enum = rules.Rule
    kernels = RuleKernels.of(rules, knowledge)
    action_count = ACTIONS
    options = PairsOptions
    minutes = 5
    hidden = Hidden.HANDS

    def material(self, options: Options) -> Material:  # noqa: ARG002
        """The cards are always the same."""
        return {}

    def setup(self, options: Options, material: Material) -> State:  # noqa: ARG002
        """All cards in the deck."""
        assert isinstance(options, PairsOptions)
        state = LAYOUT.new()
        state.players, state.dealt = options.players, options.dealt
        state.deck[:], state.deck_size = COPIES, CARDS
        return state

    def refresh(self, state: State) -> None:
        """Refuse contradictory positions."""
        position.refresh(state)

    def action_text(self, state: State, action: int) -> str:  # noqa: ARG002
        """`pair 3`, `drop 3`, `keep` or, for chance, `card 3`."""
        if action == KEEP:
            return "keep"
        verb = "card" if action >= CARD else "drop" if action >= DROP else "pair"
        return f"{verb} {action - _FIRST[verb] + 1}"

    def parse_action(self, state: State, action_text: str) -> int:  # noqa: ARG002
        """The action that a text stands for."""
        words = " ".join(action_text.split())
        if words == "keep":
            return KEEP
        if found := re.fullmatch(rf"(pair|drop|card) ([1-{VALUES}])", words):
            return _FIRST[found[1]] + int(found[2]) - 1
        raise NotationError.unknown(action_text, "pair 3", "drop 3", "keep")

    def role(self, action_text: str) -> Role:
        """`keep` only ends a turn."""
        return Role.FINISHER if action_text == "keep" else Role.PLACE

    def sentence(self, state: State, action_text: str, language: Language) -> str:  # noqa: ARG002
        """An action as a sentence."""
        return speech.sentence(action_text, language)

    def report(self, state: State, action_text: str, seat: int, names: Sequence[str], language: Language) -> str:  # noqa: ARG002
        """What a seat or chance did."""
        return speech.report(action_text, seat, names, language)

    def describe(self, state: State, seat: int, names: Sequence[str], language: Language) -> list[str]:
        """The piles, the pairs of each seat, and whose turn it is."""
        return speech.describe(state, seat, names, language)

    def prompt(self, state: State, seat: int, language: Language) -> str:
        """What to do now."""
        return self.words.text("prompt.pair" if rules.can_pair(state, seat) else "prompt.drop", language)

    def scene(self, state: State, material: Material) -> Scene:  # noqa: ARG002
        """The number of players and cards."""
        return scene_of(state)

    def view(self, state: State, seat: int) -> View:  # noqa: ARG002
        """What the observation shows."""
        return view_of(state)

    def sees(self, state: State, seat: int, action: int, viewer: int) -> bool:  # noqa: ARG002
        """Only the seat that gets a card sees it."""
        return seat != CHANCE or viewer == state.turn

    def reveals(self, state: State) -> bool:
        """At the end all hands are public."""
        return bool(state.phase == Phase.OVER)


GAME = Pairs()
register_kernels(LAYOUT, GAME.kernels)
