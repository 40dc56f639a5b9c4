"""Matches with the free pen, full of mistakes, judged by the game and by the oracle side by side."""

import random
from collections.abc import Callable

from hashi import free_oracle as oracle
from threespan.core.chance import MatchSeed
from threespan.core.game import Position
from threespan.core.kernel import bits_of
from threespan.core.match import Match
from threespan.core.options import read_options
from threespan.core.rules import CHANCE
from threespan.games.hashi.game import GAME
from threespan.games.hashi.state import CARD, Bonus

Planner = Callable[[Position, int, int], list[str]]  # a lawful turn of a seat, by a seed


class Disagreement(AssertionError):
    """The game and the oracle judge differently."""


class Duel:
    """One match, played by the game and by the oracle."""

    def __init__(self, seed: int, planner: Planner, thoroughness: float) -> None:
        """A match that follows from a seed; at a share of its moments every action there is is asked about."""
        self.pick = random.Random(seed)
        players = self.pick.choice([1, 1, 2, 2, 3, 4])
        options = {"players": players, "side": self.pick.choice("AB"), "pen": "free"}
        self.match = Match.new(GAME, read_options(GAME.options, options), MatchSeed.of(f"free pen {seed}"))
        self.planner, self.thoroughness = planner, thoroughness
        self.carelessness = self.pick.choice([0.05, 0.2, 0.5, 0.9])  # how often a turn has a mistake in it
        self.mending = self.pick.choice([0.0, 0.3, 0.8])  # how often somebody looks for mistakes
        sea = oracle.Sea(self.position.material["board"])
        self.judge = oracle.Match([oracle.Board(sea) for _ in range(players)])
        self.todo: list[list[str]] = [[] for _ in range(players)]
        self.mistakes = self.erased = 0

    @property
    def position(self) -> Position:
        """Where the match stands."""
        return self.match.position

    def run(self) -> None:
        """Play to the end; raises Disagreement."""
        self._write_starts()
        self._turn_up()
        while seats := self.match.acting():
            seat = self.pick.choice(seats)
            self.compare(seat)
            self._act(seat, self._choose(seat))
        self._compare_end()

    def _write_starts(self) -> None:
        players = len(self.judge.boards)
        for seat in range(players):
            text = self.pick.choice(GAME.action_texts(self.position.state, self.position.legal(seat)))
            place, number = text.split()[1:]
            self.judge.boards[(seat + 1) % players].marks.append(oracle.Mark(0, place, int(number)))
            self.match.play(seat, GAME.parse_action(self.position.state, text))

    def _turn_up(self) -> None:
        """Tell the oracle of the card that has just been turned up."""
        text = next(event.action_text for event in reversed(self.match.events) if event.seat == CHANCE)
        number, bridges = text.split()[1].split("/")
        self.judge.turn_up(int(number), int(bridges))
        self._compare_doubts()
        self.todo = [self._plan(seat) for seat in range(len(self.judge.boards))]

    def _act(self, seat: int, text: str) -> None:
        action = GAME.parse_action(self.position.state, text)
        expected, found = self.judge.check(seat, text), self.position.check(seat, action).name
        self.expect(expected == found, f"{text}: {found}, not {expected}")
        if found != "LEGAL":
            return
        before = self.judge.round
        self.judge.play(seat, text)
        self.erased += text.startswith("erase")
        self.match.play(seat, action)
        if self.position.state.round_number > before:
            self._turn_up()

    # What is played

    def _plan(self, seat: int) -> list[str]:
        """A lawful turn or one that has been spoilt, without Done."""
        turn = [step for step in self.planner(self.position, seat, self.pick.getrandbits(32)) if step != "done"]
        while self.pick.random() < self.carelessness:
            self._spoil(turn, self.judge.boards[seat])
        return turn

    def _spoil(self, turn: list[str], board: oracle.Board) -> None:
        """Put a mistake into a turn, or a chance of one."""
        numbers = [place for place in board.sea.flags if place not in board.numbers(board.marks)]
        bridges = [index for index, step in enumerate(turn) if step.startswith("bridge")]
        line = f"bridge {self.pick.choice(board.sea.lines)}"
        match self.pick.randrange(6):
            case 0 | 1:
                turn.insert(self.pick.randrange(1, len(turn) + 1), line)
            case 2 if bridges:
                turn[self.pick.choice(bridges)] = line
            case 3 if bridges:
                turn.pop(self.pick.choice(bridges))
            case 4 if numbers:
                turn[0] = f"write {self.pick.choice(numbers)} {self.judge.cards[-1][0]}"
            case 5:
                rest = turn[1:]
                self.pick.shuffle(rest)
                turn[1:] = rest

    def _choose(self, seat: int) -> str:
        """The next step: of the plan, or erasing, also what cannot be erased, or anything."""
        board, todo = self.judge.boards[seat], self.todo[seat]
        wrong = [mark for mark in board.marks if mark.broken and mark.round >= self.judge.round - 2]
        if wrong and self.pick.random() < self.mending:
            return f"erase {self.pick.choice(wrong).place}"
        if self.pick.random() < 0.05:
            return GAME.action_text(self.position.state, self.pick.randrange(CARD))
        if not todo:
            return "done"
        step = todo.pop(0)
        if step.startswith("bridge") and board.step == "write":
            todo.insert(0, step)
            return "skip"
        return step

    # What is compared

    def expect(self, holds: bool, words: str) -> None:
        """Complain with everything that is needed to look at it."""
        if not holds:
            events = "\n".join(f"{event.seat}: {event.action_text}" for event in self.match.events[-60:])
            raise Disagreement(f"{words}\n{events}\n{self.position.text()}")

    def compare(self, seat: int) -> None:
        """Everything that can be seen of a board."""
        state, board = self.position.state, self.judge.boards[seat]
        places = [f"{place:02}" for place in state.place]
        view = GAME.view(state, seat).boards[seat]
        scene = GAME.scene(state, self.position.material)
        numbers = {places[island]: number for island, number in enumerate(view.numbers) if number}
        self.expect(numbers == board.numbers(board.marks), "the numbers differ")
        for line, count in zip(scene.lines, view.bridges, strict=True):
            self.expect(count == sum(mark.place == line.place for mark in board.marks), f"bridges on {line.place}")
        struck = {places[one.island]: one.rule for one in view.struck}
        self.expect(struck == board.struck, f"struck out are {struck}, not {board.struck}")
        looks = {places[island] for island in view.finished}
        self.expect(looks == self.judge.looks_finished(board), "other islands look finished")
        finished = {places[island] for island in bits_of(int(state.finished[seat]))}
        self.expect(finished == self.judge.finished(board), f"finished are {finished}")
        faults = [
            (fault.places[0], fault.rule.name, bool(fault.action_text)) for fault in GAME.faults(state, seat, "en")
        ]
        expected = [
            (mark.place, mark.name, self._erases(seat, mark))
            for mark in self.judge.open_faults(board)
        ]  # fmt: skip
        self.expect(faults == expected, f"the faults are {faults}, not {expected}")
        self.mistakes += bool(faults)
        if self.pick.random() < self.thoroughness:
            self._compare_all_actions(seat)

    def _erases(self, seat: int, mark: oracle.Mark) -> bool:
        """Whether erasing takes back this mark, now."""
        board = self.judge.boards[seat]
        target = self.judge._target(board, mark.place)
        return board.step != "done" and mark is target and self.judge.can_go(board, mark)

    def _compare_all_actions(self, seat: int) -> None:
        state, legal = self.position.state, []
        for action in range(CARD):
            text = GAME.action_text(state, action)
            expected, found = self.judge.check(seat, text), self.position.check(seat, action).name
            self.expect(expected == found, f"{text}: {found}, not {expected}")
            legal += [action] if expected == "LEGAL" else []
        self.expect(self.position.legal(seat) == legal, "other actions are legal")

    def _compare_doubts(self) -> None:
        """Right after a card is turned up, what the referee says to doubts of others' boards."""
        for board in range(len(self.judge.boards)):
            expected = bool(self.judge.open_faults(self.judge.boards[board]))
            for asker in range(len(self.judge.boards)):
                seen = self.position.observe(asker).state
                self.expect(GAME.may_doubt(seen, asker) == (self.judge.round > 1), "doubting is allowed")
                self.expect(GAME.has_fault(seen, board) == expected, f"a doubt of board {board} is {not expected}")

    def _compare_end(self) -> None:
        state = self.position.state
        scores, ranks = self.position.outcome()
        expected = [self.judge.score(seat) for seat in self.position.seats]
        self.expect(scores == expected, f"the scores are {scores}, not {expected}")
        self.expect(ranks == [1 + sum(o > s for o in expected) for s in expected], "the ranks differ")
        for seat, board in enumerate(self.judge.boards):
            self.compare(seat)
            races = {bonus.name: int(state.won_in[seat, bonus]) for bonus in Bonus if state.won_in[seat, bonus]}
            self.expect(races == board.races, f"races are won in {races}, not {board.races}")
            struck = sum(cost.text.count("struck out") for cost in GAME.costs(state, seat, "en"))
            self.expect(struck == len(set(board.struck.values())), "the costs are of other clauses")


def any_lawful_turn(position: Position, seat: int, seed: int) -> list[str]:
    """A turn that breaks no clause, at random: a number, then as many bridges as the card shows, or none."""
    pick = random.Random(seed)
    strict = GAME.start(read_options(GAME.options, {"side": position.options.side}))  # type: ignore[attr-defined]
    state, source = strict.state, position.state
    state.number[0], state.bridges[0] = source.number[seat], source.bridges[seat]
    state.phase, state.round_number = source.phase, source.round_number
    state.card_number, state.card_bridges = source.card_number, source.card_bridges
    state.step[0], state.bridges_left[0] = 1, source.card_bridges
    for island in range(len(state.place)):  # what is overfull is closed to lawful play
        degree = int(source.degree[seat, island])
        if degree > (state.number[0, island] or 6):
            return ["skip"]
    GAME.refresh(state)
    turn = []
    while strict.acting() == [0] and state.round_number == source.round_number:
        legal = strict.legal(0)
        action = pick.choice(legal if len(legal) == 1 or pick.random() < 0.2 else legal[:-1])
        turn.append(GAME.action_text(state, action))
        strict.play(0, action)
    return turn if turn[1:] != ["skip"] else turn[:1]
