"""Questions to the referee, in games whose players may draw illegal marks. They change nothing, and stay private."""

from threespan.core.game import Fault, Position
from threespan.core.words import Language
from threespan.table.drafts import draft
from threespan.table.messages.client import Check, Doubt
from threespan.table.messages.server import Checked, Doubted, FaultInfo
from threespan.table.plans import Seats, check_owns
from threespan.table.refusals import WORDS, Refusal
from threespan.table.state import TableState


def check_board(state: TableState, seats: Seats, message: Check, language: Language) -> Checked:
    """The mistakes on a seat's own board; raises Refusal, or ActionRefused for an action of its draft."""
    check_owns(seats, message.seat)
    seen = _observed(state, message.seat)
    if message.action_texts:
        check_has_referee(seen)
        seen = draft(state, message.seat, message.action_texts)
    faults = find_faults(seen, message.seat, language)
    found = [FaultInfo(fault.rule.name, fault.text, fault.places, fault.action_text) for fault in faults]
    return Checked(message.id, message.seat, found, findings_text(len(faults), language))


def _observed(state: TableState, seat: int) -> Position:
    if state.match is None:
        raise Refusal("not_begun")
    return state.match.position.observe(seat)


def check_has_referee(position: Position) -> None:
    """Raise Refusal where nobody may draw what is not allowed."""
    if not position.game.has_referee(position.options):
        raise Refusal("no_referee")


def find_faults(seen: Position, seat: int, language: Language) -> list[Fault]:
    """The mistakes on the board of the seat whose observation it is; raises Refusal."""
    check_has_referee(seen)
    return seen.game.faults(seen.state, seat, language)


def findings_text(count: int, language: Language) -> str:
    """How many mistakes the referee finds on one's own board, as a sentence."""
    return WORDS.text("check.faults" if count else "check.no_fault", language, count=count)


class Doubts:
    """Who has doubted which board since the last round ended.

    A doubt is not an event: it is not stored, and the match never depends on it. So it is kept only as long as a worker
    has the table in memory. Two workers would give the same answer, since it is made from what the seat may know, which
    does not change for other boards until the round ends.
    """

    def __init__(self) -> None:
        """Start without doubts."""
        self._round = 0
        self._asked: dict[tuple[int, int], str] = {}  # the id of the message, by the seat that asks and the board

    def ask(self, state: TableState, seats: Seats, message: Doubt, language: Language) -> Doubted:
        """Whether there is a mistake on another board; raises Refusal. A repeated message gets the same answer."""
        check_owns(seats, message.seat)
        state.running_match()
        is_wrong = self.answer(_observed(state, message.seat), message.seat, message.board, message.id)
        text = answer_to_doubt(is_wrong, state.names_in(language)[message.board], language)
        return Doubted(message.id, message.board, is_wrong, text)

    def answer(self, seen: Position, seat: int, board: int, request: str) -> bool:
        """Whether there is a mistake on another board, by what a seat may know; raises Refusal."""
        check_has_referee(seen)
        if board not in seen.seats:
            raise Refusal("no_such_board")
        if board == seat:
            raise Refusal("own_board")
        if not seen.game.may_doubt(seen.state, seat):
            raise Refusal("no_doubt_now")
        self._start_round(seen.game.round_number(seen.state))
        if self._asked.setdefault((seat, board), request) != request:
            raise Refusal("doubted_already")
        return seen.game.has_fault(seen.state, board)

    def _start_round(self, number: int) -> None:
        if number != self._round:
            self._round, self._asked = number, {}


def answer_to_doubt(is_wrong: bool, name: str, language: Language) -> str:
    """The referee's answer as a sentence; `name` is whose board was doubted."""
    return WORDS.text("doubt.wrong" if is_wrong else "doubt.right", language, name=name)
