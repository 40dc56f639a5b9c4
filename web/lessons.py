"""Play the lessons' scripts on the real rules and write what the page shows: `python web/lessons.py [GAME...]`.

A script is `web/src/games/GAME/lesson.toml` (web/README.md describes it), the result `lesson.json` beside it. A script
that does not follow the rules is refused with the clause it breaks, so a lesson can teach nothing false.
"""

import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from threespan.core.chance import MatchSeed
from threespan.core.game import IllegalAction, Position
from threespan.core.match import Match
from threespan.core.options import read_options
from threespan.core.registry import find_game
from threespan.core.rulebook import LANGUAGES, Text
from threespan.core.rules import CHANCE, LEGAL

FOLDER = Path(__file__).parent / "src" / "games"
_ANYTHING = "*"


class Step(msgspec.Struct, forbid_unknown_fields=True):
    """A step of a script."""

    title: Text
    text: Text
    position: str = ""  # text form of a position to go on from
    before: list[str] = []
    do: list[str] = []
    attempt: str = ""
    after: Text | None = None


class Script(msgspec.Struct, forbid_unknown_fields=True):
    """The whole `lesson.toml`."""

    seat: int
    options: dict[str, int | bool | str]
    names: list[str]
    steps: list[Step]
    seed: str = "lesson"


class Teacher:
    """Plays a script and notes what the learner sees."""

    def __init__(self, code: str, script: Script) -> None:
        """Begin with the first position."""
        self.game, self.script = find_game(code), script
        options = read_options(self.game.options, script.options)
        seed = MatchSeed.of(script.seed)
        self.match = Match(self.game.start(options), seed, script.names)

    def lesson(self) -> dict[str, Any]:
        """The lesson as the page reads it."""
        position = self.match.position
        return {
            "seat": self.script.seat,
            "names": self.script.names,
            "scene": msgspec.to_builtins(self.game.scene(position.state, position.material)),
            "steps": [self._step(step) for step in self.script.steps],
        }

    def _step(self, step: Step) -> dict[str, Any]:
        if step.position:
            position = self.match.position
            self.match.position = Position.from_text(self.game, position.options, step.position)
        fresh = list(self._happen(step.before))
        frames = []
        for action in step.do:
            frames.append(self._frame(fresh, action, ""))
            fresh = list(self._happen([f"{self.script.seat} {action}"]))
        frames.append(self._frame(fresh, "", step.attempt))
        words = {"title": _both(step.title), "text": _both(step.text), "after": step.after and _both(step.after)}
        return words | {"frames": frames}

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
            yield self.match.events[-1].text

    def _let_chance_act(self) -> Iterator[str]:
        while self.match.position.acting() == [CHANCE]:
            self.match.append(CHANCE, self.match.chance_action())
            yield self.match.events[-1].text

    def _frame(self, fresh: list[str], want: str, attempt: str) -> dict[str, Any]:
        if want or attempt:
            fresh += self._let_chance_act()
        seat = self.script.seat
        seen = self.match.position.observe(seat)
        acts = (want or attempt) and seat in seen.acting()
        legal = seen.legal(seat) if acts else []
        return {
            "view": msgspec.to_builtins(self.game.view(seen.state, seat)),
            "prompt": {
                language: self.game.prompt(seen.state, seat, language) if acts else "" for language in LANGUAGES
            },
            "legal": [self.game.action_text(seen.state, action) for action in legal],
            "want": want or None,
            "attempt": attempt or None,
            "refused": self._refused(seen) if acts else {},
            "ways": self._ways(seen, legal),
            "fresh": fresh,
        }

    def _refused(self, seen: Position) -> dict[str, list[str]]:
        """Every action that the learner might try in vain, by clause; those that do not belong to the moment aside."""
        refused: dict[str, list[str]] = {}
        for action in range(self.game.actions):
            rule = seen.check(self.script.seat, action)
            if rule != LEGAL and rule.name != "NOT_NOW":
                refused.setdefault(rule.name, []).append(self.game.action_text(seen.state, action))
        return _shortened(refused)

    def _ways(self, seen: Position, legal: list[int]) -> dict[str, list[str]]:
        ways = {
            self.game.action_text(seen.state, action): self.game.show(seen.state, self.script.seat, action)
            for action in legal
        }
        return {action: way for action, way in ways.items() if way}


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


def _both(words: Text) -> dict[str, str]:
    return {language: words.in_(language) for language in LANGUAGES}


def lesson_text(code: str) -> str:
    """The contents of a game's `lesson.json`."""
    table = tomllib.loads((FOLDER / code / "lesson.toml").read_text("utf-8"))
    lesson = Teacher(code, msgspec.convert(table, Script)).lesson()
    return msgspec.json.encode(lesson).decode() + "\n"


def main() -> None:
    """Write the lessons of some games or all; with `--check`, only tell whether they are current."""
    wanted = [argument for argument in sys.argv[1:] if argument != "--check"]
    for code in wanted or [file.parent.name for file in sorted(FOLDER.glob("*/lesson.toml"))]:
        file, text = FOLDER / code / "lesson.json", lesson_text(code)
        if "--check" not in sys.argv:
            file.write_text(text, "utf-8")
        elif not file.exists() or file.read_text("utf-8") != text:
            sys.exit(f"run `python web/lessons.py`: {code}")


if __name__ == "__main__":
    main()
