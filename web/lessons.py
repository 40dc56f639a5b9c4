"""Play the lessons' scripts on the real rules and write what the page shows: `python web/lessons.py [GAME...]`.

A script is `web/src/games/GAME/lesson/lesson.toml` (web/README.md describes it), what it says stands beside it in
`words/xx.toml`. The results are `lesson.json` and, for each language, `words/xx.json`. A script that does not follow
the rules is refused with the clause it breaks, so a lesson can teach nothing false.
"""

import json
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from threespan.core.chance import MatchSeed
from threespan.core.game import IllegalAction, Position, Role
from threespan.core.match import Match
from threespan.core.options import read_options
from threespan.core.registry import find_game
from threespan.core.rules import CHANCE, LEGAL
from threespan.core.words import DEFAULT_LANGUAGE, LANGUAGES, Language, load_words
from threespan.table.referee import findings_text

_SOURCE = Path(__file__).parent / "src"
FOLDER = _SOURCE / "games"
_ANYTHING = "*"
_CHECK = "check"  # in a script, asking the referee: no action, but something to do
_YOU = "You"  # in a script, whoever learns


class LessonStep(msgspec.Struct, forbid_unknown_fields=True):
    """A step of a script; its title and text stand in the files of words, under its name."""

    name: str
    options: dict[str, int | bool | str] = {}  # begins another match with these options instead of the script's
    position: str = ""  # text form of a position to go on from
    before: list[str] = []
    do: list[str] = []
    attempt: str = ""


class Script(msgspec.Struct, forbid_unknown_fields=True):
    """The whole `lesson.toml`."""

    seat: int
    options: dict[str, int | bool | str]
    names: list[str]
    steps: list[LessonStep]
    seed: str = "lesson"


class Teacher:
    """Plays a script and notes what the learner sees."""

    def __init__(self, code: str, script: Script) -> None:
        """Begin with the first position."""
        self.game, self.script = find_game(code), script
        self.scenes: list[dict[str, Any]] = []
        self._begin_match({})
        self.tellers = {language: Teller(code, script, language) for language in LANGUAGES}

    def _begin_match(self, changed: dict[str, int | bool | str]) -> None:
        """Begin a match with the script's options, some of them changed."""
        options = read_options(self.game.options, self.script.options | changed)
        self.match = Match(self.game.start(options), MatchSeed.of(self.script.seed), self.script.names)
        position = self.match.position
        self.scenes.append(msgspec.to_builtins(self.game.scene(position.state, position.material)))

    def lesson(self) -> dict[str, Any]:
        """The lesson as the page reads it; those who tell it listen."""
        steps, scene_of = [], []
        for step in self.script.steps:
            steps.append(self._step(step))
            scene_of.append(len(self.scenes) - 1)
        return {
            "seat": self.script.seat,
            "names": self.script.names,
            "scenes": self.scenes,
            "scene_of": scene_of,
            "steps": steps,
        }

    def _step(self, step: LessonStep) -> list[dict[str, Any]]:
        for teller in self.tellers.values():
            teller.begin(step)
        if step.options:
            self._begin_match(step.options)
        if step.position:
            position = self.match.position
            self.match.position = Position.from_text(self.game, position.options, step.position)
        fresh = list(self._happen(step.before))
        frames = []
        is_checked = False
        for action in step.do:
            frames.append(self._frame(fresh, action, "", is_checked))
            is_checked |= action == _CHECK  # then the referee looks again after every action of the step
            fresh = [] if action == _CHECK else list(self._happen([f"{self.script.seat} {action}"]))
        return [*frames, self._frame(fresh, "", step.attempt, is_checked)]

    def _happen(self, lines: list[str]) -> Iterator[str]:
        """Let scripted actions happen, and chance where the script says nothing about it."""
        for line in lines:
            who, _, text = line.partition(" ")
            if who != "chance":
                yield from self._let_chance_act()
            seat = CHANCE if who == "chance" else int(who)
            state = self.match.position.state
            actions = self.match.position.legal(seat)
            action = actions[0] if text == _ANYTHING else self.game.parse_action(state, text)
            try:
                self.match.append(seat, action)
            except IllegalAction as error:
                sys.exit(f"{self.game.code}: '{line}' breaks {error.rule.name}")
            yield self.match.events[-1].action_text

    def _let_chance_act(self) -> Iterator[str]:
        while self.match.position.acting() == [CHANCE]:
            self.match.append(CHANCE, self.match.chance_action())
            yield self.match.events[-1].action_text

    def _frame(self, fresh: list[str], want: str, attempt: str, is_checked: bool) -> dict[str, Any]:
        if want or attempt:
            fresh += self._let_chance_act()
        seat = self.script.seat
        seen = self.match.position.observe(seat)
        acts = (want or attempt) and seat in seen.acting()
        legal = seen.legal(seat) if acts else []
        texts = [self.game.action_text(seen.state, action) for action in legal]
        for teller in self.tellers.values():
            teller.tell(seen, [*texts, attempt] if attempt else texts, is_checked)
        buttons = [text for text in texts if self.game.role(text) != Role.PLACE]
        if acts and self.game.has_referee(seen.options):
            buttons.append(_CHECK)
        return {
            "view": msgspec.to_builtins(self.game.view(seen.state, seat)),
            "legal": texts,
            "buttons": buttons,
            "want": want or None,
            "attempt": attempt or None,
            "refused": self._refused(seen) if acts else {},
            "paths": self._paths(seen, legal),
            "faults": self._faults(seen) if is_checked else None,
            "fresh": fresh,
        }

    def _faults(self, seen: Position) -> list[dict[str, Any]]:
        """What the referee points at; what he says about it is told in words."""
        found = self.game.faults(seen.state, self.script.seat, DEFAULT_LANGUAGE)
        return [{"places": fault.places, "action_text": fault.action_text} for fault in found]

    def _refused(self, seen: Position) -> dict[str, list[str]]:
        """Every action that the learner might try in vain, by clause; those that do not belong to the moment aside."""
        refused: dict[str, list[str]] = {}
        for action in range(self.game.action_count):
            rule = seen.check(self.script.seat, action)
            if rule != LEGAL and rule.name != "NOT_NOW":
                refused.setdefault(rule.name, []).append(self.game.action_text(seen.state, action))
        return _shortened(refused)

    def _paths(self, seen: Position, legal: list[int]) -> dict[str, list[str]]:
        paths = {
            self.game.action_text(seen.state, action): self.game.path(seen.state, self.script.seat, action)
            for action in legal
        }
        return {action: path for action, path in paths.items() if path}


