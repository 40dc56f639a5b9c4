"""A match in a terminal: input and output."""

import time
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from threespan.bots.bot import Bot
from threespan.bots.cast import character, full_name
from threespan.bots.levels import find_bot
from threespan.bots.names import AUTOPILOT
from threespan.core.chance import MatchSeed
from threespan.core.errors import UserError
from threespan.core.game import Game, IllegalAction, NotationError, Position
from threespan.core.match import Match
from threespan.core.options import Options
from threespan.core.picture import picture_of
from threespan.core.record import write_record
from threespan.core.rules import CHANCE, LEGAL, WATCHER
from threespan.core.turns import ActionRefused, play_actions
from threespan.core.words import LANGUAGES, Language, load_words
from threespan.review.best import best_possible
from threespan.table.referee import Doubts, answer_to_doubt, find_faults, findings_text
from threespan.table.refusals import Refusal
from threespan.terminal.save import Save, state_home

_MAX_NEWS = 15
_SOLVER_SECONDS = 10
_WORDS = load_words(Path(__file__).parent)
_COMMANDS = {
    typed: command
    for language in LANGUAGES
    for command in _WORDS.keys("command.")
    for typed in _WORDS.text(f"command.{command}", language).split()
}


class Quit(Exception):
    """The player wants to quit for now."""


@dataclass(frozen=True)
class News:
    """A report of something that happened, for a seat that may know of it."""

    sentence: str
    seat: int


