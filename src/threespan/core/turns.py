"""Playing several actions of one seat in a row: the loop shared by drafts, plays, bots and the terminal."""

from collections.abc import Callable, Sequence

from threespan.core.errors import UserError
from threespan.core.game import Position
from threespan.core.rules import CHANCE


class ActionRefused(Exception):
    """One of several actions cannot be played; the ones before it have been."""

    def __init__(self, index: int, reason: UserError) -> None:
        """Refuse the action at `index`, counted from 0."""
        super().__init__(str(reason))
        self.index, self.reason = index, reason


class TurnOver(UserError):
    """There are more actions to play, but the seat's turn has ended, or something new has to be seen first."""

    def __init__(self, reveals: bool) -> None:
        """`reveals` if chance acts now, or the last action has made something hidden known."""
        super().__init__("the seat's turn has ended")
        self.reveals = reveals


def play_actions(
    position: Position, seat: int, actions: Sequence[str | int], play: Callable[[int], object] | None = None
) -> None:
    """Play a seat's actions, given as numbers or as texts; raises ActionRefused for the first that cannot be played.

    `play` is called with each action instead of `position.play`; it must change `position`.
    """
    reveals = False
    for index, given in enumerate(actions):
        if index and (reveals or seat not in position.acting()):
            raise ActionRefused(index, TurnOver(reveals or position.acting() == [CHANCE]))
        try:
            action = given if isinstance(given, int) else position.game.parse_action(position.state, given)
            reveals = position.game.uncovers(position.state, seat, action)
            if play is None:
                position.play(seat, action)
            else:
                play(action)
        except UserError as reason:
            raise ActionRefused(index, reason) from None
