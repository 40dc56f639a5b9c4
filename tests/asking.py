"""Asking positions in the text forms of actions, for the tests of games."""

from enum import IntEnum

from threespan.core.game import Position


def ask(position: Position, action: str, seat: int = 0) -> IntEnum:
    """What `check` says of an action."""
    return position.check(seat, position.game.parse_action(position.state, action))


def play(position: Position, *actions: str, seat: int = 0) -> Position:
    """Carry out actions of a seat."""
    for action in actions:
        position.play(seat, position.game.parse_action(position.state, action))
    return position


def texts(position: Position, seat: int = 0) -> list[str]:
    """The legal actions of a seat in their text form."""
    return [position.game.action_text(position.state, action) for action in position.legal(seat)]
