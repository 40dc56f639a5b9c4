"""The games for OpenSpiel. Importing this module registers every game as `python_threespan_CODE`.

    import pyspiel
    import threespan.research.open_spiel

    game = pyspiel.load_game("python_threespan_CODE(players=2)")

Chance nodes are explicit. Seats that act simultaneously act one after the other here, in the order of their seats, and
no information state shows what the others have done until the round ends.
"""

from typing import Any, ClassVar

import numpy as np
import pyspiel

from threespan.core import calls
from threespan.core.arguments import seat_number
from threespan.core.chance import new_generators
from threespan.core.game import Game, Hidden, IllegalAction
from threespan.core.kernel import kernel, lowest_bit
from threespan.core.registry import codes, find_game
from threespan.core.rules import CHANCE, LEGAL, weight
from threespan.core.words import DEFAULT_LANGUAGE
from threespan.research.episode import outcome_rewards
from threespan.research.spaces import Setting
from threespan.research.tensor import TENSOR_TYPE, memory_of
from threespan.research.vector import observe_all

PREFIX = "python_threespan_"
_NO_SEAT = (int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL))


def parameters_of(game: Game) -> dict[str, Any]:
    """The options of a game with their defaults, for OpenSpiel; options that take numbers or words are texts."""
    found: dict[str, Any] = {}
    for spec in game.option_specs():
        is_mixed = spec.kind == "range" and bool(spec.values)
        found[spec.name] = str(spec.default) if is_mixed else spec.default
    return found | {"reward": "score"}


