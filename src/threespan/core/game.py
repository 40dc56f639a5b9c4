"""The Game interface, and Position: a state together with its game that checks every action before playing it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from enum import Enum, IntEnum
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import msgspec

from threespan.core import calls
from threespan.core.arguments import ArgumentError, seat_number, whole_number
from threespan.core.chance import new_generators
from threespan.core.errors import UserError, shortened
from threespan.core.kernel import bits_of
from threespan.core.layout import Layout, State
from threespan.core.material import MaterialError, builtin_material
from threespan.core.memory import array_of, int16, new_array
from threespan.core.options import (
    Detail,
    Options,
    OptionSpec,
    Value,
    option_specs,
    option_values,
    read_options,
    value_word,
)
from threespan.core.rulebook import RuleBook
from threespan.core.rules import CHANCE, LEGAL, WATCHER, RuleKernels
from threespan.core.words import CORE_WORDS, DEFAULT_LANGUAGE, Language, LocalizedError, Words, load_words

Material = dict[str, Any]

# The seats in each possible bit mask of acting seats.
_SEATS_OF = [bits_of(mask) for mask in range(2 << CHANCE)]


class NotationError(LocalizedError):
    """A text does not name an action."""

    @classmethod
    def unknown(cls, action_text: str, *examples: str) -> "NotationError":
        """A text that is not an action of the game; `examples` are action texts, the same in every language."""
        quoted = ", ".join(f"'{example}'" for example in examples)
        return cls(CORE_WORDS, "notation.not_an_action", text=shortened(action_text), examples=quoted)


class IllegalAction(UserError):
    """An action is refused; `rule` is the clause that forbids it."""

    def __init__(self, rule_book: RuleBook, rule: IntEnum, action_text: str) -> None:
        """Refuse an action because of a clause; `rule_book` is the one for the options of the match."""
        super().__init__(f"{action_text}: {rule.name}: {rule_book.refusal(rule, DEFAULT_LANGUAGE)}")
        self.rule_book, self.rule, self.action_text = rule_book, rule, action_text

    def text(self, language: Language) -> str:
        """Why the action is refused and what would be legal, in one language."""
        return self.rule_book.refusal(self.rule, language)


class Hidden(Enum):
    """What players may not know about each other."""

    NOTHING = "nothing"  # everything is public
    MOVES = "moves"  # simultaneous moves stay secret until everybody has moved
    HANDS = "hands"  # what others hold: players who share a device have to look away


class Role(Enum):
    """How an action is offered to a player."""

    PLACE = "place"  # by choosing a place on the board
    BUTTON = "button"  # by a button, because it has no place on the board
    FINISHER = "finisher"  # by a button that only ends what the player is doing
    DONE = "done"  # by the button that ends the turn and plays the draft
    ANSWER = "answer"  # by a button that always needs Done, so that the speed of the answer gives nothing away


class Fault(NamedTuple):
    """A mark that breaks a clause, in a game whose players may draw illegal marks."""

    rule: IntEnum
    text: str  # which mark it is, and what is wrong with it
    places: list[str]  # to highlight: the mark itself, then what it affects
    action_text: str  # of the action that removes it now; empty if there is none


class Cost(NamedTuple):
    """The cost of a seat's mistakes against one clause."""

    rule: IntEnum
    text: str
    points: int  # lost by the mistakes


