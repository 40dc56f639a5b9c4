"""A rule book must match its enum and its texts exactly."""

from enum import IntEnum
from pathlib import Path
from typing import Annotated, ClassVar, Literal

import pytest
from msgspec import Meta

from threespan.core.options import Detail, Options, option_specs
from threespan.core.rulebook import RuleBook, RuleBookError
from threespan.core.words import LANGUAGES, Words


class Rule(IntEnum):
    LEGAL = 0
    NOT_NOW = 1
    FULL = 2


class MadeUpOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    players: Annotated[int, Meta(ge=1, le=4)] = 2
    tide: Literal["low", "high"] = "low"
    wind: bool = True

    details: ClassVar = {"wind": Detail(is_house_rule=True, only_with={"tide": ("high",)})}


PLAN = """
[[sections]]
name = "play"
[sections.clauses]
NOT_NOW = "refusal"
FULL = "score"
"""
HEAD = """
[rules]
title = "G"
text = "x"
[rules.sections.play]
title = "S"
text = ""
"""
CLAUSES = """
[clauses.NOT_NOW]
title = "T"
text = "text"
refused = "no, {language}"
[clauses.FULL]
title = "F"
text = "text"
"""
EFFECTS = """
[option.wind]
title = "Wind"
true = "With"
false = "Without"
[option.wind.effect]
true = "It blows."
false = "It does not blow."
"""

# The same book with texts that follow options.
READINGS_PLAN = """
[[sections]]
name = "play"
depends_on = "tide"
[sections.points]
first = ""
second = "wind"
[sections.clauses]
NOT_NOW = { kind = "refusal", depends_on = "tide" }
FULL = { kind = "score" }
"""
READINGS = """
[rules.sections.play.tide.high]
text = "high water"
[rules.sections.play.points]
first = "one"
second = "windy"
[rules.sections.play.points.wind.false]
second = "calm"
[clauses.NOT_NOW.tide.high]
title = "T, high"
text = "text, high"
refused = "no, too high"
"""


def book(folder: Path, plan: str = PLAN, words: str = HEAD + CLAUSES + EFFECTS) -> RuleBook:
    (folder / "words").mkdir()
    for language in LANGUAGES:
        (folder / "words" / f"{language}.toml").write_text(words.replace("{language}", language), "utf-8")
    (folder / "rules.toml").write_text(plan, "utf-8")
    return RuleBook(Rule, folder, Words(folder), option_specs(MadeUpOptions))


def test_a_matching_rule_book_is_accepted(tmp_path: Path) -> None:
    good = book(tmp_path)
    assert good.refusal(Rule.NOT_NOW, "de") == "no, de"
    assert good.of_kind("score") == [Rule.FULL]
    with pytest.raises(RuleBookError, match="is not a refusal"):
        good.refusal(Rule.FULL, "en")
    assert "`FULL`" in good.markdown("de")


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        (PLAN.replace('FULL = "score"', ""), "rules.toml: the clause FULL is missing"),
        (PLAN + 'EXTRA = "score"', "rules.toml: EXTRA is not a member of Rule"),
        (
            PLAN.replace("NOT_NOW", "X").replace("FULL", "NOT_NOW").replace("X", "FULL"),
            "different order than in Rule",
        ),
        (PLAN.replace('"score"', '"joke"'), "rules.toml: Invalid enum value 'joke'"),
        (PLAN + 'NOT_NOW = "score"', "rules.toml: Cannot overwrite a value"),
        (PLAN + PLAN.replace("play", "more"), "rules.toml: a clause is listed twice"),
        (PLAN.replace('name = "play"', ""), "rules.toml: .*missing required field `name`"),
        ("nonsense", "rules.toml"),
    ],
)
def test_a_mismatching_plan_is_refused(tmp_path: Path, plan: str, reason: str) -> None:
    with pytest.raises(RuleBookError, match=reason):
        book(tmp_path, plan)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (CLAUSES, "the text 'rules.sections.play.text' is missing"),
        (HEAD + CLAUSES.replace("refused =", "refusal ="), "the text 'clauses.NOT_NOW.refused' is missing"),
        (HEAD + CLAUSES + 'refused = "no"', "the text 'clauses.FULL.refused' does not belong to anything"),
        (HEAD + CLAUSES + '[clauses.OLD]\ntitle = "O"', "the text 'clauses.OLD.title' does not belong"),
        (HEAD + CLAUSES + '[rules.sections.old]\ntitle = "O"', "the text 'rules.sections.old.title' does not belong"),
    ],
)
def test_mismatching_texts_are_refused(tmp_path: Path, words: str, reason: str) -> None:
    with pytest.raises(RuleBookError, match=reason):
        book(tmp_path, words=words + EFFECTS)


