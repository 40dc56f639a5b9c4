"""Stege as a game: options, setup and the words players read."""

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

import msgspec

from threespan.core.game import Game, Material, Role
from threespan.core.layout import State
from threespan.core.options import A_SEAT, Detail, Options
from threespan.core.rules import MAX_SEATS, RuleKernels, register_kernels
from threespan.core.words import Language
from threespan.games.stege import knowledge, notation, position, rules, speech, walks
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
    PASSING_ROUNDS,
    ROLLS,
    STONES,
    UNEVEN_PLAYERS,
    TurnStep,
)
from threespan.games.stege.stones import can_move, stones_home
from threespan.games.stege.view import Scene, View, scene_of, view_of

_ROLES = {"keep": Role.BUTTON, "roll again": Role.BUTTON, "pass": Role.FINISHER}


class StegeOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be chosen before a match of Stege."""

    players: Annotated[int, msgspec.Meta(ge=2, le=MAX_SEATS)] = 2
    board: str = "base"
    seating: Literal["crossing", "opposite"] = "crossing"  # of two players
    head_start: bool = False  # of three players, the one whose diagonal nobody shares begins with one stone home
    jetties_each: Annotated[int, msgspec.Meta(ge=1, le=MAX_JETTIES // 2)] = 5
    starts: Literal["random"] | Annotated[int, msgspec.Meta(ge=0, lt=MAX_SEATS)] = "random"
    door: Literal["reach", "beside"] = "reach"  # a stone at the door: one roll away from its target, or right beside it
    extra_rolls: Literal["two", "three"] = "two"
    must_move: bool = True

    details: ClassVar = {
        "board": Detail(values=boards.board_names, files="boards", part="board"),
        "seating": Detail(only_with={"players": (2,)}),
        "head_start": Detail(only_with={"players": (UNEVEN_PLAYERS,)}, since=2, is_house_rule=True),
        "jetties_each": Detail(max_with={"players": {players: MAX_JETTIES // players for players in (2, 3, 4)}}),
        "starts": A_SEAT,
        "door": Detail(since=3, is_house_rule=True),
        "extra_rolls": Detail(since=3, is_house_rule=True),
        "must_move": Detail(since=3, is_house_rule=True),
    }


class Stege(Game):
    """Stege."""

    code = "stege"
    folder = boards.FOLDER
    layout = LAYOUT
    rule_enum = rules.Rule
    kernels = RuleKernels.of(rules, knowledge)
    action_count = ACTIONS
    options = StegeOptions
    version = 3
    order = 2
    minutes = 45

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
        state.max_rolls = ROLLS[options.extra_rolls]
        state.may_pass = not options.must_move
        state.door_is_beside = options.door == "beside"
        state.taken = NONE
        state.corner = NONE
        for seat in range(options.players):
            is_opposite = options.seating == "opposite"
            state.corner[seat] = seat * (CORNERS // 2 if is_opposite else 1)
            state.in_hand[seat] = options.jetties_each
            state.stone[seat] = ISLAND
        if options.head_start:
            state.stone[ALONE, 0] = HOME
        if options.starts != "random":
            state.turn, state.step = options.starts, TurnStep.LAY
        return state

    def refresh(self, state: State) -> None:
        """Work out the derived sets; refuse positions that no match can have."""
        position.refresh(state)

    def action_text(self, state: State, action: int) -> str:
        """The text form of an action."""
        return notation.action_text(state, action)

    def parse_action(self, state: State, action_text: str) -> int:
        """The action of a text form."""
        return notation.parse_action(state, action_text)

    def role(self, action_text: str) -> Role:
        """Jetties and stones have their places; everything else is a button."""
        return _ROLES.get(action_text, Role.PLACE)

    def sentence(self, state: State, action_text: str, language: Language) -> str:
        """An action as a sentence."""
        return speech.sentence(state, action_text, language)

    def report(self, state: State, action_text: str, seat: int, names: Sequence[str], language: Language) -> str:
        """What a seat or chance did."""
        return speech.report(state, action_text, seat, names, language)

    def describe(self, state: State, seat: int, names: Sequence[str], language: Language) -> list[str]:
        """The sea, everybody's stones, the jetties and the die."""
        return speech.describe(state, seat, names, language)

    def prompt(self, state: State, seat: int, language: Language) -> str:
        """What to do now."""
        step = TurnStep(state.step)
        name = step.name.lower()
        if step is TurnStep.LAY and rules.check_pass(state, seat) == rules.Rule.LEGAL:
            name = "lay_none"
        if step in (TurnStep.STONE, TurnStep.AGAIN):
            name = self._after_roll(state, seat)
        roll = self.words.text(f"roll.{state.rolls}", language) if state.rolls else ""
        values = {"die": int(state.die), "left": int(state.in_hand[seat]), "roll": roll}
        return self.words.text(f"prompt.{name}", language, **values)

    def _after_roll(self, state: State, seat: int) -> str:
        """Which of the prompts tells what the roll was good for."""
        if state.step == TurnStep.STONE and can_move(state, seat):
            return "stone_or_pass" if state.may_pass else "stone"
        can_roll = rules.check_again(state, seat) == rules.Rule.LEGAL
        if state.step == TurnStep.AGAIN:
            return "again_extra" if can_roll else "lost_extra"
        return "again" if can_roll else "lost"

    def scene(self, state: State, material: Material) -> Scene:  # noqa: ARG002
        """The sea and its islands."""
        return scene_of(state)

    def view(self, state: State, seat: int) -> View:  # noqa: ARG002
        """Jetties, stones and the die."""
        return view_of(state)

    def path(self, state: State, seat: int, action: int) -> list[str]:
        """The walk of a move, spot by spot."""
        if not MOVE <= action < KEEP:
            return []
        walk = walks.path_of_move(state, seat, *divmod(action - MOVE, ENDS))
        return [notation.spot_text(spot) for spot in walk]

    def round_number(self, state: State) -> int:
        """The turns moved so far."""
        return int(state.turns)

    def verdict(self, state: State, seat: int, language: Language) -> str:  # noqa: ARG002
        """Whether passes or the limit of turns have ended the match."""
        is_won = any(stones_home(state, player) == STONES for player in range(state.players))
        if is_won or state.step != TurnStep.OVER:
            return ""
        is_passed = state.passes == PASSING_ROUNDS * state.players
        return self.words.text("label.stopped_by_passes" if is_passed else "label.stopped", language)


GAME = Stege()
register_kernels(LAYOUT, GAME.kernels)