@dataclass
class Session:
    """A match in a terminal: people share the screen, bots play their own seats."""

    console: Console
    match: Match
    save: Save
    language: Language
    bots: dict[int, Bot] = field(default_factory=dict)
    draft: list[str] = field(default_factory=list)
    shown_to: int = WATCHER
    news: list[News] = field(default_factory=list)
    doubts: Doubts = field(default_factory=Doubts)
    news_seen: dict[int, int] = field(default_factory=dict)  # how many of the news each seat has seen

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.match.game

    def say(self, key: str, **values: object) -> None:
        """Print a text in the player's language."""
        self.console.print(_WORDS.text(key, self.language, **values), highlight=False, markup=False)

    def play(self) -> None:
        """Play to the end, or until a player quits or presses Ctrl-C."""
        self.say("help")
        self.introduce_bots()
        try:
            while seats := self.match.acting():
                people = [seat for seat in seats if seat not in self.bots]
                if people:
                    self.take_turn(people[0])
                else:
                    self.let_bot_play(seats[0])
        except (Quit, KeyboardInterrupt, EOFError):
            self.save.write(self.match, self.draft)
            self.console.print()
            self.say("kept")
            return
        self.show_end()

    def introduce_bots(self) -> None:
        """Print a line about each bot."""
        for seat, bot in self.bots.items():
            if line := character(self.game.code, bot.name, self.language).line:
                text = f"{self.match.names[seat]}: {line}"
                self.console.print(text, style="italic", highlight=False, markup=False)

    def let_bot_play(self, seat: int) -> None:
        """Play one action of a bot."""
        seed = self.match.seed.ticket(len(self.match.events), 2**63)
        self.append(seat, self.bots[seat].choose(self.match.position.observe(seat), seat, seed))
        self.let_chance_act()

    def commit(self, seat: int) -> None:
        """Play the drafted actions."""
        play_actions(self.match.position, seat, self.draft, lambda action: self.append(seat, action))
        self.let_chance_act()

    def let_chance_act(self) -> None:
        """Play the actions of chance, and save the match."""
        while self.match.position.acting() == [CHANCE]:
            self.append(CHANCE, self.match.chance_action())
        self.draft = []
        self.save.write(self.match, self.draft)

    def append(self, seat: int, action: int) -> None:
        """Play one action, and add news for those who may know of it."""
        state = self.match.position.state
        action_text, names = self.game.action_text(state, action), self.match.names
        others = [viewer for viewer in self.match.position.seats if viewer != seat]
        for viewer in (other for other in others if self.game.sees(state, seat, action, other)):
            names_or_you = ["" if other == viewer else name for other, name in enumerate(names)]
            sentence = self.game.report(state, action_text, seat, names_or_you, self.language)
            self.news.append(News(sentence, viewer))
        self.match.append(seat, action)

    def print_news(self, seat: int) -> None:
        """Print what has happened since a seat last acted, as far as it may know."""
        fresh = [news.sentence for news in self.news[self.news_seen.get(seat, 0) :] if news.seat == seat]
        self.news_seen[seat] = len(self.news)
        for sentence in fresh[-_MAX_NEWS:]:
            self.console.print(sentence, style="italic", highlight=False, markup=False)

    def take_turn(self, seat: int) -> None:
        """Let a person draft a turn and play it."""
        self.hand_over(seat)
        self.print_news(seat)
        draft = self.drafted(seat)
        while True:
            self.show(draft, seat)
            is_finished = seat not in draft.acting()
            words = self.ask(draft, seat, is_finished)
            if not words and is_finished:
                return self.commit(seat)
            if words == "undo":
                if self.draft:
                    self.draft.pop()
                    draft = self.drafted(seat)
                else:
                    self.say("nothing_to_undo")
                continue
            if words == "resign":
                if self.resign(seat):
                    return None
                continue
            chosen = None if is_finished else self.understand(draft, seat, words)
            if chosen is not None:
                self.draft.append(self.game.action_text(draft.state, chosen))
                if self.game.uncovers(draft.state, seat, chosen):
                    return self.commit(seat)  # what it makes known must not be seen before it is final
                draft.play(seat, chosen)

    def resign(self, seat: int) -> bool:
        """Explain what resigning means; returns whether the player confirms it."""
        others = [other for other in self.match.position.seats if other not in (seat, *self.match.resigned)]
        key = "resign_alone" if not others else "resign_wins" if len(others) == 1 else "resign_bot"
        self.say(key, name=self.match.names[others[0]] if others else "")
        words = self.console.input("> ").strip().lower()
        if _COMMANDS.get(words) != "yes":
            return False
        self.match.resign(seat)
        self.bots[seat] = find_bot(AUTOPILOT)
        self.draft = []
        self.save.write(self.match, self.draft)
        return True

    def drafted(self, seat: int) -> Position:
        """The position after the draft; actions of a saved draft that are no longer legal are removed."""
        draft = self.match.position.copy()
        try:
            play_actions(draft, seat, self.draft)
        except ActionRefused as refused:
            del self.draft[refused.index :]
        return draft

    def hand_over(self, seat: int) -> None:
        """Print whose turn it is; if something is hidden, clear the screen until that person confirms."""
        position = self.match.position
        people = [other for other in position.seats if other not in self.bots]
        if len(people) > 1 and self.shown_to != seat:
            has_secrets = position.observe(WATCHER).state.tobytes() != position.state.tobytes()
            if has_secrets:
                self.console.clear()
                self.say("hand_over", name=self.match.names[seat])
                self.console.input()
                self.console.clear()
            else:
                self.say("turn_of", name=self.match.names[seat])
        self.shown_to = seat

    def show(self, draft: Position, seat: int) -> None:
        """Print what a seat sees."""
        self.console.print(picture_of(self.game, draft.observe(seat).state, seat, self.language, self.match.names))
        if seat in draft.acting():
            prompt = self.game.prompt(draft.observe(seat).state, seat, self.language)
            self.console.print(prompt, style="bold", highlight=False, markup=False)

    def ask(self, draft: Position, seat: int, is_finished: bool) -> str:
        """Read a line of input; commands that play nothing are handled here."""
        while True:
            legal = draft.legal(seat)
            if is_finished:
                self.say("done")
            elif len(legal) == 1:
                self.say("only", action=self.game.action_text(draft.state, legal[0]))
            words = " ".join(self.console.input("> ").split())
            words = _COMMANDS.get(words.lower(), words)
            first, _, rest = words.partition(" ")
            command = _COMMANDS.get(first.lower())
            if words == "quit":
                raise Quit
            if words == "rules":
                self.console.print(draft.rule_book.markdown(self.language), highlight=False, markup=False)
            elif words.startswith("?"):
                self.explain(draft, seat, words[1:].strip())
            elif command == "check":
                self.check_board(draft, seat)
            elif command == "doubt":
                self.doubt_board(seat, rest)
            elif not words and len(legal) == 1 and not is_finished:
                return self.game.action_text(draft.state, legal[0])
            elif words or is_finished:
                return words

    def check_board(self, draft: Position, seat: int) -> None:
        """Print what is wrong on the player's own board."""
        try:
            faults = find_faults(draft.observe(seat), seat, self.language)
        except Refusal as refusal:
            return self.print_plain(refusal.text(self.language))
        return self.print_plain(findings_text(len(faults), self.language), *(fault.text for fault in faults))

    def doubt_board(self, seat: int, number: str) -> None:
        """Print whether something is wrong on another's board, which is named by the number of its seat."""
        board = next((other for other in self.match.position.seats if str(other + 1) == number), WATCHER)
        seen, request = self.match.position.observe(seat), str(time.monotonic_ns())
        try:
            is_wrong = self.doubts.answer(seen, seat, board, request)
        except Refusal as refusal:
            return self.print_plain(refusal.text(self.language))
        return self.print_plain(answer_to_doubt(is_wrong, self.match.names[board], self.language))

    def print_plain(self, *lines: str) -> None:
        """Print lines as they are."""
        self.console.print("\n".join(lines), highlight=False, markup=False)

    def explain(self, draft: Position, seat: int, words: str) -> None:
        """Print the legal actions, or the text of a clause, or why an action is illegal."""
        if not words:
            texts = [self.game.action_text(draft.state, action) for action in draft.legal(seat)]
            if texts:
                self.say("possible")
                self.console.print("  " + ", ".join(texts), highlight=False, markup=False)
            return self.say("help")
        if clause := draft.rule_book.clauses.get(words):
            text = f"{clause.title.in_(self.language)}: {clause.text.in_(self.language)}"
            return self.console.print(text, highlight=False, markup=False)
        action = self.understand(draft, seat, words)
        if action is not None:
            self.say("legal", action=self.game.action_text(draft.state, action))
        return None

    def understand(self, draft: Position, seat: int, words: str) -> int | None:
        """The legal action that the input stands for; if there is none, print why."""
        try:
            action = self.game.parse_action(draft.state, words)
        except NotationError:
            matching = matching_actions(draft, seat, words)
            if len(matching) == 1:
                return matching[0]
            if matching:
                texts = ", ".join(self.game.action_text(draft.state, action) for action in matching[:12])
                self.say("ambiguous", actions=texts + (", ..." if len(matching) > 12 else ""))
            else:
                self.say("unknown", words=words)
            return None
        rule = draft.check(seat, action)
        if rule == LEGAL:
            return action
        refused = IllegalAction(draft.rule_book, rule, words)
        self.console.print(f"{rule.name}: {refused.text(self.language)}", style="red", highlight=False, markup=False)
        return None

    def show_end(self) -> None:
        """Print the final position, the score sheets, and the file of the record."""
        position = self.match.position
        self.console.print(picture_of(self.game, position.state, WATCHER, self.language, self.match.names))
        scores, ranks = self.match.outcome()
        table = Table(show_header=False)
        for seat in position.seats:
            for rule, points in position.score_sheet(seat):
                table.add_row("", self.game.score_text(position.state, seat, rule, self.language), str(points))
            for cost in self.game.costs(position.state, seat, self.language):
                table.add_row("", cost.text, _WORDS.text("lost", self.language, points=cost.points), style="dim")
            rank = _WORDS.text("rank", self.language, rank=ranks[seat])
            total = _WORDS.text("total", self.language)
            table.add_row(self.match.names[seat], f"{total}, {rank}", str(scores[seat]), style="bold")
        self.console.print(table)
        for seat in self.match.resigned:
            self.say("has_resigned", name=self.match.names[seat])
        if len(position.seats) == len(self.match.resigned):
            self.say("not_counted")
        if not self.match.is_decided:
            self.show_verdicts()
            self.show_best_possible()
        file = state_home() / "records" / f"{self.game.code}-{time.strftime('%Y%m%d-%H%M%S')}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(write_record(self.match), "utf-8")
        self.save.remove()
        self.say("saved", file=file)

    def show_verdicts(self) -> None:
        """Print the game's remarks on the results."""
        for seat in self.match.position.seats:
            verdict = self.game.verdict(self.match.position.state, seat, self.language)
            if verdict and seat not in self.match.resigned:
                self.console.print(verdict, style="bold green", highlight=False, markup=False)

    def show_best_possible(self) -> None:
        """Print the best possible score, if the game has a solver."""
        try:
            best = best_possible(self.match, _SOLVER_SECONDS)
        except UserError:  # the solver is an optional extra
            return
        if best:
            self.say("best_proved" if best.is_proved else "best_between", low=best.score, high=best.bound)