def test_texts_follow_the_options_of_a_match(tmp_path: Path) -> None:
    usual = book(tmp_path, READINGS_PLAN, HEAD + CLAUSES + READINGS + EFFECTS)
    high = usual.for_options(MadeUpOptions(tide="high"))
    calm = usual.for_options(MadeUpOptions(tide="high", wind=False))
    assert usual.refusal(Rule.NOT_NOW, "en") == "no, en"
    assert high.refusal(Rule.NOT_NOW, "en") == "no, too high"
    assert usual.for_options(MadeUpOptions()).refusal(Rule.NOT_NOW, "en") == "no, en"
    assert [read.sections[0].prose("en") for read in (usual, high, calm)] == [
        "- one\n- windy",
        "high water\n- one\n- windy",
        "high water\n- one\n- calm",
    ]
    assert "T, high" in high.markdown("de")
    assert high.of_kind("refusal") == [Rule.NOT_NOW]


def test_house_rules_are_explained_all_or_those_that_are_played(tmp_path: Path) -> None:
    usual = book(tmp_path)
    assert usual.house_rules_text("en").endswith("\n- Wind – With: It blows. Without: It does not blow.")
    assert "## House rules" in usual.markdown("en")
    calm = usual.for_options(MadeUpOptions(tide="high", wind=False))
    assert calm.house_rules_text("en") == "In this match:\n- Wind – Without: It does not blow."
    assert usual.for_options(MadeUpOptions()).house_rules_text("en") == ""  # without high tide it has no effect
    assert "House rules" not in usual.for_options(MadeUpOptions()).markdown("en")


@pytest.mark.parametrize(
    ("plan", "words", "reason"),
    [
        (READINGS_PLAN.replace('"wind"', '"rain"'), READINGS, "rules.toml: 'rain' is not an option"),
        (READINGS_PLAN.replace('"wind"', '"players"'), READINGS, "rules.toml: 'players' is not an option"),
        (READINGS_PLAN, READINGS.replace("wind.false", "wind.true"), "'rules.sections.play.points.wind.false.second'"),
        (READINGS_PLAN, READINGS + 'other = "x"', "the text 'clauses.NOT_NOW.tide.high.other' does not belong"),
        (
            READINGS_PLAN,
            READINGS.replace('refused = "no, too high"', ""),
            "the text 'clauses.NOT_NOW.tide.high.refused' is missing",
        ),
        (
            READINGS_PLAN.replace('depends_on = "tide"\n', ""),
            READINGS,
            "the text 'rules.sections.play.tide.high.text' does not belong to anything",
        ),
    ],
)
def test_readings_are_compared_both_ways(tmp_path: Path, plan: str, words: str, reason: str) -> None:
    with pytest.raises(RuleBookError, match=reason):
        book(tmp_path, plan, HEAD + CLAUSES + words + EFFECTS)


def test_the_effects_of_house_rules_are_compared_both_ways(tmp_path: Path) -> None:
    with pytest.raises(RuleBookError, match=r"the text 'option\.wind\.effect\.false' is missing"):
        book(tmp_path, words=HEAD + CLAUSES + EFFECTS.replace('false = "It does not blow."', ""))


def test_effects_of_an_option_that_is_no_house_rule_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RuleBookError, match=r"the text 'option\.tide\.effect\.low' does not belong to anything"):
        book(tmp_path, words=HEAD + CLAUSES + EFFECTS + '[option.tide.effect]\nlow = "x"')
