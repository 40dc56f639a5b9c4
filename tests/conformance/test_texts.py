"""Text forms and rule books: everything can be written down and read again, in both languages."""

import pytest

from conformance.helpers import some_positions, variants
from threespan.core.game import Game, NotationError, Position
from threespan.core.layout import PositionError
from threespan.core.rulebook import LANGUAGES
from threespan.core.rules import CHANCE, WATCHER


def test_every_action_has_a_text_of_its_own(game: Game) -> None:
    for seed, options in enumerate(variants(game)):
        for position in some_positions(game, options, seed, 4):
            texts = [game.action_text(position.state, action) for action in range(game.actions)]
            assert len(set(texts)) == game.actions
            for action, text in enumerate(texts):
                assert game.parse_action(position.state, text) == action
                assert game.parse_action(position.state, f"  {text.replace(' ', '   ')} ") == action


@pytest.mark.parametrize("text", ["", "nonsense", "write", "lay 99,99 up", "skip skip", "\x00", "🙂" * 300])
def test_a_text_that_is_no_action_is_refused(game: Game, text: str) -> None:
    with pytest.raises(NotationError):
        game.parse_action(game.start(variants(game)[0]).state, text)


def test_every_position_has_a_text(game: Game) -> None:
    for seed, options in enumerate(variants(game)):
        for position in some_positions(game, options, seed, 20):
            again = Position.from_text(game, options, position.text())
            assert again.state.tobytes() == position.state.tobytes()
            assert again.text() == position.text()


@pytest.mark.parametrize("text", ["nonsense", "players=9", "nofield=1", "players=1/1", "players=12,3", "players=x"])
def test_a_text_that_is_no_position_is_refused(game: Game, text: str) -> None:
    with pytest.raises(PositionError):
        Position.from_text(game, variants(game)[0], text)


def test_the_rule_book_speaks_both_languages(game: Game) -> None:
    pages = {language: game.book.markdown(language) for language in LANGUAGES}
    assert pages["en"] != pages["de"]
    for rule in game.rule:
        if rule.name != "LEGAL":
            assert all(f"`{rule.name}`" in page for page in pages.values())
    for clause in game.book.clauses.values():
        texts = [clause.title, clause.text] + ([clause.refused] if clause.refused else [])
        assert all(text.en.strip() and text.de.strip() for text in texts)


def test_every_moment_can_be_shown(game: Game) -> None:
    for seed, options in enumerate(variants(game)):
        for position in some_positions(game, options, seed, 10):
            for language in LANGUAGES:
                for seat in (WATCHER, *position.seats):
                    seen = position.observe(seat).state
                    assert game.picture(seen, seat, language).plain.strip()
                    if seat in position.acting():
                        assert game.prompt(seen, seat, language).strip()
                    game.verdict(seen, max(seat, 0), language)
            assert CHANCE not in position.seats
