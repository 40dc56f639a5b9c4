"""The interface of a game, and positions: states with their game, which check before they act."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import numpy as np
from rich.text import Text as Picture

from threespan.core import calls
from threespan.core.chance import new_generators
from threespan.core.errors import UserError
from threespan.core.layout import Layout, State
from threespan.core.options import Options, option_choices
from threespan.core.rulebook import Language, RuleBook
from threespan.core.rules import CHANCE, LEGAL, MAX_SEATS, Rules

Material = dict[str, Any]

# The seats of every mask that says who acts.
_SEATS_OF = [[seat for seat in range(CHANCE + 1) if mask >> seat & 1] for mask in range(2 << CHANCE)]


class NotationError(UserError):
    """A text is not an action."""


class IllegalAction(UserError):
    """An action is refused; `rule` is the clause that forbids it."""

    def __init__(self, game: "Game", rule: IntEnum, text: str) -> None:
        """Refuse the action `text` of a game by a clause."""
        super().__init__(f"{text}: {rule.name}: {game.book.refusal(rule, 'en')}")
        self.game, self.rule, self.text = game, rule, text

    def reason(self, language: Language) -> str:
        """Why it is refused and what would be right."""
        return self.game.book.refusal(self.rule, language)


class Game(ABC):
    """A game: its state, its rules and its notation. All matches of a game share one instance."""

    code: ClassVar[str]
    folder: ClassVar[Path]  # where rules.toml and the game's own material lie
    layout: ClassVar[Layout]
    rule: ClassVar[type[IntEnum]]
    rules: ClassVar[Rules]
    actions: ClassVar[int]  # actions are the numbers from 0 up to but not including this one
    options: ClassVar[type[Options]]

    @cached_property
    def book(self) -> RuleBook:
        """The rule book in both languages."""
        return RuleBook(self.rule, self.folder / "rules.toml")

    def choices(self) -> dict[str, list[Any]]:
        """The values each option can take; of a range of numbers its ends."""
        return option_choices(self.options)

    @abstractmethod
    def material(self, options: Options) -> Material:
        """The boards and cards that the options name, in a form that records can carry."""

    @abstractmethod
    def setup(self, options: Options, material: Material) -> State:
        """The state before the first action; raises MaterialError for material that cannot be played."""

    @abstractmethod
    def refresh(self, state: State) -> None:
        """Work out the derived fields; raises PositionError where the played ones contradict each other."""

    @abstractmethod
    def action_text(self, state: State, action: int) -> str:
        """The text form of an action."""

    def action_texts(self, state: State, actions: Sequence[int]) -> list[str]:
        """The text forms of several actions."""
        return [self.action_text(state, action) for action in actions]

    @abstractmethod
    def parse_action(self, state: State, text: str) -> int:
        """The action of a text form; raises NotationError."""

    @abstractmethod
    def picture(self, state: State, seat: int, language: Language) -> Picture:
        """What a seat (or a WATCHER) sees, drawn for a terminal; `state` is that seat's observation."""

    @abstractmethod
    def prompt(self, state: State, seat: int, language: Language) -> str:
        """What a seat that acts has to do now, in one plain sentence."""

    @abstractmethod
    def scene(self, state: State, material: Material) -> msgspec.Struct:
        """What a page draws once and what never changes in a match: the board, the cards, who sits where."""

    @abstractmethod
    def view(self, state: State, seat: int) -> msgspec.Struct:
        """What a page draws anew after every action for a seat (or a WATCHER); `state` is that seat's observation.

        It may be an observation in which the seat has carried out actions of its own, to show what they would do.
        """

    def show(self, state: State, seat: int, action: int) -> list[str]:  # noqa: ARG002
        """The spots to light up, one after the other, for a legal action; by default none."""
        return []

    def sees(self, state: State, seat: int, action: int, viewer: int) -> bool:  # noqa: ARG002
        """Whether a viewer learns of an action when it happens in `state`; by default everybody does."""
        return True

    def reveals(self, state: State) -> bool:  # noqa: ARG002
        """Whether everybody may know by now what was hidden when it happened; by default that never comes."""
        return False

    def verdict(self, state: State, seat: int, language: Language) -> str:  # noqa: ARG002
        """What to say to a seat after the match beyond its score."""
        return ""

    def start(self, options: Options) -> "Position":
        """The first position of a match."""
        return Position(self, options, material := self.material(options), self.setup(options, material))


