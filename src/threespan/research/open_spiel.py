"""The three games for OpenSpiel: importing this module registers `python_threespan_hashi`, `_stege` and `_elfer`.

    import pyspiel
    import threespan.research.open_spiel

    game = pyspiel.load_game("python_threespan_hashi(players=2,side=A)")

Chance nodes are explicit. Where several seats act at once, as in Hashi, they are asked in the order of their seats, and
nobody's information state shows what the others have done in the round before it ends.
"""

from collections.abc import Callable
from typing import Any, ClassVar

import msgspec
import numpy as np
import pyspiel

from threespan.core import calls
from threespan.core.chance import new_generators
from threespan.core.game import Game
from threespan.core.kernel import kernel
from threespan.core.registry import find_game
from threespan.core.rules import CHANCE, weight
from threespan.games.elfer import state as elfer
from threespan.games.hashi import state as hashi
from threespan.games.stege import state as stege
from threespan.research.episode import outcome_rewards
from threespan.research.spaces import DESCRIPTIONS, Setting
from threespan.research.tensor import TENSOR_TYPE, memory_of
from threespan.research.vector import observe_all

PREFIX = "python_threespan_"
# No match has more draws of chance, or more actions of seats.
_CHANCE_DRAWS: dict[str, Callable[[int], int]] = {
    "hashi": lambda _players: hashi.ROUNDS,
    "stege": lambda players: 1 + stege.MAX_TURNS * players * stege.MAX_ROLLS,
    "elfer": lambda _players: 1 + elfer.MAX_ROUNDS * elfer.TILES,
}
_STEPS_OF_SEATS: dict[str, Callable[[int], int]] = {
    "hashi": lambda players: players * (1 + hashi.ROUNDS * (1 + hashi.MAX_CARD_BRIDGES)),
    # Jetties laid; in a turn at most a jetty taken and laid, a stone moved, and two more rolls.
    "stege": lambda players: stege.MAX_JETTIES + 5 * stege.MAX_TURNS * players,
    # Far more than there is room for: a round at random has about 150.
    "elfer": lambda _players: elfer.MAX_ROUNDS * 20 * elfer.TILES,
}


def parameters_of(game: Game) -> dict[str, Any]:
    """The options of a game with their defaults, as OpenSpiel writes them; what may be a word or a number is text."""
    found = {}
    for field in msgspec.structs.fields(game.options):
        values = game.choices()[field.name]
        is_mixed = len({type(value) for value in [field.default, *values]}) > 1
        found[field.name] = str(field.default) if is_mixed else field.default
    return found | {"reward": "score"}