def matching_actions(position: Position, seat: int, abbreviation: str) -> list[int]:
    """The legal actions that an abbreviation matches word by word: `w 21` matches `write 21 5`."""
    given = abbreviation.lower().split()
    found = []
    for action in position.legal(seat):
        parts = position.game.action_text(position.state, action).lower().split()
        if given and len(given) <= len(parts) and all(p.startswith(g) for p, g in zip(parts, given, strict=False)):
            found.append(action)
    return found


def open_table(
    console: Console, game: Game, options: Options, language: Language, bots: list[Bot], seed: str | None, new: bool
) -> Session:
    """Resume the saved match or start a new one. Bots play the last seats."""
    first_bot = options.players - len(bots)
    if first_bot < 1:
        raise UserError(f"{len(bots)} bots leave no seat for a person")
    save = Save(state_home() / f"{game.code}-{options.players}-{len(bots)}.jsonl")
    by_seat = {first_bot + index: bot for index, bot in enumerate(bots)}
    if save.file.exists() and not new:
        match, draft = save.read(options)
        by_seat |= {seat: find_bot(AUTOPILOT) for seat in match.resigned}
        table = Session(console, match, save, language, by_seat, draft)
        table.say("resumed")
        return table
    player = _WORDS.text("player", language)
    names = [f"{player} {seat + 1}" for seat in range(first_bot)]
    names += [full_name(game.code, bot.name, language) for bot in bots]
    match = Match.new(game, options, MatchSeed.of(seed) if seed else MatchSeed.fresh(), names)
    return Session(console, match, save, language, by_seat)