def type_of(game: Game) -> pyspiel.GameType:
    """The OpenSpiel type of a game."""
    has_hidden = game.hidden is not Hidden.NOTHING
    kinds = pyspiel.GameType
    return kinds(
        short_name=PREFIX + game.code,
        long_name=f"Threespan {game.rule_book.title.in_(DEFAULT_LANGUAGE)}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if has_hidden else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.seat_counts[-1],
        min_num_players=game.seat_counts[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=parameters_of(game),
    )


class ThreespanGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its options."""

    code: ClassVar[str]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Read the options; raises OptionError."""
        game = find_game(self.code)
        given = parameters_of(game) | dict(params or {})
        self.setting = Setting(game, {name: given[name] for name in given if name != "reward"}, given["reward"])
        low, high = self.setting.reward_bounds
        players = self.setting.players
        info = pyspiel.GameInfo(
            num_distinct_actions=self.setting.seat_actions,
            max_chance_outcomes=game.action_count,
            num_players=players,
            min_utility=low,
            max_utility=high,
            utility_sum=None,
            max_game_length=self.setting.description.max_seat_actions(self.setting.start),
        )
        super().__init__(TYPES[self.code], info, given)
        self.start = self.setting.start.tobytes()

    def new_initial_state(self) -> "ThreespanState":
        """The state before the first action."""
        return ThreespanState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The maximum number of chance actions in a match."""
        return self.setting.description.max_chance_actions(self.setting.players)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "ThreespanObserver":
        """An observer of what a seat may know now or, with perfect recall, of all that it has ever known."""
        if params:
            raise ValueError(f"observers take no parameters, but got {params}")
        has_recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return ThreespanObserver(self.setting, has_recall)


class ThreespanState(pyspiel.State):  # type: ignore[misc]
    """A position, and the actions that every seat knows of.

    All attributes are plain values, since OpenSpiel copies and pickles them.
    """

    def __init__(self, game: ThreespanGame) -> None:
        """The first position of a match."""
        super().__init__(game)
        self._code = game.setting.game.code
        self._players = game.setting.players
        self._reward = game.setting.reward
        self._bytes = game.start
        self._known = [""] * self._players  # the actions that each seat knows of
        self._unrevealed: list[tuple[int, int]] = []  # seat and action, until everybody may know them
        self._acting = calls.who_acts(self.states())

    def states(self) -> Any:
        """A copy of the position, as an array of one state."""
        layout = find_game(self._code).layout
        return np.frombuffer(bytearray(self._bytes), layout.dtype)

    def current_player(self) -> int:
        """The lowest seat that may act, or CHANCE, or TERMINAL."""
        if self._acting == 0:
            return int(pyspiel.PlayerId.TERMINAL)
        if self._acting == 1 << CHANCE:
            return int(pyspiel.PlayerId.CHANCE)
        return lowest_bit(self._acting)

    def is_terminal(self) -> bool:
        """Whether the match has ended."""
        return self._acting == 0

    def _legal_actions(self, player: int) -> list[int]:
        actions = np.empty(find_game(self._code).action_count, np.int16)
        seat = seat_number(player, self._players)
        listed: list[int] = actions[: calls.list_legal(self.states(), seat, actions)].tolist()
        return listed

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The possible actions of chance, with their probabilities."""
        states = self.states()
        tickets = calls.count_tickets(states)
        actions = np.empty(find_game(self._code).action_count, np.int16)
        count = calls.list_legal(states, CHANCE, actions)
        return [(int(action), count_weight(states, action) / tickets) for action in actions[:count]]

    def _apply_action(self, action: int) -> None:
        player = self.current_player()
        seat = CHANCE if player == pyspiel.PlayerId.CHANCE else player
        states, game = self.states(), find_game(self._code)
        self._refuse_illegal(states, seat, action)
        for viewer in range(self._players):
            if game.sees(states[0], seat, action, viewer):
                self._known[viewer] += f" {action}"
        if seat != CHANCE and not all(game.sees(states[0], seat, action, viewer) for viewer in range(self._players)):
            self._unrevealed.append((seat, action))
        calls.apply_action(states, seat, action)
        if self._unrevealed and game.reveals(states[0]):
            self._reveal()
        self._bytes = states.tobytes()
        self._acting = calls.who_acts(states)

    def _refuse_illegal(self, states: Any, seat: int, action: int) -> None:
        """Raise IllegalAction; OpenSpiel does not check actions itself."""
        game, rule_book = find_game(self._code), self.get_game().setting.rule_book
        if self.is_terminal() or not 0 <= action < game.action_count:
            raise IllegalAction(rule_book, game.rule_enum["NOT_NOW"], str(action))
        rule = game.rule_enum(calls.check_action(states, seat, action))
        if rule != LEGAL:
            raise IllegalAction(rule_book, rule, game.action_text(states[0], action))

    def _reveal(self) -> None:
        """Make hidden actions known to everybody, sorted so that their order stays hidden."""
        done = " ".join(f"{seat}:{action}" for seat, action in sorted(self._unrevealed))
        self._known = [f"{known} [{done}]" for known in self._known]
        self._unrevealed = []

    def _action_to_string(self, _player: int, action: int) -> str:
        return find_game(self._code).action_text(self.states()[0], action)

    def returns(self) -> list[float]:
        """The rewards of a finished match, or zeros."""
        if not self.is_terminal():
            return [0.0] * self._players
        return outcome_rewards(self.get_game().setting, self.states())

    def information_state(self, player: int) -> str:
        """All actions that a seat knows of, in order, and what it sees now."""
        return f"{self._known[player]} | {self.observation_text(player)}"

    def observation_text(self, player: int) -> str:
        """What a seat may know now, as a text."""
        states = self.states()
        calls.hide_from(states, seat_number(player, self._players))
        return f"seat {player}: {find_game(self._code).layout.to_text(states[0])}"

    def resample_from_infostate(self, player: int, sampler: Any) -> "ThreespanState":
        """A random state that `player` cannot distinguish from this one.

        Its history is still that of this state, so only use what happens from here on.
        """
        states, seat = self.states(), seat_number(player, self._players)
        calls.hide_from(states, seat)
        calls.imagine_for(states, seat, new_generators(int(sampler() * 2**63)))
        sample: ThreespanState = self.clone()
        sample._bytes = states.tobytes()
        return sample

    def __str__(self) -> str:
        layout = find_game(self._code).layout
        return layout.to_text(self.states()[0])


class ThreespanObserver:
    """Observes what a seat may know: as a tensor with named parts, and as a text."""

    def __init__(self, setting: Setting, has_recall: bool) -> None:
        """Prepare the tensor; with perfect recall there is none, since its size would be unlimited."""
        self._setting, self._has_recall = setting, has_recall
        self._work = setting.new_states(1)
        self._memory = memory_of(self._work)
        self._numbers = np.zeros((1, setting.plan.size), TENSOR_TYPE)
        self.tensor = None if has_recall else np.zeros(setting.plan.size, np.float32)
        self.dict = {} if has_recall else setting.plan.named(self.tensor)

    def set_from(self, state: ThreespanState, player: int) -> None:
        """Fill the tensor; if no seat acts, with what seat 0 sees."""
        if self.tensor is None:
            return
        plan = self._setting.plan
        seat = max(0, seat_number(player, self._setting.players, *_NO_SEAT))
        viewer = np.full(1, seat, np.int8)
        observe_all(state.states(), self._work, self._memory, plan.runs, viewer, self._numbers)
        self.tensor[:] = self._numbers[0]

    def string_from(self, state: ThreespanState, player: int) -> str:
        """The text of an observation, or of the information state with perfect recall."""
        return state.information_state(player) if self._has_recall else state.observation_text(player)


@kernel
def count_weight(states: Any, action: int) -> int:
    """How many of the tickets give an action of chance."""
    return weight(states[0], action)


def game_class(code: str) -> type[ThreespanGame]:
    """The class of a game. OpenSpiel keeps it until after Python has shut down, which only a class survives."""
    return type(f"{code.capitalize()}Game", (ThreespanGame,), {"code": code, "__doc__": f"The game '{code}'."})


TYPES = {code: type_of(find_game(code)) for code in codes()}
GAMES = {code: game_class(code) for code in codes()}

for _code, _type in TYPES.items():
    if PREFIX + _code not in pyspiel.registered_names():
        pyspiel.register_game(_type, GAMES[_code])
