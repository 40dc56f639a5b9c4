"""A question to a bot, which may travel to another process, and its answer."""

import hashlib
from collections.abc import Sequence

import msgspec

from threespan.core.game import Material, Position
from threespan.core.options import Value, option_values, read_options
from threespan.core.registry import find_game
from threespan.core.turns import ActionRefused, TurnOver, play_actions
from threespan.table.state import TableState


class BotQuery(msgspec.Struct, frozen=True, array_like=True):
    """Asks what a bot would play: everything it needs to know, and nothing that its seat may not know."""

    game: str
    options: dict[str, Value]
    material: Material
    observation: bytes  # of the seat; see observation_bytes
    seat: int
    level: str
    seed: int

    def position(self) -> Position:
        """The observation that the bot decides on."""
        game = find_game(self.game)
        options = read_options(game.options, self.options)
        return Position(game, options, self.material, game.layout.from_bytes(self.observation))


def observation_bytes(state: TableState, seat: int) -> bytes:
    """What a seat may know, as it is sent to a bot; raises Refusal if no match is running."""
    observation: bytes = state.running_match().position.observe(seat).state.tobytes()
    return observation


def query_for(state: TableState, seat: int, level: str) -> BotQuery:
    """The question what a bot of some level would play on a seat; raises Refusal if no match is running.

    Its seed is derived from the match, so that the same question gets the same answer and nobody can predict it.
    """
    observation = observation_bytes(state, seat)
    digest = hashlib.sha256(state.seed.secret + observation + seat.to_bytes(1, "big")).digest()
    seed = int.from_bytes(digest[:8], "big")
    return BotQuery(state.charter.game, option_values(state.options), state.material, observation, seat, level, seed)


def turn_texts(actions: Sequence[int], seen: Position, seat: int) -> list[str]:
    """The text forms of a bot's actions up to the end of its turn; they are played on the observation `seen`."""
    texts: list[str] = []

    def play(action: int) -> None:
        texts.append(seen.game.action_text(seen.state, action))
        seen.play(seat, action)

    try:
        play_actions(seen, seat, actions, play)
    except ActionRefused as refused:
        if not isinstance(refused.reason, TurnOver):
            raise
    return texts
