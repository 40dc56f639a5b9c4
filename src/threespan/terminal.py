"""Playing in the terminal: draft a turn, take steps back, press Enter when done, go on after a break."""

import os
import time
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from threespan.bots.bot import Bot
from threespan.bots.characters import character, full_name
from threespan.core.chance import MatchSeed
from threespan.core.errors import UserError
from threespan.core.game import Game, IllegalAction, NotationError, Position
from threespan.core.match import Match
from threespan.core.options import Options
from threespan.core.record import RecordError, load_record, replay, write_record
from threespan.core.rulebook import Language
from threespan.core.rules import CHANCE, LEGAL, WATCHER
from threespan.review.solver import best_possible

WORDS: dict[str, dict[Language, str]] = {
    "done": {"en": "Enter = done, undo = take back", "de": "Enter = fertig, zurück = zurücknehmen"},
    "only": {"en": "Enter = {action} (nothing else is possible)", "de": "Enter = {action} (nichts anderes geht)"},
    "hand_over": {
        "en": "Pass the device to {name}, then press Enter.",
        "de": "Gib das Gerät an {name} weiter und drücke dann Enter.",
    },
    "turn_of": {"en": "It is the turn of {name}.", "de": "{name} ist dran."},
    "nothing_to_undo": {
        "en": "Nothing to take back in this turn.",
        "de": "In diesem Zug gibt es nichts zurückzunehmen.",
    },
    "resumed": {
        "en": "Going on where you left off; --new starts afresh.",
        "de": "Weiter, wo du aufgehört hast; --new beginnt neu.",
    },
    "kept": {
        "en": "The match is kept. The same command goes on with it.",
        "de": "Die Partie ist gespeichert. Derselbe Befehl setzt sie fort.",
    },
    "possible": {"en": "Possible now:", "de": "Jetzt möglich:"},
    "help": {
        "en": "Type an action (its beginning will do), undo, ? ACTION or ? CLAUSE for the reason, rules, quit.",
        "de": "Tippe eine Aktion (der Anfang genügt), zurück, ? AKTION oder ? KLAUSEL für den Grund, regeln, ende.",
    },
    "unknown": {
        "en": "'{words}' is not an action of this game; ? shows what is possible.",
        "de": "„{words}“ ist keine Aktion dieses Spiels; ? zeigt, was möglich ist.",
    },
    "ambiguous": {"en": "That could be: {actions}", "de": "Das könnte sein: {actions}"},
    "legal": {"en": "{action} is possible.", "de": "{action} ist möglich."},
    "chance": {"en": "Chance", "de": "Zufall"},
    "best_proved": {
        "en": "Whoever knew all cards could have scored {low}.",
        "de": "Wer alle Karten gekannt hätte, hätte {low} Punkte geschafft.",
    },
    "best_between": {
        "en": "Whoever knew all cards could have scored between {low} and {high}.",
        "de": "Wer alle Karten gekannt hätte, hätte zwischen {low} und {high} Punkte geschafft.",
    },
    "saved": {"en": "Record: {file}", "de": "Aufzeichnung: {file}"},
    "rank": {"en": "rank {rank}", "de": "Rang {rank}"},
    "total": {"en": "total", "de": "gesamt"},
}


_MOST_NEWS = 15
_SECONDS_TO_SOLVE = 10
_COMMANDS = {"exit": "quit", "q": "quit", "ende": "quit", "zurück": "undo", "regeln": "rules"}


class Quit(Exception):
    """The player wants to stop for now."""


@dataclass(frozen=True)
class News:
    """Something that happened, and the seats that may know."""

    words: str
    seats: tuple[int, ...]


def state_home() -> Path:
    """Where unfinished matches and records are kept."""
    if own := os.environ.get("THREESPAN_STATE"):
        return Path(own)
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "threespan"


