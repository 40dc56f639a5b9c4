"""Rule books are compared with their enumeration both ways."""

from enum import IntEnum
from pathlib import Path

import pytest

from threespan.core.rulebook import RuleBook, RuleBookError


class Rule(IntEnum):
    LEGAL = 0
    NOT_NOW = 1
    FULL = 2


CLAUSE = """
[sections.clauses.{name}]
kind = "{kind}"
title.en = "T"
title.de = "Ü"
text.en = "text"
text.de = "Text"
"""
REFUSED = 'refused.en = "no"\nrefused.de = "nein"\n'
HEAD = """
title.en = "G"
title.de = "S"
text.en = "x"
text.de = "y"
[[sections]]
title.en = "S"
title.de = "A"
text.en = ""
text.de = ""
"""


def book(folder: Path, *clauses: str) -> RuleBook:
    file = folder / "rules.toml"
    file.write_text(HEAD + "".join(clauses), "utf-8")
    return RuleBook(Rule, file)


def clause(name: str, kind: str = "refusal") -> str:
    return CLAUSE.format(name=name, kind=kind) + (REFUSED if kind == "refusal" else "")


def test_a_book_that_fits(tmp_path: Path) -> None:
    good = book(tmp_path, clause("NOT_NOW"), clause("FULL", "score"))
    assert good.refusal(Rule.NOT_NOW, "de") == "nein"
    assert good.of_kind("score") == [Rule.FULL]
    with pytest.raises(RuleBookError, match="refuses nothing"):
        good.refusal(Rule.FULL, "en")
    assert "`FULL`" in good.markdown("de")


@pytest.mark.parametrize(
    ("clauses", "reason"),
    [
        ((clause("NOT_NOW"),), "the clause FULL is missing"),
        ((clause("NOT_NOW"), clause("FULL"), clause("EXTRA")), "EXTRA is not a member"),
        ((clause("FULL"), clause("NOT_NOW")), "another order"),
        ((clause("NOT_NOW"), clause("FULL").replace(REFUSED, "")), "has the words `refused`"),
        ((clause("NOT_NOW"), clause("FULL").replace('text.de = "Text"', "")), "missing required field `de`"),
        ((clause("NOT_NOW"), clause("NOT_NOW")), "rules.toml"),
        (("nonsense",), "rules.toml"),
    ],
)
def test_a_book_that_does_not_fit_is_refused(tmp_path: Path, clauses: tuple[str, ...], reason: str) -> None:
    with pytest.raises(RuleBookError, match=reason):
        book(tmp_path, *clauses)
