"""Write the generated pages: rule books, tables of states, of actions and of observations. Run by `make docs`."""

import sys
from pathlib import Path

from threespan.core.game import Game
from threespan.core.registry import built_in_codes, find_game
from threespan.core.words import LANGUAGES
from threespan.research.description import find_description
from threespan.research.tensor import tensor_table

FOLDER = Path(__file__).parent


def pages() -> dict[Path, str]:
    """Every generated page with its text."""
    found = {}
    for code in built_in_codes():
        game = find_game(code)
        for language in LANGUAGES:
            found[FOLDER / "rules" / f"{code}.{language}.md"] = game.rule_book.markdown(language)
        title = game.rule_book.title.in_("en")
        found[FOLDER / "state" / f"{code}.md"] = f"# The state of {title}\n\n{game.layout.table()}\n"
        found[FOLDER / "spaces" / f"{code}.md"] = spaces_page(title, game)
    return found


def spaces_page(title: str, game: Game) -> str:
    """What environments show of a game: its actions and the parts of an observation."""
    described = find_description(game.code)
    return (
        f"# Actions and observations of {title}\n\n"
        f"How to read it: [research](../research.md).\n\n"
        f"## Actions\n\n{described.action_table()}\n\n"
        f"## Observations\n\n{tensor_table(game.layout, described.tensor_fields)}\n"
    )


def main() -> None:
    """Write all pages; with `--check`, only tell whether they are current."""
    stale = [file for file, text in pages().items() if not file.exists() or file.read_text("utf-8") != text]
    if "--check" in sys.argv:
        sys.exit(f"run `make docs`: {', '.join(file.name for file in stale)}" if stale else 0)
    for file, text in pages().items():
        file.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