@dataclass
class Save:
    """An unfinished match on disk: its record and the steps of the turn that is being drafted."""

    file: Path

    @property
    def _draft_file(self) -> Path:
        return self.file.with_suffix(".draft")

    def write(self, match: Match, draft: list[str]) -> None:
        """Keep a match; a crash in between leaves the older version."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        for file, text in ((self.file, write_record(match, reveal=True)), (self._draft_file, "\n".join(draft))):
            fresh = file.with_name(file.name + ".new")
            fresh.write_text(text, "utf-8")
            fresh.replace(file)

    def read(self, options: Options) -> tuple[Match, list[str]]:
        """The match that was kept; raises UserError where it cannot be gone on with."""
        try:
            match = replay(load_record(self.file))
        except RecordError as error:
            raise UserError(f"{self.file}: {error} (--new starts afresh)") from None
        if match.position.options != options:
            raise UserError(f"{self.file} holds a match with other options; --new starts afresh")
        draft = self._draft_file.read_text("utf-8").splitlines() if self._draft_file.exists() else []
        return match, draft

    def remove(self) -> None:
        """Forget the match."""
        for file in (self.file, self._draft_file):
            file.unlink(missing_ok=True)


@dataclass
class Session:
    """A match on one terminal: people share the screen, bots play by themselves."""

    console: Console
    match: Match
    save: Save
    language: Language
    bots: dict[int, Bot] = field(default_factory=dict)
    draft: list[str] = field(default_factory=list)
    shown_to: int = WATCHER
    news: list[News] = field(default_factory=list)
    read: dict[int, int] = field(default_factory=dict)  # how much of the news each seat has been told

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.match.game

    def say(self, word: str, **values: object) -> None:
        """Say something in the player's language."""
        self.console.print(WORDS[word][self.language].format(**values), highlight=False, markup=False)

    def play(self) -> None:
        """Play to the end, or until a player quits or presses Ctrl-C."""
        self.say("help")
        self.introduce_bots()
        try:
            while seats := self.match.position.acting():
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
        """Say who the bots at the table are."""
        for seat, bot in self.bots.items():
            if line := character(self.game.code, bot.name, self.language).line:
                words = f"{self.match.names[seat]}: {line}"
                self.console.print(words, style="italic", highlight=False, markup=False)

    def let_bot_play(self, seat: int) -> None:
        """One action of a bot."""
        seed = self.match.seed.ticket(len(self.match.events), 2**63)
        action = self.bots[seat].choose(self.match.position.observe(seat), seat, seed)
        self.commit(seat, [action])

    def commit(self, seat: int, actions: list[int]) -> None:
        """Make actions final and let chance act."""
        for action in actions:
            self.append(seat, action)
        while self.match.position.acting() == [CHANCE]:
            self.append(CHANCE, self.match.chance_action())
        self.draft = []
        self.save.write(self.match, self.draft)

    def append(self, seat: int, action: int) -> None:
        """One action, with the news of it for those who may know."""
        state = self.match.position.state
        name = WORDS["chance"][self.language] if seat == CHANCE else self.match.names[seat]
        words = f"{name}: {self.game.action_text(state, action)}"
        others = [viewer for viewer in self.match.position.seats if viewer != seat]
        self.news.append(News(words, tuple(v for v in others if self.game.sees(state, seat, action, v))))
        self.match.append(seat, action)

    def tell_news(self, seat: int) -> None:
        """What a seat may know of what happened since it acted last."""
        fresh = [news.words for news in self.news[self.read.get(seat, 0) :] if seat in news.seats]
        self.read[seat] = len(self.news)
        for words in fresh[-_MOST_NEWS:]:
            self.console.print(words, style="italic", highlight=False, markup=False)

    def take_turn(self, seat: int) -> None:
        """Let a person draft a turn and commit it."""
        self.hand_over(seat)
        self.tell_news(seat)
        draft = self.match.position.copy()
        actions: list[int] = []
        for text in self.draft:
            action = self.game.parse_action(draft.state, text)
            if draft.check(seat, action) != LEGAL:
                break
            draft.play(seat, action)
            actions.append(action)
        self.draft = self.draft[: len(actions)]
        while True:
            self.show(draft, seat)
            is_finished = seat not in draft.acting()
            words = self.ask(draft, seat, is_finished)
            if not words and is_finished:
                return self.commit(seat, actions)
            if words == "undo":
                if not actions:
                    self.say("nothing_to_undo")
                    continue
                actions.pop()
                self.draft.pop()
                draft = self.match.position.copy()
                for action in actions:
                    draft.play(seat, action)
                continue
            chosen = None if is_finished else self.understand(draft, seat, words)
            if chosen is not None:
                self.draft.append(self.game.action_text(draft.state, chosen))
                draft.play(seat, chosen)
                actions.append(chosen)

    def hand_over(self, seat: int) -> None:
        """Say whose turn it is; where there are secrets, cover the screen until the right person has it."""
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
        """Draw what a seat sees."""
        self.console.print(self.game.picture(draft.observe(seat).state, seat, self.language))
        if seat in draft.acting():
            prompt = self.game.prompt(draft.observe(seat).state, seat, self.language)
            self.console.print(prompt, style="bold", highlight=False, markup=False)

    def ask(self, draft: Position, seat: int, is_finished: bool) -> str:
        """Read a line; answers what needs no action itself."""
        while True:
            legal = draft.legal(seat)
            if is_finished:
                self.say("done")
            elif len(legal) == 1:
                self.say("only", action=self.game.action_text(draft.state, legal[0]))
            words = " ".join(self.console.input("> ").split())
            words = _COMMANDS.get(words.lower(), words)
            if words == "quit":
                raise Quit
            if words == "rules":
                self.console.print(self.game.book.markdown(self.language), highlight=False, markup=False)
            elif words.startswith("?"):
                self.explain(draft, seat, words[1:].strip())
            elif not words and len(legal) == 1 and not is_finished:
                return self.game.action_text(draft.state, legal[0])
            elif words or is_finished:
                return words

    def explain(self, draft: Position, seat: int, words: str) -> None:
        """Say what is possible, or what a clause means, or why an action is refused."""
        if not words:
            texts = [self.game.action_text(draft.state, action) for action in draft.legal(seat)]
            if texts:
                self.say("possible")
                self.console.print("  " + ", ".join(texts), highlight=False, markup=False)
            return self.say("help")
        if clause := self.game.book.clauses.get(words):
            text = f"{clause.title.in_(self.language)}: {clause.text.in_(self.language)}"
            return self.console.print(text, highlight=False, markup=False)
        action = self.understand(draft, seat, words)
        if action is not None:
            self.say("legal", action=self.game.action_text(draft.state, action))
        return None

    def understand(self, draft: Position, seat: int, words: str) -> int | None:
        """The legal action that words stand for; if there is none, says why."""
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
        refused = IllegalAction(self.game, rule, words)
        self.console.print(f"{rule.name}: {refused.reason(self.language)}", style="red", highlight=False, markup=False)
        return None

    def show_end(self) -> None:
        """The final boards, the scores line by line, and where the record is."""
        position = self.match.position
        self.console.print(self.game.picture(position.state, WATCHER, self.language))
        scores, ranks = position.outcome()
        table = Table(show_header=False)
        for seat in position.seats:
            for rule, points in position.score_sheet(seat):
                table.add_row("", self.game.book[rule].title.in_(self.language), str(points))
            rank = WORDS["rank"][self.language].format(rank=ranks[seat])
            total = WORDS["total"][self.language]
            table.add_row(self.match.names[seat], f"{total}, {rank}", str(scores[seat]), style="bold")
        self.console.print(table)
        for seat in position.seats:
            if verdict := self.game.verdict(position.state, seat, self.language):
                self.console.print(verdict, style="bold green", highlight=False, markup=False)
        self.show_best_possible()
        file = state_home() / "records" / f"{self.game.code}-{time.strftime('%Y%m%d-%H%M%S')}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(write_record(self.match), "utf-8")
        self.save.remove()
        self.say("saved", file=file)

    def show_best_possible(self) -> None:
        """What somebody who knew all cards could have scored, where the exact solver can tell."""
        try:
            best = best_possible(self.match, _SECONDS_TO_SOLVE)
        except UserError:  # the solver is an optional part
            return
        if best:
            self.say("best_proved" if best.is_proved else "best_between", low=best.score, high=best.bound)