class Game(ABC):
    """A game: its state, rules, notation and texts. All matches of a game share one instance."""

    code: ClassVar[str]
    folder: ClassVar[Path]  # contains rules.toml, words/ and the game's boards and decks
    layout: ClassVar[Layout]
    rule_enum: ClassVar[type[IntEnum]]  # LEGAL and one member for each clause of the rule book
    kernels: ClassVar[RuleKernels]  # the rules as compiled functions
    action_count: ClassVar[int]  # actions are numbered from 0 to action_count - 1
    options: ClassVar[type[Options]]
    version: ClassVar[int] = 1  # of the rules; stored in records
    minutes: ClassVar[int]  # how long a match takes, roughly
    order: ClassVar[int] = 100  # games are listed by this number, then by code
    hidden: ClassVar[Hidden] = Hidden.NOTHING

    @cached_property
    def words(self) -> Words:
        """All texts of the game, in every language."""
        return load_words(self.folder)

    @cached_property
    def rule_book(self) -> RuleBook:
        """The rule book, in every language, with the texts for the default options."""
        return RuleBook(self.rule_enum, self.folder, self.words, self.option_specs())

    def option_specs(self) -> list[OptionSpec]:
        """The options that can be chosen before a match."""
        return option_specs(self.options)

    def option_title(self, option: str, language: Language) -> str:
        """The title of an option."""
        return self.words.text(f"option.{option}.title", language)

    def value_title(self, option: str, value: Value, language: Language) -> str:
        """The title of an option's value; a user's own board or deck has no title but its name."""
        key = f"option.{option}.{value_word(value)}"
        return self.words.text(key, language) if key in self.words else str(value)

    def value_effect(self, option: str, value: Value, language: Language) -> str:
        """What a value of a house rule means, in one sentence."""
        return self.words.text(f"option.{option}.effect.{value_word(value)}", language)

    @property
    def seat_counts(self) -> range:
        """How many players a match can have."""
        players = next(spec for spec in self.option_specs() if spec.name == "players")
        return range(players.low, players.high + 1)

    @abstractmethod
    def material(self, options: Options) -> Material:
        """The boards and decks that the options name, in a form that records can store."""

    @abstractmethod
    def setup(self, options: Options, material: Material) -> State:
        """The state before the first action; raises MaterialError if the material is invalid."""

    def check_material(self, options: Options, material: Material) -> None:
        """Check that material fits the options of a match; raises MaterialError.

        Material with the name of a built-in file must equal that file. A user's own board may be anything valid.
        """
        names = {name: detail for name, detail in self.options.details.items() if detail.part}
        defaults = {spec.name: spec.default for spec in self.option_specs() if spec.name in names}
        own = {name for name in names if getattr(options, name) not in self._builtin_names(names[name])}
        for name in own:
            _check_file_name(name, getattr(options, name))
        builtin = self.material(msgspec.structs.replace(options, **{name: defaults[name] for name in own}))
        for part in material:
            if part not in builtin:
                raise MaterialError(
                    f"'{shortened(part)}' is not part of the material; its parts are {', '.join(builtin)}"
                )
        state = self.setup(options, material)
        for name in names.keys() - own:
            part, value = names[name].part, getattr(options, name)
            if self.setup(options, material | {part: builtin[part]}).tobytes() != state.tobytes():
                difference = f"'{part}' in the material is not what the built-in {value} has"
                raise MaterialError(f"option {name} is {value}, but {difference}")

    def _builtin_names(self, detail: Detail) -> dict[str, Path]:
        return builtin_material(self.folder, detail.files)

    @abstractmethod
    def refresh(self, state: State) -> None:
        """Recompute the derived fields; raises PositionError if the other fields contradict each other."""

    @abstractmethod
    def action_text(self, state: State, action: int) -> str:
        """The text form of an action."""

    def action_texts(self, state: State, actions: Sequence[int]) -> list[str]:
        """The text forms of several actions."""
        return [self.action_text(state, action) for action in actions]

    @abstractmethod
    def parse_action(self, state: State, action_text: str) -> int:
        """The action that a text stands for; raises NotationError."""

    def role(self, action_text: str) -> Role:  # noqa: ARG002
        """How an action is offered to the player; by default as a place on the board."""
        return Role.PLACE

    def sentence(self, state: State, action_text: str, language: Language) -> str:  # noqa: ARG002
        """An action in plain words, without the name of the player."""
        return action_text

    def report(
        self,
        state: State,  # noqa: ARG002
        action_text: str,
        seat: int,  # noqa: ARG002
        names: Sequence[str],  # noqa: ARG002
        language: Language,  # noqa: ARG002
    ) -> str:
        """What a seat (or CHANCE) did, as a sentence; a seat whose name is empty is addressed as "you"."""
        return action_text

    def notice_group(self, state: State, seat: int, action: int) -> str:  # noqa: ARG002
        """The key of the text (under `many`) that sums up several such actions in a row; by default there is none."""
        return ""

    def ready_prompt(self, action_text: str, language: Language) -> str:  # noqa: ARG002
        """The prompt once an action completes a turn that is not final yet; by default the page's own text."""
        return ""

    def describe(self, state: State, seat: int, names: Sequence[str], language: Language) -> list[str]:  # noqa: ARG002
        """The position in words, line by line, as a seat (or WATCHER) sees it; `state` is that viewer's observation."""
        return []

    @abstractmethod
    def prompt(self, state: State, seat: int, language: Language) -> str:
        """What a seat that is to act has to do now, in one sentence."""

    @abstractmethod
    def scene(self, state: State, material: Material) -> msgspec.Struct:
        """What a page draws once because it never changes during a match: the board, the cards, who sits where."""

    @abstractmethod
    def view(self, state: State, seat: int) -> msgspec.Struct:
        """What a page redraws after every action for a seat (or WATCHER); `state` is that viewer's observation.

        The seat may already have played drafted actions in that observation, to preview their effect.
        """

    def path(self, state: State, seat: int, action: int) -> list[str]:  # noqa: ARG002
        """The places on the board that a legal action passes through, in order; by default none."""
        return []

    def sees(self, state: State, seat: int, action: int, viewer: int) -> bool:  # noqa: ARG002
        """Whether a viewer learns of an action at the moment it is played in `state`; by default everybody does."""
        return True

    def uncovers(self, state: State, seat: int, action: int) -> bool:  # noqa: ARG002
        """Whether an action of a seat makes something hidden known, as otherwise only chance does; by default none.

        Such an action is final at once: it cannot be followed by others in a draft, and it cannot be undone. The answer
        must depend on public information only.
        """
        return False

    def reveals(self, state: State) -> bool:  # noqa: ARG002
        """Whether actions that were hidden when they were played are public in this state; by default never."""
        return False

    def current_scores(self, position: "Position") -> list[int]:
        """The score of each seat so far, as everybody may see it; by default the score if the match ended now."""
        return position.outcome()[0]

    def round_number(self, state: State) -> int:  # noqa: ARG002
        """The round (or turn) of a position, for navigating replays; 0 if the game has no rounds."""
        return 0

    def score_text(self, state: State, seat: int, rule: IntEnum, language: Language) -> str:  # noqa: ARG002
        """The text of a line on a seat's score sheet; by default the title of the clause."""
        return self.rule_book[rule].title.in_(language)

    def has_referee(self, options: Options) -> bool:  # noqa: ARG002
        """Whether illegal marks are judged by a referee in a match; by default they are refused at once."""
        return False

    def faults(self, state: State, seat: int, language: Language) -> list[Fault]:  # noqa: ARG002
        """The mistakes on a seat's own board; `state` is that seat's observation."""
        return []

    def may_doubt(self, state: State, seat: int) -> bool:  # noqa: ARG002
        """Whether a seat may ask the referee about the boards of others now."""
        return False

    def has_fault(self, state: State, board: int) -> bool:  # noqa: ARG002
        """Whether there is a mistake on another seat's board; `state` is the observation of the seat that asks."""
        return False

    def costs(self, state: State, seat: int, language: Language) -> list[Cost]:  # noqa: ARG002
        """The cost of a seat's mistakes after the match, clause by clause."""
        return []

    def verdict(self, state: State, seat: int, language: Language) -> str:  # noqa: ARG002
        """A remark on a seat's result beyond its score."""
        return ""

    def start(self, options: Options) -> "Position":
        """The first position of a match."""
        self.check_options(options)
        return Position(self, options, material := self.material(options), self.setup(options, material))

    def check_options(self, options: Options) -> None:
        """Check options that were not made by `read_options`; raises UserError."""
        if type(options) is not self.options:
            raise ArgumentError(f"the options of {self.code} are {self.options.__name__}, not {type(options).__name__}")
        read_options(self.options, option_values(options), strict=True)


