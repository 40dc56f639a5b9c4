"""Hashi as a game: options, setup and the words players read."""

from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any

import msgspec
from rich.text import Text as Picture

from threespan.core.game import Game, Material
from threespan.core.layout import PositionError, State
from threespan.core.options import Options
from threespan.core.rulebook import Language
from threespan.core.rules import CHANCE, MAX_SEATS, Rules, provide
from threespan.games.hashi import knowledge, notation, rules
from threespan.games.hashi import material as boards
from threespan.games.hashi.state import ACTIONS, LAYOUT, NONE, Phase, Step
from threespan.games.hashi.view import Scene, View, scene_of, view_of

# The highest score of each solo rank but the last; in between lie the scores that cannot occur.
RANKS_UP_TO = (40, 42, 44, 46, 48, 50, 51, 52, 54, 56, 58)


_BETWEEN_ROUNDS = (int(Phase.CARD), int(Phase.OVER))


class HashiOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be chosen before a match of Hashi."""

    players: Annotated[int, msgspec.Meta(ge=1, le=MAX_SEATS)] = 1
    side: str = "A"
    deck: str = "base"

    def __post_init__(self) -> None:
        """SAME_SIDE: one side for everybody."""
        if "," in self.side:
            raise ValueError(f"SAME_SIDE: {GAME.book.refusal(rules.Rule.SAME_SIDE, 'en')}")


class Hashi(Game):
    """Hashi."""

    code = "hashi"
    folder = boards.FOLDER
    layout = LAYOUT
    rule = rules.Rule
    rules = Rules.of(rules, knowledge)
    actions = ACTIONS
    options = HashiOptions

    def choices(self) -> dict[str, list[Any]]:
        """The sides and decks that there are files for."""
        return super().choices() | {"side": boards.board_names(), "deck": boards.deck_names()}

    def material(self, options: Options) -> Material:
        """The board and the deck that the options name."""
        assert isinstance(options, HashiOptions)
        return {
            "board": boards.load_board(options.side).to_material(),
            "cards": boards.load_deck(options.deck),
        }

    def setup(self, options: Options, material: Material) -> State:
        """Empty boards; everybody is to write a start number."""
        state = LAYOUT.new()
        boards.put_into(state, material)
        state.players = options.players
        state.waiting = (1 << options.players) - 1
        for field in ("written", "drawn", "start"):
            state[field][: options.players] = NONE
        return state

    def refresh(self, state: State) -> None:
        """Work out degrees and masks; refuse boards on which an island has too many bridges."""
        state.waiting = sum(1 << seat for seat in range(state.players) if state.step[seat] != Step.DONE)
        for seat in range(state.players):
            degree = [0] * len(state.place)
            for line in range(state.lines):
                for island in (state.line_from[line], state.line_to[line]):
                    degree[island] += int(state.bridges[seat, line])
            for island, bridges in enumerate(degree):
                if bridges > (state.number[seat, island] or 6):
                    raise PositionError(f"seat {seat}: the island at {state.place[island]:02} has {bridges} bridges")
            rules.refresh(state, seat)

    def action_text(self, state: State, action: int) -> str:
        """The text form of an action."""
        return notation.action_text(state, action)

    def action_texts(self, state: State, actions: Sequence[int]) -> list[str]:
        """The text forms of several actions."""
        texts = notation.texts_of(state)
        return [texts[action] for action in actions]

    def parse_action(self, state: State, text: str) -> int:
        """The action of a text form."""
        return notation.parse_action(state, text)

    def picture(self, state: State, seat: int, language: Language) -> Picture:
        """Card, info strip and boards."""
        return notation.draw_match(state, seat, language, self.book)

    def prompt(self, state: State, seat: int, language: Language) -> str:
        """What to do now."""
        step, left = state.step.item(seat), state.bridges_left.item(seat)
        has_begun = step == Step.BRIDGE and left < state.card_bridges
        return _prompt(step, left, int(state.card_number), has_begun, language)

    def scene(self, state: State, material: Material) -> Scene:
        """The board and the deck."""
        return scene_of(state, material)

    def view(self, state: State, seat: int) -> View:  # noqa: ARG002
        """The card, the pile and everybody's board."""
        return view_of(state)

    def sees(self, state: State, seat: int, action: int, viewer: int) -> bool:  # noqa: ARG002
        """Cards are turned up for everybody; what a seat does is seen when the round ends."""
        return seat in (CHANCE, viewer)

    def reveals(self, state: State) -> bool:
        """Between two rounds all boards lie open."""
        return state.phase in _BETWEEN_ROUNDS

    def verdict(self, state: State, seat: int, language: Language) -> str:
        """The rank of a solo player."""
        if state.players > 1 or state.phase != Phase.OVER:
            return ""
        score = sum(int(rules.points(state, seat, rule.value)) for rule in self.book.of_kind("score"))
        rank = sum(score > limit for limit in RANKS_UP_TO) + 1
        return self.book.word(f"rank_{rank}", language)


@cache
def _prompt(step: int, left: int, number: int, has_begun: bool, language: Language) -> str:
    text = GAME.book.word(f"prompt_{Step(step).name.lower()}{'_more' if has_begun else ''}", language)
    return text.format(left=left, number=number)


GAME = Hashi()
provide(LAYOUT, GAME.rules)