def matching_actions(position: Position, seat: int, words: str) -> list[int]:
    """The legal actions whose words begin with the given ones: `w 21` finds `write 21 5`."""
    given = words.lower().split()
    found = []
    for action in position.legal(seat):
        parts = position.game.action_text(position.state, action).lower().split()
        if given and len(given) <= len(parts) and all(p.startswith(g) for p, g in zip(parts, given, strict=False)):
            found.append(action)
    return found


def open_table(
    console: Console, game: Game, options: Options, language: Language, bots: list[Bot], seed: str | None, new: bool
) -> Session:
    """The table to play at: the match that was kept, or a new one. The last seats are the bots'."""
    first_bot = options.players - len(bots)
    if first_bot < 1:
        raise UserError(f"{len(bots)} bots leave no seat for a person")
    save = Save(state_home() / f"{game.code}-{options.players}-{len(bots)}.jsonl")
    by_seat = {first_bot + index: bot for index, bot in enumerate(bots)}
    if save.file.exists() and not new:
        match, draft = save.read(options)
        table = Session(console, match, save, language, by_seat, draft)
        table.say("resumed")
        return table
    people = {"en": "Player", "de": "Person"}[language]
    names = [f"{people} {seat + 1}" for seat in range(first_bot)]
    names += [full_name(game.code, bot.name, language) for bot in bots]
    match = Match.new(game, options, MatchSeed.of(seed) if seed else MatchSeed.fresh(), names)
    return Session(console, match, save, language, by_seat)