def _check_file_name(option: str, name: str) -> None:
    """Check that the name of a board or deck can be the name of a file; raises MaterialError."""
    if not name.isprintable() or "/" in name or not 0 < len(name) <= _MAX_NAME_LENGTH:
        raise MaterialError(f"option {option}: '{shortened(name)}' cannot be the name of a file")


_MAX_NAME_LENGTH = 200


class Position:
    """A state of a game that refuses illegal actions."""

    def __init__(self, game: Game, options: Options, material: Material, state: State) -> None:
        """Copy a state, and keep the game, options and material that it belongs to."""
        self.game, self.options, self.material = game, options, material
        self._states = game.layout.array_copy(state)
        self.state: State = self._states[0]  # a view: writing to it changes the position

    @classmethod
    def from_text(cls, game: Game, options: Options, text: str) -> "Position":
        """The position that a text stands for; raises PositionError."""
        position = game.start(options)
        game.layout.from_text(text, position.state)
        game.refresh(position.state)
        return position

    def text(self) -> str:
        """The text form: all fields that play can change."""
        return self.game.layout.to_text(self.state)

    def copy(self) -> "Position":
        """An independent copy."""
        return Position(self.game, self.options, self.material, self.state)

    @property
    def seats(self) -> range:
        """The seats of the match."""
        return range(self.options.players)

    @property
    def rule_book(self) -> RuleBook:
        """The rule book with the texts for the options of the match."""
        return self.game.rule_book.for_options(self.options)

    def acting(self) -> list[int]:
        """The seats that may act now, or CHANCE alone; empty when the match is over."""
        return _SEATS_OF[calls.who_acts(self._states)].copy()

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return not self.acting()

    def check(self, seat: int, action: int) -> IntEnum:
        """The first clause that forbids an action, or LEGAL."""
        seat, action = whole_number("seat", seat), whole_number("action", action)
        if self._exists(seat, action):
            return self.game.rule_enum(calls.check_action(self._states, seat, action))
        return self.game.rule_enum["NOT_NOW"]

    def _exists(self, seat: int, action: int) -> bool:
        return (0 <= seat < self.options.players or seat == CHANCE) and 0 <= action < self.game.action_count

    def legal(self, seat: int) -> list[int]:
        """The legal actions of a seat or of CHANCE, ascending; none for a seat that does not exist."""
        seat = whole_number("seat", seat)
        if not 0 <= seat < self.options.players and seat != CHANCE:
            return []
        actions = new_array(self.game.action_count, int16)
        listed: list[int] = actions[: calls.list_legal(self._states, seat, actions)].tolist()
        return listed

    def play(self, seat: int, action: int) -> None:
        """Play an action, or raise IllegalAction and change nothing."""
        seat, action = whole_number("seat", seat), whole_number("action", action)
        if not self._exists(seat, action) or calls.try_action(self._states, seat, action) != LEGAL:
            raise IllegalAction(self.rule_book, self.check(seat, action), self._text_or_number(action))

    def _text_or_number(self, action: int) -> str:
        """The text form of an action, or a number that is no action as it is."""
        return self.game.action_text(self.state, action) if 0 <= action < self.game.action_count else str(action)

    def tickets(self) -> int:
        """How many equally likely outcomes the current chance event has."""
        return calls.count_tickets(self._states)

    def draw(self, ticket: int) -> int:
        """The action of CHANCE for an outcome (ticket) from 0 to tickets() - 1."""
        ticket = whole_number("ticket", ticket)
        if calls.who_acts(self._states) != 1 << CHANCE or not 0 <= ticket < self.tickets():
            raise ArgumentError(f"there is no chance event now with a ticket {ticket}")
        return int(calls.draw_ticket(self._states, ticket))

    def observe(self, seat: int) -> "Position":
        """What a seat (or WATCHER) may know: the same position with everything hidden from it removed."""
        viewer = seat_number(seat, self.options.players, WATCHER)
        seen = self.copy()
        calls.hide_from(seen._states, viewer)
        return seen

    def imagine(self, seat: int, seed: int) -> "Position":
        """A random full position that is consistent with this observation of `seat`."""
        viewer = seat_number(seat, self.options.players, WATCHER)
        imagined = self.copy()
        calls.imagine_for(imagined._states, viewer, new_generators(seed))
        return imagined

    def outcome(self) -> tuple[list[int], list[int]]:
        """Scores and ranks of the seats if the match ended now."""
        table = array_of(calls.OUTCOME)
        calls.write_outcome(self._states, table)
        scores, ranks = table.tolist()
        return scores[: len(self.seats)], ranks[: len(self.seats)]

    def score_sheet(self, seat: int) -> Iterator[tuple[IntEnum, int]]:
        """The clauses that give a seat points, with the points."""
        number = seat_number(seat, self.options.players)
        for rule in self.game.rule_book.of_kind("score"):
            if points := int(calls.count_points(self._states, number, rule.value)):
                yield rule, points
