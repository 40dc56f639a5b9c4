"""Stege as a game: options, setup and the words players read."""

from typing import Annotated, Any, Literal

import msgspec
from rich.text import Text as Picture

from threespan.core.game import Game, Material
from threespan.core.layout import State
from threespan.core.options import Options
from threespan.core.rulebook import Language
from threespan.core.rules import MAX_SEATS, Rules, provide
from threespan.games.stege import knowledge, notation, positions, rules, walks
from threespan.games.stege import material as boards
from threespan.games.stege.state import (
    ACTIONS,
    ALONE,
    CORNERS,
    ENDS,
    HOME,
    ISLAND,
    KEEP,
    LAYOUT,
    MAX_JETTIES,
    MOVE,
    NONE,
    STONES,
    UNEVEN_PLAYERS,
    Step,
)
from threespan.games.stege.stones import can_move, stones_home
from threespan.games.stege.view import Scene, View, scene_of, view_of


class StegeOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be chosen before a match of Stege."""

    players: Annotated[int, msgspec.Meta(ge=2, le=MAX_SEATS)] = 2
    board: str = "base"
    seating: Literal["crossing", "opposite"] = "crossing"  # of two players
    head_start: bool = False  # of three players, the one whose diagonal nobody shares begins with one stone home
    jetties_each: Annotated[int, msgspec.Meta(ge=1, le=MAX_JETTIES // 2)] = 5
    starts: Literal["random"] | Annotated[int, msgspec.Meta(ge=0, lt=MAX_SEATS)] = "random"

    def __post_init__(self) -> None:
        """Enough jetties in the box, and the starting seat taken."""
        if self.jetties_each * self.players > MAX_JETTIES:
            most = MAX_JETTIES // self.players
            raise ValueError(
                f"there are {MAX_JETTIES} jetties, so with {self.players} players jetties_each is {most} at most"
            )
        if self.starts != "random" and self.starts >= self.players:
            raise ValueError(f"starts: there is no seat {self.starts}; seats go from 0 to {self.players - 1}")


class Stege(Game):
    """Stege."""

    code = "stege"
    folder = boards.FOLDER
    layout = LAYOUT
    rule = rules.Rule
    rules = Rules.of(rules, knowledge)
    actions = ACTIONS
    options = StegeOptions

    def choices(self) -> dict[str, list[Any]]:
        """The boards that there are files for; each seat may start that every match has."""
        return super().choices() | {"board": boards.board_names(), "starts": ["random", 0, 1]}

    def material(self, options: Options) -> Material:
        """The board that the options name."""
        assert isinstance(options, StegeOptions)
        return {"board": boards.load_board(options.board).to_material()}

    def setup(self, options: Options, material: Material) -> State:
        """An empty sea; all stones on their start islands, all jetties in hand."""
        assert isinstance(options, StegeOptions)
        state = LAYOUT.new()
        boards.put_into(state, material)
        state.players = options.players
        state.jetties_each = options.jetties_each
        state.taken = NONE
        state.corner = NONE
        for seat in range(options.players):
            is_opposite = options.players == 2 and options.seating == "opposite"
            state.corner[seat] = seat * (CORNERS // 2 if is_opposite else 1)
            state.in_hand[seat] = options.jetties_each
            state.stone[seat] = ISLAND
        if options.head_start and options.players == UNEVEN_PLAYERS:
            state.stone[ALONE, 0] = HOME
        if options.starts != "random":
            state.turn, state.step = options.starts, Step.LAY
        return state

    def refresh(self, state: State) -> None:
        """Work out the derived sets; refuse positions that no match can have."""
        positions.refresh(state)

    def action_text(self, state: State, action: int) -> str:
        """The text form of an action."""
        return notation.action_text(state, action)

    def parse_action(self, state: State, text: str) -> int:
        """The action of a text form."""
        return notation.parse_action(state, text)

    def walk(self, state: State, seat: int, stone: int, end: int) -> list[int]:
        """The spots of the walk to show for a move; the same for everybody."""
        return walks.shown_walk(state, seat, stone, end)

    def picture(self, state: State, seat: int, language: Language) -> Picture:
        """The board and everybody's stones."""
        return notation.draw_match(state, seat, language, self.book)

    def prompt(self, state: State, seat: int, language: Language) -> str:
        """What to do now."""
        step = Step(state.step)
        name = step.name.lower()
        if step is Step.LAY and rules.check_pass(state, seat) == rules.Rule.LEGAL:
            name = "lay_none"
        if step in (Step.STONE, Step.AGAIN):
            can_roll = rules.check_again(state, seat) == rules.Rule.LEGAL
            name = "stone" if step is Step.STONE and can_move(state, seat) else "again" if can_roll else "lost"
        return self.book.word(f"prompt_{name}", language).format(
            die=int(state.die), left=int(state.in_hand[seat]), rolls=int(state.rolls)
        )

    def scene(self, state: State, material: Material) -> Scene:  # noqa: ARG002
        """The sea and its islands."""
        return scene_of(state)

    def view(self, state: State, seat: int) -> View:  # noqa: ARG002
        """Jetties, stones and the die."""
        return view_of(state)

    def show(self, state: State, seat: int, action: int) -> list[str]:
        """The walk of a move."""
        if not MOVE <= action < KEEP:
            return []
        return [notation.spot_text(spot) for spot in self.walk(state, seat, *divmod(action - MOVE, ENDS))]

    def verdict(self, state: State, seat: int, language: Language) -> str:  # noqa: ARG002
        """Whether the limit of turns has ended the match."""
        is_won = any(stones_home(state, player) == STONES for player in range(state.players))
        return "" if is_won or state.step != Step.OVER else self.book.word("stopped", language)


GAME = Stege()
provide(LAYOUT, GAME.rules)
