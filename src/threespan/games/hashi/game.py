"""Hashi as a game: options, setup and the words players read."""

from collections.abc import Sequence
from functools import cache
from typing import Annotated, ClassVar, Literal

import msgspec

from threespan.core.game import Cost, Fault, Game, Hidden, Material, Position, Role
from threespan.core.layout import State
from threespan.core.options import Detail, Options
from threespan.core.rules import CHANCE, MAX_SEATS, RuleKernels, register_kernels
from threespan.core.words import Language, LocalizedError
from threespan.games.hashi import knowledge, mistakes, notation, position, referee, rules, scoring, speech
from threespan.games.hashi import material as boards
from threespan.games.hashi.clauses import Rule
from threespan.games.hashi.state import ACTIONS, LAYOUT, NONE, Pen, Phase, SeatStep
from threespan.games.hashi.view import Scene, View, scene_of, scores_so_far, view_of

# The highest score of each solo rank but the last; in between lie the scores that cannot occur.
RANKS_UP_TO = (40, 42, 44, 46, 48, 50, 51, 52, 54, 56, 58)

_ROLES = {"skip": Role.FINISHER, "done": Role.DONE}
_read_for_prompt = LAYOUT.reader("pen", "step", "bridges_left", "card_number", "card_bridges")
_BETWEEN_ROUNDS = (int(Phase.CARD), int(Phase.OVER))


class HashiOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be chosen before a match of Hashi."""

    players: Annotated[int, msgspec.Meta(ge=1, le=MAX_SEATS)] = 1
    side: str = "A"
    deck: str = "base"
    pen: Literal["strict", "free"] = "strict"

    details: ClassVar = {
        "side": Detail(values=boards.board_names, files="boards", part="board"),
        "deck": Detail(values=boards.deck_names, files="decks", part="cards"),
        "pen": Detail(since=2),
    }

    def refuse(self) -> None:
        """SAME_SIDE: one side for everybody."""
        if "," in self.side:
            raise LocalizedError(GAME.words, f"clauses.{Rule.SAME_SIDE.name}.refused")


class Hashi(Game):
    """Hashi."""

    code = "hashi"
    folder = boards.FOLDER
    layout = LAYOUT
    rule_enum = Rule
    kernels = RuleKernels.of(rules, scoring, knowledge)
    action_count = ACTIONS
    options = HashiOptions
    version = 2  # 2 brought the free pen
    order = 1
    minutes = 20
    hidden = Hidden.MOVES

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
        assert isinstance(options, HashiOptions)
        state.players = options.players
        state.pen = Pen[options.pen.upper()]
        state.waiting = (1 << options.players) - 1
        for field in ("written", "drawn", "start"):
            state[field][: options.players] = NONE
        return state

    def refresh(self, state: State) -> None:
        """Work out degrees and masks; refuse boards on which an island has too many bridges."""
        position.refresh(state)

    def action_text(self, state: State, action: int) -> str:
        """The text form of an action."""
        return notation.action_text(state, action)

    def action_texts(self, state: State, actions: Sequence[int]) -> list[str]:
        """The text forms of several actions."""
        texts = notation.texts_of(state)
        return [texts[action] for action in actions]

    def parse_action(self, state: State, action_text: str) -> int:
        """The action of a text form."""
        return notation.parse_action(state, action_text)

    def role(self, action_text: str) -> Role:
        """Skipping and Done have no place on the board."""
        return _ROLES.get(action_text, Role.PLACE)

    def sentence(self, state: State, action_text: str, language: Language) -> str:
        """An action as a sentence."""
        return speech.sentence(state, action_text, language)

    def report(self, state: State, action_text: str, seat: int, names: Sequence[str], language: Language) -> str:
        """What a seat or chance did."""
        return speech.report(state, action_text, seat, names, language)

    def ready_prompt(self, action_text: str, language: Language) -> str:
        """All bridges are drawn."""
        return self.words.text("prompt.drawn", language) if action_text.startswith("bridge") else ""

    def describe(self, state: State, seat: int, names: Sequence[str], language: Language) -> list[str]:
        """The round and everybody's board."""
        return speech.describe(state, seat, names, language)

    def prompt(self, state: State, seat: int, language: Language) -> str:
        """What to do now."""
        pen, steps, left, number, bridges = _read_for_prompt(state)
        return _prompt(pen, steps.item(seat), left.item(seat), number, bridges, language)

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
        return int(state.phase) in _BETWEEN_ROUNDS

    def current_scores(self, position: Position) -> list[int]:
        """Races that are won, and the islands that are finished: after the last round nothing else counts."""
        return scores_so_far(position.state, len(position.seats))

    def round_number(self, state: State) -> int:
        """The cards turned up so far."""
        return int(state.round_number)

    def has_referee(self, options: Options) -> bool:
        """With the free pen."""
        assert isinstance(options, HashiOptions)
        return options.pen == "free"

    def faults(self, state: State, seat: int, language: Language) -> list[Fault]:
        """The mistakes that are not yet struck out."""
        return mistakes.faults(state, seat, language)

    def may_doubt(self, state: State, seat: int) -> bool:
        """Between two rounds: the last one has ended, and the seat has not begun the next."""
        has_begun = state.step[seat] != SeatStep.WRITE or state.erased[seat]
        return bool(state.phase == Phase.ROUND and state.round_number > 1 and not has_begun)

    def has_fault(self, state: State, board: int) -> bool:
        """Whether a mark of the last round is wrong."""
        return bool(referee.has_mistake(state, board))

    def costs(self, state: State, seat: int, language: Language) -> list[Cost]:
        """What islands that are struck out would have brought."""
        return mistakes.costs(state, seat, language)

    def verdict(self, state: State, seat: int, language: Language) -> str:
        """The rank of a solo player."""
        if state.players > 1 or state.phase != Phase.OVER:
            return ""
        score = sum(int(scoring.points(state, seat, rule.value)) for rule in self.rule_book.of_kind("score"))
        rank = sum(score > limit for limit in RANKS_UP_TO) + 1
        return self.words.text(f"rank.{rank}", language)


_PROMPTS_OF_THE_FREE_PEN = {
    "prompt.bridge": "prompt.bridge_freely",
    "prompt.bridge_more": "prompt.bridge_more_freely",
}


@cache
def _prompt(pen: int, step: int, left: int, number: int, bridges: int, language: Language) -> str:
    key = f"prompt.{SeatStep(step).name.lower()}"
    if step == SeatStep.BRIDGE and left < bridges:
        key = "prompt.bridge_more" if left else "prompt.enough"
    if pen == Pen.FREE:
        key = _PROMPTS_OF_THE_FREE_PEN.get(key, key)
    return GAME.words.text(key, language, count=left, number=number)


GAME = Hashi()
register_kernels(LAYOUT, GAME.kernels)