class Position:
    """A state of a game that refuses illegal actions."""

    def __init__(self, game: Game, options: Options, material: Material, state: State) -> None:
        """Hold a copy of a state with what it belongs to."""
        self.game, self.options, self.material = game, options, material
        self._states = game.layout.hold(state)
        self.state: State = self._states[0]  # what is written to it changes the position

    @classmethod
    def from_text(cls, game: Game, options: Options, text: str) -> "Position":
        """The position of a text form; raises PositionError."""
        position = game.start(options)
        game.layout.from_text(text, position.state)
        game.refresh(position.state)
        return position

    def text(self) -> str:
        """The text form: everything that play has changed."""
        return self.game.layout.to_text(self.state)

    def copy(self) -> "Position":
        """A position of its own."""
        return Position(self.game, self.options, self.material, self.state)

    @property
    def seats(self) -> range:
        """The seats of the match."""
        return range(self.options.players)

    def acting(self) -> list[int]:
        """The seats that may act now, or CHANCE alone; empty when the match is over."""
        return _SEATS_OF[calls.who_acts(self._states)].copy()

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return not self.acting()

    def check(self, seat: int, action: int) -> IntEnum:
        """The first clause that forbids an action, or LEGAL."""
        if self._is_known(seat, action):
            return self.game.rule(calls.check_action(self._states, seat, action))
        return self.game.rule["NOT_NOW"]

    def _is_known(self, seat: int, action: int) -> bool:
        return (0 <= seat < self.options.players or seat == CHANCE) and 0 <= action < self.game.actions

    def legal(self, seat: int) -> list[int]:
        """The legal actions of a seat or of CHANCE, ascending."""
        if seat not in self.seats and seat != CHANCE:
            return []
        actions = np.empty(self.game.actions, np.int16)
        listed: list[int] = actions[: calls.list_legal(self._states, seat, actions)].tolist()
        return listed

    def play(self, seat: int, action: int) -> None:
        """Carry out an action, or raise IllegalAction and change nothing."""
        if not self._is_known(seat, action) or calls.try_action(self._states, seat, action) != LEGAL:
            raise IllegalAction(self.game, self.check(seat, action), self.game.action_text(self.state, action))

    def tickets(self) -> int:
        """How many equally likely outcomes chance has now."""
        return calls.count_tickets(self._states)

    def draw(self, ticket: int) -> int:
        """The action of CHANCE that belongs to a ticket."""
        return int(calls.draw_ticket(self._states, ticket))

    def observe(self, seat: int) -> "Position":
        """What a seat or a WATCHER may know: the same position with everything else blotted out."""
        seen = self.copy()
        calls.hide_from(seen._states, seat)
        return seen

    def imagine(self, seat: int, seed: int) -> "Position":
        """A full position that this observation of `seat` could come from, at random."""
        imagined = self.copy()
        calls.imagine_for(imagined._states, seat, new_generators(seed))
        return imagined

    def outcome(self) -> tuple[list[int], list[int]]:
        """Scores and ranks of the seats as things stand."""
        table = np.zeros((2, MAX_SEATS), np.int32)
        calls.work_out(self._states, table)
        scores, ranks = table[:, : len(self.seats)].tolist()
        return scores, ranks

    def score_sheet(self, seat: int) -> Iterator[tuple[IntEnum, int]]:
        """Which clause gives a seat which points."""
        for rule in self.game.book.of_kind("score"):
            if points := int(calls.count_points(self._states, seat, rule.value)):
                yield rule, points
