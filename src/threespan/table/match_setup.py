"""What all tables with the same game, options and material share, so it is made only once."""

from functools import lru_cache

import msgspec

from threespan.core.game import Position, Role
from threespan.core.options import read_recorded_options
from threespan.core.registry import find_game
from threespan.core.words import LANGUAGES, Language
from threespan.table.events import Charter
from threespan.table.messages.server import Button
from threespan.table.messages.shared import encode_message

_SETUPS_KEPT = 64
_SENTENCES_KEPT = 4096
_REPORTS_KEPT = 16384


class MatchSetup:
    """The position before the first action (to be copied), its scene, and the game's actions in plain words."""

    def __init__(self, position: Position) -> None:
        """Prepare what matches that start from a position share."""
        self.position = position
        game = position.game
        self.scene = encode_message(game.scene(position.state, position.material))
        # Sentences depend on the board alone. Made from the first position, in which nothing is hidden yet,
        # they cannot give anything away.
        self.sentence = lru_cache(_SENTENCES_KEPT)(self._sentence)
        self.report = lru_cache(_REPORTS_KEPT)(self._report)
        self._buttons = {language: _Buttons(self, language) for language in LANGUAGES}

    def _sentence(self, action_text: str, language: Language) -> str:
        return self.position.game.sentence(self.position.state, action_text, language)

    def _report(self, action_text: str, seat: int, addressed_seat: int, language: Language) -> str:
        """What a seat did, with `{0}` in place of the name of seat 0 and so on, so that tables can share it."""
        names = ["" if other == addressed_seat else f"{{{other}}}" for other in self.position.seats]
        return self.position.game.report(self.position.state, action_text, seat, names, language)

    def buttons(self, action_texts: list[str], language: Language) -> list[Button]:
        """The buttons for those of some actions that have no place on the board."""
        known = self._buttons[language]
        return [button for text in action_texts if (button := known[text]) is not None]


class _Buttons(dict[str, Button | None]):
    """A cache of buttons by action text; None for actions that have a place on the board."""

    def __init__(self, setup: MatchSetup, language: Language) -> None:
        """Start an empty cache for one language."""
        super().__init__()
        self._setup, self._language = setup, language

    def __missing__(self, action_text: str) -> Button | None:
        role = self._setup.position.game.role(action_text)
        button = None
        if role is not Role.PLACE:
            label = self._setup.sentence(action_text, self._language)
            button = Button(action_text, label, role is Role.FINISHER, role is Role.DONE, role is Role.ANSWER)
        self[action_text] = button
        return button


@lru_cache(_SETUPS_KEPT)
def _set_up(encoded: bytes) -> MatchSetup:
    game_code, rules_version, values, material = msgspec.json.decode(encoded)
    game = find_game(game_code)
    options = read_recorded_options(game.options, values, rules_version, game.version)
    state = game.setup(options, material)
    game.check_material(options, material)
    return MatchSetup(Position(game, options, material, state))


def match_setup(charter: Charter) -> MatchSetup:
    """The setup of a charter's match; raises UserError if its options or material are invalid."""
    return _set_up(msgspec.json.encode((charter.game, charter.rules_version, charter.options, charter.material)))
