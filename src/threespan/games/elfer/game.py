"""Elfer as a game: options, setup and the words players read."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Annotated, ClassVar, Literal

import msgspec

from threespan.core.game import Game, Hidden, Material, Role
from threespan.core.layout import State
from threespan.core.options import A_SEAT, Detail, Options
from threespan.core.rules import CHANCE, MAX_SEATS, RuleKernels, register_kernels
from threespan.core.words import Language
from threespan.games.elfer import knowledge, notation, position, rules, speech
from threespan.games.elfer import material as boards
from threespan.games.elfer.state import (
    ACTIONS,
    HAND,
    LAYOUT,
    LEAVE,
    MAX_DRAWN,
    MAX_LAID,
    MAX_ROUNDS,
    NONE,
    STOP,
    Phase,
)
from threespan.games.elfer.tiles import can_lay, holds_eleven, left_of
from threespan.games.elfer.view import Scene, View, scene_of, view_of

_ROLES = {
    "keep": Role.BUTTON,
    "draw": Role.BUTTON,
    "stop": Role.FINISHER,
    "pass": Role.FINISHER,
    "skip": Role.FINISHER,
    "open": Role.ANSWER,
    "leave": Role.ANSWER,
}


# Several tiles in a row that are told at once.
_GROUPS: dict[int, str] = {Phase.DEAL: "deal", Phase.SEARCH: "search"}


class ElferOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be chosen before a match of Elfer.

    `rounds` is a number or "match": as many rounds as players. `starts` is the seat that starts the first round, or
    "random"; by the booklet it is the youngest, which only the people at the table can say.
    """

    players: Annotated[int, msgspec.Meta(ge=2, le=MAX_SEATS)] = 2
    board: str = "base"
    symbols: bool = False
    rounds: Annotated[int, msgspec.Meta(ge=1, le=MAX_ROUNDS)] | Literal["match"] = 1
    starts: Annotated[int, msgspec.Meta(ge=0, le=MAX_SEATS - 1)] | Literal["random"] = "random"
    opening: Literal["must", "may"] = "must"  # whether the first one with an 11 must open, or all are asked
    bonus_symbol: Literal["free", "adjoining"] = "free"  # where a symbol goes that is drawn as a bonus

    details: ClassVar = {
        "board": Detail(values=boards.board_names, files="boards", part="board"),
        "starts": A_SEAT,
        "opening": Detail(since=2, is_house_rule=True),
        "bonus_symbol": Detail(only_with={"symbols": (True,)}, since=2, is_house_rule=True),
    }


class Elfer(Game):
    """Elfer."""

    code = "elfer"
    folder = boards.FOLDER
    layout = LAYOUT
    rule_enum = rules.Rule
    kernels = RuleKernels.of(rules, knowledge)
    action_count = ACTIONS
    options = ElferOptions
    version = 2
    order = 3
    minutes = 30
    hidden = Hidden.HANDS

    def material(self, options: Options) -> Material:
        """The board that the options name."""
        assert isinstance(options, ElferOptions)
        return {"board": boards.load_board(options.board).to_material()}

    def setup(self, options: Options, material: Material) -> State:
        """All tiles in the bag; the starting seat is to be chosen, or its rack to be dealt."""
        assert isinstance(options, ElferOptions)
        state = LAYOUT.new()
        boards.put_into(state, material)
        state.players = options.players
        state.rounds = options.players if options.rounds == "match" else options.rounds
        state.has_symbols = options.symbols
        state.may_leave = options.opening == "may"
        state.symbols_adjoin = options.bonus_symbol == "adjoining"
        state.round_number = 1
        state.bonus_tile = NONE
        state.starter = 0 if options.starts == "random" else options.starts
        rules.begin_round(state)
        if options.starts == "random":
            state.phase = Phase.START
        return state

    def refresh(self, state: State) -> None:
        """Work out the masks; refuse positions that contradict themselves."""
        position.refresh(state)

    def action_text(self, state: State, action: int) -> str:
        """The text form of an action."""
        return notation.action_text(state, action)

    def parse_action(self, state: State, action_text: str) -> int:
        """The action of a text form."""
        return notation.parse_action(state, action_text)

    def role(self, action_text: str) -> Role:
        """Tiles have their fields and racks; everything else is a button."""
        return _ROLES.get(action_text, Role.PLACE)

    def sentence(self, state: State, action_text: str, language: Language) -> str:
        """An action as a sentence."""
        return speech.sentence(state, action_text, language)

    def report(self, state: State, action_text: str, seat: int, names: Sequence[str], language: Language) -> str:
        """What a seat or chance did."""
        return speech.report(state, action_text, seat, names, language)

    def notice_group(self, state: State, seat: int, action: int) -> str:  # noqa: ARG002
        """Racks are dealt at once, and so is told what all draw if nobody has an 11."""
        return _GROUPS.get(int(state.phase), "")

    def describe(self, state: State, seat: int, names: Sequence[str], language: Language) -> list[str]:
        """The rows, the bridges, the bag and the racks."""
        return speech.describe(state, seat, names, language)

    def prompt(self, state: State, seat: int, language: Language) -> str:
        """What to do now."""
        left, draws = MAX_LAID - int(state.laid_count), MAX_DRAWN - int(state.drawn)
        values: dict[str, int | str] = {"count": left, "draws": draws}
        if state.bonus_tile != NONE:
            values["tile"] = speech.tile_name(notation.tile_text(state, state.bonus_tile), language)
        return self.words.text(f"prompt.{self._moment(state, seat)}", language, **values)

    def scene(self, state: State, material: Material) -> Scene:  # noqa: ARG002
        """The rows, their fields, bridges and tiles."""
        return scene_of(state)

    def view(self, state: State, seat: int) -> View:  # noqa: ARG002
        """The tiles on the board, and the racks as far as they are known."""
        return view_of(state)

    def round_number(self, state: State) -> int:
        """The round."""
        return int(state.round_number)

    def score_text(self, state: State, seat: int, rule: IntEnum, language: Language) -> str:  # noqa: ARG002
        """The one clause that gives points is RACK_EMPTY; for those who have tiles left it says which."""
        return speech.describe_score(state, seat, language)

    def uncovers(self, state: State, seat: int, action: int) -> bool:  # noqa: ARG002
        """When the last seat leaves the opening to others, it turns out who has the first 11."""
        return bool(action == LEAVE and state.leaves == state.players - 1)

    def sees(self, state: State, seat: int, action: int, viewer: int) -> bool:
        """Tiles go to racks face down: drawn ones are for the drawer's eyes, handed ones for giver and receiver."""
        if seat == CHANCE:
            is_open = state.phase in (Phase.START, Phase.BONUS_DRAWING)
            return is_open or bool(viewer == state.turn)
        return not HAND <= action < STOP or viewer in (seat, left_of(state, seat))

    def _moment(self, state: State, seat: int) -> str:
        phase = Phase(state.phase)
        if phase is Phase.ASK:
            return "ask" if holds_eleven(state, seat) else "ask_without"
        if phase is Phase.OPEN and state.leaves == state.players and not knowledge.is_open_after_search(state):
            return "open_after_all"
        if phase is not Phase.LAY:
            return phase.name.lower()
        if state.laid_count == MAX_LAID:
            return "done"
        if state.laid_count:
            return "more"
        if can_lay(state, seat):
            return "drawn" if state.drawn else "lay"
        if rules.may_draw(state):
            return "draw"
        return "pass" if state.drawn == MAX_DRAWN else "pass_empty"


GAME = Elfer()
register_kernels(LAYOUT, GAME.kernels)
