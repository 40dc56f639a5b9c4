"""The games on this server, their rules, and the chat phrases."""

from typing import Annotated

from litestar import get
from litestar.exceptions import HTTPException
from litestar.params import Parameter
from msgspec import Meta

from threespan.bots.cast import character, level_name
from threespan.bots.names import bot_names_of
from threespan.core.errors import UserError
from threespan.core.game import Game
from threespan.core.options import OptionSpec, Value, read_options, split_settings
from threespan.core.registry import codes, find_game
from threespan.core.rulebook import Clause, RuleBook, Section
from threespan.core.words import DEFAULT_LANGUAGE, Language
from threespan.server.http.common import REFUSED, LanguageCode
from threespan.table.messages.lobby import (
    BotInfo,
    ClauseInfo,
    GameInfo,
    OptionInfo,
    OptionValue,
    RulesInfo,
    SectionInfo,
)
from threespan.table.refusals import phrases

_MAX_OPTIONS = 16
OptionWords = Annotated[list[Annotated[str, Meta(max_length=100)]], Parameter(max_items=_MAX_OPTIONS)]


@get("/api/games", responses=REFUSED)
async def list_games(language: LanguageCode = DEFAULT_LANGUAGE) -> list[GameInfo]:
    """The games, their options and their bots."""
    games = sorted(map(find_game, codes()), key=lambda game: (game.order, game.code))
    return [_game_info(game, language) for game in games]


def _game_info(game: Game, language: Language) -> GameInfo:
    return GameInfo(
        code=game.code,
        name=game.words.text("game.name", language),
        pitch=game.words.text("game.pitch", language),
        minutes=game.minutes,
        min_players=game.seat_counts[0],
        max_players=game.seat_counts[-1],
        hidden=game.hidden.value,
        options=[_option_info(game, spec, language) for spec in game.option_specs() if spec.name != "players"],
        many={kind: game.words.text(f"many.{kind}", language) for kind in game.words.keys("many.")},
        bots=_bots(game.code, language),
    )


def _option_info(game: Game, spec: OptionSpec, language: Language) -> OptionInfo:
    return OptionInfo(
        name=spec.name,
        title=game.option_title(spec.name, language),
        kind=spec.kind,
        default=spec.default,
        values=[_option_value(game, spec, value, language) for value in spec.values],
        low=spec.low,
        high=spec.high,
        only_with=spec.only_with,
        max_with=spec.max_with,
        is_seat=spec.is_seat,
        is_house_rule=spec.is_house_rule,
    )


def _option_value(game: Game, spec: OptionSpec, value: Value, language: Language) -> OptionValue:
    effect = game.value_effect(spec.name, value, language) if spec.is_house_rule else ""
    return OptionValue(value, game.value_title(spec.name, value, language), effect)


def _bots(game: str, language: Language) -> list[BotInfo]:
    levels = bot_names_of(game)
    return [BotInfo(level, level_name(level, language), *character(game, level, language)) for level in levels]


@get("/api/games/{code:str}/rules", responses=REFUSED)
async def read_rules(
    code: str, language: LanguageCode = DEFAULT_LANGUAGE, option: OptionWords | None = None
) -> RulesInfo:
    """The rule book of a game; with options (`option=name=value`, repeatable) the one for such a match."""
    if code not in codes():
        raise HTTPException(status_code=404, detail=f"there is no such game; choose one of {', '.join(codes())}")
    book = _book_for(find_game(code), option, language) if option else find_game(code).rule_book
    sections = [_section_info(section, language) for section in book.sections]
    if house_rules := book.house_rules_text(language):
        sections.append(SectionInfo(book.house_rules_title(language), house_rules, []))
    return RulesInfo(book.title.in_(language), book.text.in_(language), sections)


def _book_for(game: Game, settings: list[str], language: Language) -> RuleBook:
    try:
        return game.rule_book.for_options(read_options(game.options, split_settings(settings)))
    except UserError as error:
        raise HTTPException(status_code=400, detail=error.text(language)) from None


def _section_info(section: Section, language: Language) -> SectionInfo:
    clauses = [_clause_info(name, clause, language) for name, clause in section.clauses.items()]
    return SectionInfo(section.title.in_(language), section.prose(language), clauses)


def _clause_info(name: str, clause: Clause, language: Language) -> ClauseInfo:
    refused = clause.refused.in_(language) if clause.refused else ""
    return ClauseInfo(name, clause.kind, clause.title.in_(language), clause.text.in_(language), refused)


@get("/api/phrases", responses=REFUSED)
async def list_phrases(language: LanguageCode = DEFAULT_LANGUAGE) -> dict[str, str]:
    """The chat phrases."""
    return phrases(language)