def _shortened(refused: dict[str, list[str]]) -> dict[str, list[str]]:
    """Of each kind of action, those that break the clause most often broken become one line, `lay *`."""
    broken = Counter((_kind(action), rule) for rule, actions in refused.items() for action in actions)
    usual = {kind: rule for (kind, rule), _ in reversed(broken.most_common())}
    short = {rule: [action for action in actions if usual[_kind(action)] != rule] for rule, actions in refused.items()}
    for kind, rule in usual.items():
        short[rule].append(f"{kind} {_ANYTHING}")
    return short


def _kind(action: str) -> str:
    return action.split(" ")[0]


class Teller:
    """Says in one language what happens in a lesson."""

    def __init__(self, code: str, script: Script, language: Language) -> None:
        """Begin with nothing said."""
        self.game, self.seat, self.language = find_game(code), script.seat, language
        self.words = load_words(FOLDER / code / "lesson")
        page = json.loads((_SOURCE / "words" / f"{language}.json").read_text("utf-8"))
        self.names = [page["you"] if name == _YOU else name for name in script.names]
        self.steps: list[dict[str, Any]] = []
        self.actions: dict[str, str] = {}
        if any(_CHECK in step.do for step in script.steps):
            self.actions[_CHECK] = page["checkBoard"]

    def begin(self, step: LessonStep) -> None:
        """Say what a step is about."""
        said = {part: self._text(f"{step.name}.{part}") for part in ("title", "text", "after")}
        self.steps.append(said | {"frames": []})

    def _text(self, key: str) -> str:
        return self.words.text(key, self.language) if key in self.words else ""

    def tell(self, seen: Position, actions: list[str], is_checked: bool) -> None:
        """Say how things stand, what can be done, and what the referee has found if he was asked."""
        state = seen.state
        prompt = self.game.prompt(state, self.seat, self.language) if actions else ""
        lines = self.game.describe(state, self.seat, self.names, self.language)
        frame: dict[str, Any] = {"prompt": prompt, "lines": lines}
        if is_checked:
            faults = [fault.text for fault in self.game.faults(state, self.seat, self.language)]
            frame["found"] = {"text": findings_text(len(faults), self.language), "faults": faults}
        self.steps[-1]["frames"].append(frame)
        self.actions |= {action: self.game.sentence(state, action, self.language) for action in actions}

    def said(self) -> dict[str, Any]:
        """Everything that was said."""
        return {"steps": self.steps, "actions": self.actions}


def lesson_files(code: str) -> dict[Path, str]:
    """The files of a lesson and what stands in them."""
    folder = FOLDER / code / "lesson"
    table = tomllib.loads((folder / "lesson.toml").read_text("utf-8"))
    teacher = Teacher(code, msgspec.convert(table, Script))
    files: dict[Path, dict[str, Any]] = {folder / "lesson.json": teacher.lesson()}
    for language, teller in teacher.tellers.items():
        files[folder / "words" / f"{language}.json"] = teller.said()
    return {file: msgspec.json.encode(contents).decode() + "\n" for file, contents in files.items()}


def main() -> None:
    """Write the lessons of some games or all; with `--check`, only tell whether they are current."""
    wanted = [argument for argument in sys.argv[1:] if argument != "--check"]
    for code in wanted or [file.parent.parent.name for file in sorted(FOLDER.glob("*/lesson/lesson.toml"))]:
        for file, text in lesson_files(code).items():
            if "--check" not in sys.argv:
                file.write_text(text, "utf-8")
            elif not file.exists() or file.read_text("utf-8") != text:
                sys.exit(f"run `python web/lessons.py`: {file.relative_to(FOLDER)}")


if __name__ == "__main__":
    main()
