"""Write the generated pages: rule books, tables of states, of actions and of observations. Run by `make docs`."""

import sys
from pathlib import Path

from threespan.core.game import Game
from threespan.core.registry import find_game
from threespan.core.rulebook import LANGUAGES
from threespan.research.spaces import DESCRIPTIONS
from threespan.research.tensor import tensor_table

GAMES = ("hashi", "stege", "elfer")
FOLDER = Path(__file__).parent


def pages() -> dict[Path, str]:
    """Every generated page with its text."""
    found = {}
    for code in GAMES:
        game = find_game(code)
        for language in LANGUAGES:
            found[FOLDER / "rules" / f"{code}.{language}.md"] = game.book.markdown(language)
        title = game.book.page.title.en
        found[FOLDER / "state" / f"{code}.md"] = f"# The state of {title}\n\n{game.layout.table()}\n"
        found[FOLDER / "spaces" / f"{code}.md"] = spaces_page(title, game)
    return found


def spaces_page(title: str, game: Game) -> str:
    """What environments show of a game: its actions and the parts of an observation."""
    described = DESCRIPTIONS[game.code]
    return (
        f"# Actions and observations of {title}\n\n"
        f"How to read it: [research](../research.md).\n\n"
        f"## Actions\n\n{described.action_table()}\n\n"
        f"## Observations\n\n{tensor_table(game.layout, described.pieces)}\n"
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
