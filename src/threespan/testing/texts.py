"""Text forms can be written and read again, and every text exists in every language."""

import re
from itertools import islice

import pytest

from threespan.core.game import NotationError, Position, Role
from threespan.core.layout import PositionError
from threespan.core.picture import picture_of
from threespan.core.rules import CHANCE, WATCHER
from threespan.core.words import LANGUAGES
from threespan.testing.matches import is_same, positions_by_variant, random_match, variants
from threespan.testing.subject import Checks, Subject

CHECKS = Checks()

_MAX_EVENTS = 200
_SENTENCE = re.compile(r"[^\W_a-z](?:(?!  )[^{}])*[^\s.]\.")

NOT_ACTIONS = ("", "nonsense", "write", "lay 99,99 up", "skip skip", "\x00", "🙂" * 300)
NOT_POSITIONS = ("nonsense", "players=9", "nofield=1", "players=1/1", "players=12,3", "players=x")


@CHECKS.add
def every_action_has_a_text_of_its_own(subject: Subject) -> None:
    """`parse_action` reads what `action_text` writes, with any number of blanks."""
    game = subject.game
    for _, position in positions_by_variant(game, 0, 4):
        texts = [game.action_text(position.state, action) for action in range(game.action_count)]
        assert len(set(texts)) == game.action_count, "two actions have the same text"
        for action, text in enumerate(texts):
            assert game.parse_action(position.state, text) == action, f"'{text}' is read as another action"
            assert game.parse_action(position.state, f"  {text.replace(' ', '   ')} ") == action


@CHECKS.add
def a_text_that_is_no_action_is_refused(subject: Subject) -> None:
    """`parse_action` raises NotationError with a message in every language."""
    state = subject.game.start(variants(subject.game)[0]).state
    for text in NOT_ACTIONS:
        with pytest.raises(NotationError) as refused:
            subject.game.parse_action(state, text)
        assert all(refused.value.text(language) for language in LANGUAGES)


@CHECKS.add
def every_position_has_a_text(subject: Subject) -> None:
    """Every position can be read from its text, including derived fields (`refresh`)."""
    for _, position in positions_by_variant(subject.game, 0, 20):
        again = Position.from_text(subject.game, position.options, position.text())
        assert is_same(again, position), f"{position.text()} is read as another position"
        assert again.text() == position.text()


@CHECKS.add
def a_text_that_is_no_position_is_refused(subject: Subject) -> None:
    """Texts with unknown fields or invalid values raise PositionError."""
    for text in NOT_POSITIONS:
        with pytest.raises(PositionError):
            Position.from_text(subject.game, variants(subject.game)[0], text)


@CHECKS.add
def the_rule_book_speaks_every_language(subject: Subject) -> None:
    """Every clause has a title, a text and, for refusals, a message to the player."""
    book = subject.game.rule_book
    for language in LANGUAGES:
        page = book.markdown(language)
        for rule in subject.game.rule_enum:
            assert rule.name == "LEGAL" or f"`{rule.name}`" in page
        for name, clause in book.clauses.items():
            texts = [clause.title, clause.text] + ([clause.refused] if clause.refused else [])
            assert all(text.in_(language).strip() for text in texts), f"{name} has an empty text in {language}"


@CHECKS.add
def a_table_can_be_offered_in_every_language(subject: Subject) -> None:
    """The game has a name and a pitch, and every option and every named value has a title."""
    game = subject.game
    needed = ["game.name", "game.pitch"]
    for spec in game.option_specs():
        detail = game.options.details.get(spec.name)
        has_files = detail is not None and detail.values is not None
        if spec.name != "players":
            needed.append(f"option.{spec.name}.title")
        if not has_files:
            needed += [f"option.{spec.name}.{str(value).lower()}" for value in spec.values]
    missing = [key for key in needed if key not in game.words]
    assert missing == [], f"{game.words.folder} lacks {', '.join(missing)}"
    assert all(game.words.text(key, language).strip() for key in needed for language in LANGUAGES)


@CHECKS.add
def every_moment_can_be_shown(subject: Subject) -> None:
    """Every viewer gets a drawing and a description, and every acting seat a prompt, in every language."""
    game = subject.game
    for _, position in positions_by_variant(game, 0, 10):
        names = [f"name {seat}" for seat in position.seats]
        for language in LANGUAGES:
            for viewer in (WATCHER, *position.seats):
                seen = position.observe(viewer).state
                assert picture_of(game, seen, viewer, language).plain.strip()
                lines = game.describe(seen, viewer, names, language)
                assert [line for line in lines if line.strip()], "`describe` returns nothing, but text mode needs it"
                if viewer in position.acting():
                    assert game.prompt(seen, viewer, language).strip()
            for seat in position.seats:
                game.verdict(position.state, seat, language)
        assert CHANCE not in position.seats


@CHECKS.add
def every_action_can_be_said(subject: Subject) -> None:
    """Every legal action has a role and a sentence, and no two choices have the same sentence."""
    game = subject.game
    for _, position in positions_by_variant(game, 10, 10):
        for seat in position.acting():
            texts = game.action_texts(position.state, position.legal(seat))
            assert texts == [game.action_text(position.state, action) for action in position.legal(seat)]
            assert all(isinstance(game.role(text), Role) for text in texts)
            for language in LANGUAGES:
                sentences = [game.sentence(position.state, text, language) for text in texts]
                assert all(sentence.strip() for sentence in sentences)
                assert len(set(sentences)) == len(sentences), f"two actions have the same sentence in {language}"


@CHECKS.add
def everything_that_happens_is_told_in_a_sentence(subject: Subject) -> None:
    """Reports name the seat or address it as "you", and depend on nothing but the state at the start of the match."""
    game = subject.game
    for seed, options in enumerate(variants(game), 20):
        names = [f"Name{seat}" for seat in range(options.players)]
        board = game.start(options).state
        for match in islice(random_match(game, options, seed, _MAX_EVENTS), 1, None):
            seat, text = match.events[-1].seat, match.events[-1].action_text
            for language in LANGUAGES:
                told = game.report(board, text, seat, names, language)
                assert told == game.report(match.position.state, text, seat, names, language), f"of '{text}'"
                assert _is_sentence(told), f"'{told}' is not a sentence for '{text}' in {language}"
                if seat != CHANCE:
                    addressed = ["" if name == names[seat] else name for name in names]
                    own = game.report(board, text, seat, addressed, language)
                    assert names[seat] in told, f"'{told}' does not say who did '{text}'"
                    assert _is_sentence(own), f"'{own}' is not a sentence for '{text}' in {language}"
                    assert names[seat] not in own, f"'{own}' does not address the seat that did '{text}'"


def _is_sentence(text: str) -> bool:
    """Whether a text starts with a capital letter or a digit, ends with a full stop and has no empty placeholder."""
    return bool(_SENTENCE.fullmatch(text))
