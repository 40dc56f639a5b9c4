"""Elfer as a game: options, setup and the words players read."""

from typing import Annotated, Any, Literal

import msgspec
from rich.text import Text as Picture

from threespan.core.game import Game, Material
from threespan.core.layout import State
from threespan.core.options import Options
from threespan.core.rulebook import Language
from threespan.core.rules import CHANCE, MAX_SEATS, Rules, provide
from threespan.games.elfer import knowledge, notation, position, rules
from threespan.games.elfer import material as boards
from threespan.games.elfer.state import ACTIONS, HAND, LAYOUT, MAX_DRAWN, MAX_LAID, MAX_ROUNDS, NONE, STOP, Phase
from threespan.games.elfer.tiles import can_lay, left_of
from threespan.games.elfer.view import Scene, View, scene_of, view_of


class ElferOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be chosen before a match of Elfer.

    `rounds` is a number or "match": as many rounds as players. `starts` is the seat that starts the first round, or
    "random"; nobody at an online table knows who is the youngest, so chance decides unless the players have agreed.
    """

    players: Annotated[int, msgspec.Meta(ge=2, le=MAX_SEATS)] = 2
    board: str = "base"
    symbols: bool = False
    rounds: Annotated[int, msgspec.Meta(ge=1, le=MAX_ROUNDS)] | Literal["match"] = 1
    starts: Annotated[int, msgspec.Meta(ge=0, le=MAX_SEATS - 1)] | Literal["random"] = "random"

    def __post_init__(self) -> None:
        """The seat that starts must be one of the match."""
        if isinstance(self.starts, int) and self.starts >= self.players:
            raise ValueError(f"seat {self.starts} cannot start; the seats are 0 to {self.players - 1}")


class Elfer(Game):
    """Elfer."""

    code = "elfer"
    folder = boards.FOLDER
    layout = LAYOUT
    rule = rules.Rule
    rules = Rules.of(rules, knowledge)
    actions = ACTIONS
    options = ElferOptions

    def choices(self) -> dict[str, list[Any]]:
        """The boards that there are files for, and what numbers and words the other options take."""
        return super().choices() | {
            "board": boards.board_names(),
            "rounds": [1, MAX_ROUNDS, "match"],
            "starts": ["random", 0, 1],
        }

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
        state.round_number = 1
        state.bonus_tile = NONE
        state.starter = 0 if options.starts == "random" else options.starts
        rules.begin_round(state)
        if options.starts == "random":
            state.phase = Phase.START
        return state

    def refresh(self, state: State) -> None:
        """Work out the masks; refuse positions that contradict themselves."""
        position.refuse_contradictions(state)
        position.refresh(state)

    def action_text(self, state: State, action: int) -> str:
        """The text form of an action."""
        return notation.action_text(state, action)

    def parse_action(self, state: State, text: str) -> int:
        """The action of a text form."""
        return notation.parse_action(state, text)

    def picture(self, state: State, seat: int, language: Language) -> Picture:
        """Board, bag and racks."""
        return notation.draw_match(state, seat, language, self.book)

    def prompt(self, state: State, seat: int, language: Language) -> str:
        """What to do now."""
        return self.book.word(f"prompt_{self._moment(state, seat)}", language).format(
            left=MAX_LAID - int(state.laid_count),
            draws=MAX_DRAWN - int(state.drawn),
            tile=self._bonus_name(state, language),
        )

    def _bonus_name(self, state: State, language: Language) -> str:
        return notation.tile_name(state, state.bonus_tile, language, self.book) if state.bonus_tile != NONE else ""

    def scene(self, state: State, material: Material) -> Scene:  # noqa: ARG002
        """The rows, their fields, bridges and tiles."""
        return scene_of(state)

    def view(self, state: State, seat: int) -> View:  # noqa: ARG002
        """The tiles on the board, and the racks as far as they are known."""
        return view_of(state)

    def sees(self, state: State, seat: int, action: int, viewer: int) -> bool:
        """Tiles go to racks face down: drawn ones are for the drawer's eyes, handed ones for giver and receiver."""
        if seat == CHANCE:
            is_open = state.phase in (Phase.START, Phase.BONUS_DRAWING)
            return is_open or viewer == state.turn
        return not HAND <= action < STOP or viewer in (seat, left_of(state, seat))

    def _moment(self, state: State, seat: int) -> str:
        phase = Phase(state.phase)
        if phase is not Phase.LAY:
            return phase.name.lower()
        if state.laid_count == MAX_LAID:
            return "done"
        if state.laid_count:
            return "more"
        if can_lay(state, seat):
            return "drawn" if state.drawn else "lay"
        return "draw" if rules.may_draw(state) else "pass"


GAME = Elfer()
provide(LAYOUT, GAME.rules)