def type_of(game: Game) -> pyspiel.GameType:
    """How OpenSpiel classifies a game."""
    choices = game.choices()["players"]
    hides = game.code != "stege"
    kinds = pyspiel.GameType
    return kinds(
        short_name=PREFIX + game.code,
        long_name=f"Threespan {game.book.page.title.en}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if hides else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(choices),
        min_num_players=min(choices),
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
        code, game = self.code, find_game(self.code)
        given = parameters_of(game) | dict(params or {})
        self.setting = Setting(game, {name: given[name] for name in given if name != "reward"}, given["reward"])
        low, high = self.setting.reward_bounds
        players = self.setting.players
        info = pyspiel.GameInfo(
            num_distinct_actions=self.setting.seat_actions,
            max_chance_outcomes=game.actions,
            num_players=players,
            min_utility=low,
            max_utility=high,
            utility_sum=None,
            max_game_length=_STEPS_OF_SEATS[code](players),
        )
        super().__init__(TYPES[code], info, given)
        self.start = self.setting.start.tobytes()

    def new_initial_state(self) -> "ThreespanState":
        """The state before the first action."""
        return ThreespanState(self)

    def max_chance_nodes_in_history(self) -> int:
        """How often chance can act in a match."""
        return _CHANCE_DRAWS[self.code](self.setting.players)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "ThreespanObserver":
        """An observer of what a seat may know now, or of all that it has been told."""
        if params:
            raise ValueError(f"there are no parameters of observations, but got {params}")
        has_recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return ThreespanObserver(self.setting, has_recall)


class ThreespanState(pyspiel.State):  # type: ignore[misc]
    """A position and what every seat has been told on the way.

    All attributes are plain values: OpenSpiel clones states by copying and serializes them by pickling attributes.
    """

    def __init__(self, game: ThreespanGame) -> None:
        """The first position of a match."""
        super().__init__(game)
        self._code = game.setting.game.code
        self._players = game.setting.players
        self._reward = game.setting.reward
        self._bytes = game.start
        self._told = [""] * self._players  # the numbers of the actions that a seat knows of
        self._untold: list[tuple[int, int]] = []  # who did what, until everybody may know it
        self._acting = calls.who_acts(self.states())

    def states(self) -> Any:
        """The position as an array of one state, a copy."""
        layout = find_game(self._code).layout
        return np.frombuffer(bytearray(self._bytes), layout.dtype)

    def current_player(self) -> int:
        """The seat with the lowest number that may act, chance, or the end."""
        if self._acting == 0:
            return int(pyspiel.PlayerId.TERMINAL)
        if self._acting == 1 << CHANCE:
            return int(pyspiel.PlayerId.CHANCE)
        return (self._acting & -self._acting).bit_length() - 1

    def is_terminal(self) -> bool:
        """Whether the match has ended."""
        return self._acting == 0

    def _legal_actions(self, player: int) -> list[int]:
        actions = np.empty(find_game(self._code).actions, np.int16)
        listed: list[int] = actions[: calls.list_legal(self.states(), player, actions)].tolist()
        return listed

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may do, with probabilities."""
        states = self.states()
        tickets = calls.count_tickets(states)
        actions = np.empty(find_game(self._code).actions, np.int16)
        count = calls.list_legal(states, CHANCE, actions)
        return [(int(action), count_weight(states, action) / tickets) for action in actions[:count]]

    def _apply_action(self, action: int) -> None:
        player = self.current_player()
        seat = CHANCE if player == pyspiel.PlayerId.CHANCE else player
        states, game = self.states(), find_game(self._code)
        for viewer in range(self._players):
            if game.sees(states[0], seat, action, viewer):
                self._told[viewer] += f" {action}"
        if seat != CHANCE and not all(game.sees(states[0], seat, action, viewer) for viewer in range(self._players)):
            self._untold.append((seat, action))
        calls.carry_out(states, seat, action)
        if self._untold and game.reveals(states[0]):
            self._tell_all()
        self._bytes = states.tobytes()
        self._acting = calls.who_acts(states)

    def _tell_all(self) -> None:
        """Tell everybody what was hidden when it happened; in what order a seat did it stays unknown."""
        done = " ".join(f"{seat}:{action}" for seat, action in sorted(self._untold))
        self._told = [f"{told} [{done}]" for told in self._told]
        self._untold = []

    def _action_to_string(self, _player: int, action: int) -> str:
        return find_game(self._code).action_text(self.states()[0], action)

    def returns(self) -> list[float]:
        """The rewards of a finished match."""
        if not self.is_terminal():
            return [0.0] * self._players
        return outcome_rewards(self.get_game().setting, self.states())

    def told(self, player: int) -> str:
        """All that a seat has been told, in order, and what it sees now."""
        return f"{self._told[player]} | {self.seen(player)}"

    def seen(self, player: int) -> str:
        """What a seat may know now, as the text of a position."""
        states = self.states()
        calls.hide_from(states, player)
        return f"seat {player}: {find_game(self._code).layout.to_text(states[0])}"

    def resample_from_infostate(self, player: int, sampler: Any) -> "ThreespanState":
        """A state that `player` cannot tell from this one, what is hidden dealt anew at random.

        Its history is still that of this state: only look at what it does from here on.
        """
        states = self.states()
        calls.hide_from(states, player)
        calls.imagine_for(states, player, new_generators(int(sampler() * 2**63)))
        sample: ThreespanState = self.clone()
        sample._bytes = states.tobytes()
        return sample

    def __str__(self) -> str:
        layout = find_game(self._code).layout
        return layout.to_text(self.states()[0])


class ThreespanObserver:
    """What a seat may know: as a tensor with named parts, and as a text."""

    def __init__(self, setting: Setting, has_recall: bool) -> None:
        """An empty observation; with recall there is no tensor, as there is no end to what may be recalled."""
        self._setting, self._has_recall = setting, has_recall
        self._work = setting.new_states(1)
        self._memory = memory_of(self._work)
        self._numbers = np.zeros((1, setting.plan.size), TENSOR_TYPE)
        self.tensor = None if has_recall else np.zeros(setting.plan.size, np.float32)
        self.dict = {} if has_recall else setting.plan.named(self.tensor)

    def set_from(self, state: ThreespanState, player: int) -> None:
        """Fill the tensor."""
        if self.tensor is None:
            return
        plan = self._setting.plan
        viewer = np.full(1, max(player, 0), np.int8)
        observe_all(state.states(), self._work, self._memory, plan.runs, viewer, self._numbers)
        self.tensor[:] = self._numbers[0]

    def string_from(self, state: ThreespanState, player: int) -> str:
        """The text."""
        return state.told(player) if self._has_recall else state.seen(player)


@kernel
def count_weight(states: Any, action: int) -> int:
    """How many of the tickets belong to an action of chance."""
    return weight(states[0], action)


TYPES = {code: type_of(find_game(code)) for code in DESCRIPTIONS}


class HashiGame(ThreespanGame):
    """Hashi."""

    code = "hashi"


class StegeGame(ThreespanGame):
    """Stege."""

    code = "stege"


class ElferGame(ThreespanGame):
    """Elfer."""

    code = "elfer"


# OpenSpiel keeps what is registered until after Python has ended, where only a class survives being let go of.
for _kind in (HashiGame, StegeGame, ElferGame):
    if PREFIX + _kind.code not in pyspiel.registered_names():
        pyspiel.register_game(TYPES[_kind.code], _kind)
